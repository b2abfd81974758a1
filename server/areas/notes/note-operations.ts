/** The live operations that only change a note: the notebook core decides, the editor stores. */
import { TextConflict } from '@tiding/client/model';
import {
  conflictMessage,
  type NoteOperationName,
  noteOperation,
  noteOperationNames,
} from '@tiding/client/notebook';
import type { SentOp } from '@tiding/client/protocol';
import type { LiveHandler, LiveHandlers, LiveRequest, ServerContext } from '../../context.ts';

/**
 * Runs `act` and reports a text that does not merge to its author only, with both versions.
 * Nothing is written in that case.
 */
export async function reportConflict(
  { connection, noteId, msgId }: Pick<LiveRequest<SentOp>, 'connection' | 'noteId' | 'msgId'>,
  { hub }: ServerContext,
  act: () => Promise<unknown>,
): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof TextConflict)) throw error;
    hub.send(connection, 'PARAGRAPH_CONFLICT', conflictMessage(noteId, error), msgId);
  }
}

const handlerOf = (op: NoteOperationName): LiveHandler<SentOp> => {
  const compute = noteOperation(op);
  return (request, context) =>
    reportConflict(request, context, async () => {
      const { data, noteId, person, connection, msgId } = request;
      const { notes, runs, editor } = context;
      const note = notes.get(noteId);
      const isSequential = runs.isSequential(noteId);
      const change = compute({ note, data, user: person.principal, isSequential }, editor.rules);
      await editor.make(note, change, { connection, msgId });
    });
};

/** Live handlers for changes of one note. */
export const noteOperationsLive = Object.fromEntries(
  noteOperationNames.map((op) => [op, handlerOf(op)]),
) as Pick<LiveHandlers, NoteOperationName>;
