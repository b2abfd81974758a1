import type { CallOptions } from '../core/abort.ts';
import { jsonObjectOf } from '../model/json-object.ts';
import { type Output, outputText } from './outputs.ts';
import type { ParagraphHandle } from './paragraph-handle.ts';

/** A question of running code, as of Python's `input()`. */
export interface Question {
  /** Identifies the question; a later one of the same run has another id. */
  readonly id: string;
  /** Text that the code shows; may be empty. */
  readonly prompt: string;
  /** Whether the answer must not be shown. */
  readonly password: boolean;
}

/** Returns the question in an output of type INPUT; undefined for any other output. */
export function questionOf(output: Output): Question | undefined {
  if (output.type !== 'INPUT' || output.count === 0) return undefined;
  try {
    const { id, prompt, password } = jsonObjectOf(JSON.parse(outputText(output)));
    return typeof id === 'string' && typeof prompt === 'string'
      ? { id, prompt, password: password === true }
      : undefined;
  } catch {
    return undefined;
  }
}

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
