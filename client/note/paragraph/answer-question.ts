import type { CallOptions } from '../../core/abort.ts';
import type { Output } from '../../core/outputs.ts';
import type { ParagraphHandle } from './paragraph-handle.ts';
import { type Question, questionOf } from './question.ts';

/** Returns the question that is the last output with data. */
export function lastQuestion(outputs: readonly Output[]): Question | undefined {
  const last = outputs.findLast(({ count }) => count > 0);
  return last && questionOf(last);
}

/** Sends the answer to a question. Resolves when the server has it. */
export async function answerQuestion(
  { id, note }: ParagraphHandle,
  question: string,
  answer: string,
  options: CallOptions,
): Promise<void> {
  await note.request(
    'TIDING_ANSWER',
    { id, noteId: note.id, question, answer },
    ({ op, data }) =>
      (op === 'PARAGRAPH_UPDATE_OUTPUT' && data.paragraphId === id) ||
      (op === 'PARAGRAPH' && data.paragraph.id === id)
        ? true
        : undefined,
    options,
  );
}
