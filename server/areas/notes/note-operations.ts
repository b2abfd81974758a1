/** The live operations that only change a note: the notebook core decides, the editor stores. */
import { TextConflict } from '@tiding/client/changes';
import { magicOf } from '@tiding/client/model';
import {
  conflictMessage,
  type NoteOperationName,
  noteOperation,
  noteOperationNames,
  paragraphOf,
} from '@tiding/client/notebook';
import type { Sends, SentOp } from '@tiding/client/protocol';
import { shownName } from '../../auth/embed-access.ts';
import { Refusal } from '../../base/errors.ts';
import { requireInterpreter } from '../../run/embed-interpreters.ts';
import type { LiveHandler, LiveHandlers, LiveRequest, ServerContext } from '../context.ts';

/**
 * Runs `act` and reports a text that does not merge to its author only. Nothing is written in that
 * case. Clients that name the base of an edit get both versions; others get the stored paragraph.
 */
export async function reportConflict(
  { connection, noteId, msgId, data }: LiveRequest<SentOp>,
  { hub, notes, editor }: ServerContext,
  act: () => Promise<unknown>,
): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof TextConflict)) throw error;
    if ((data as { baseRev?: number }).baseRev !== undefined)
      return hub.send(connection, 'PARAGRAPH_CONFLICT', conflictMessage(noteId, error), msgId);
    const paragraph = paragraphOf(notes.get(noteId), error.paragraph.id);
    hub.send(connection, 'PARAGRAPH', editor.toldParagraph(paragraph));
    throw new Refusal(
      409,
      'Others have changed the paragraph so much that your text does not merge. ' +
        'The stored text is shown. Make your change again.',
    );
  }
}

/** Returns the data of an operation; an edit that names no base gets one. */
function withBase(
  op: NoteOperationName,
  { data, noteId, connection }: LiveRequest<SentOp>,
  { notes, editor: { seen } }: ServerContext,
): Sends[SentOp] {
  const paragraph = () => paragraphOf(notes.get(noteId), (data as { id: string }).id);
  if (op === 'PATCH_PARAGRAPH')
    return seen.basedPatch(connection, paragraph(), data as Sends[typeof op]);
  if (op === 'COMMIT_PARAGRAPH' || op === 'PARAGRAPH_EXECUTED_BY_SPELL')
    return seen.based(connection, paragraph(), data as Sends[typeof op]);
  return data;
}

const handlerOf = (op: NoteOperationName): LiveHandler<SentOp> => {
  const compute = noteOperation(op);
  return (request, context) =>
    reportConflict(request, context, async () => {
      const { data, noteId, person, connection, msgId } = request;
      const { notes, runs, editor, pool } = context;
      const note = notes.get(noteId);
      if (op === 'PARAGRAPH_EXECUTED_BY_SPELL') {
        // Only a spell runs in the page; other results must come from their interpreter.
        const { id, paragraph } = data as Sends['PARAGRAPH_EXECUTED_BY_SPELL'];
        const text = paragraph ?? paragraphOf(note, id).text;
        requireInterpreter(person.embed, pool.lookup.find(magicOf(text), note)?.name);
      }
      const isSequential = runs.isSequential(noteId);
      const change = compute(
        { note, data: withBase(op, request, context), user: shownName(person), isSequential },
        editor.rules,
      );
      await editor.make(note, change, { connection, msgId });
    });
};

export const noteOperationsLive = Object.fromEntries(
  noteOperationNames.map((op) => [op, handlerOf(op)]),
) as Pick<LiveHandlers, NoteOperationName>;
