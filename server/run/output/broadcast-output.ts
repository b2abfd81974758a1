/** Output of a run as messages to the viewers of its note. */
import type { ReceivedOp, Receives } from '@tiding/client/protocol';
import type { Hub } from '../../hub/hub.ts';
import type { StoredNote, StoredParagraph } from '../../notes/note.ts';
import { OutputStream } from './output.ts';

/** Where output is sent, and how large it may become, in bytes. */
interface BroadcastOptions {
  readonly hub: Hub;
  readonly maxOutputBytes: number;
  readonly maxDocumentBytes: number;
}

/** Creates the output of a run, which is sent to the viewers of its note as it grows. */
export function broadcastOutput(
  { hub, maxOutputBytes, maxDocumentBytes }: BroadcastOptions,
  note: StoredNote,
  paragraph: StoredParagraph,
): OutputStream {
  const where = { noteId: note.id, paragraphId: paragraph.id };
  const send = <Op extends ReceivedOp>(op: Op, data: Receives[Op]) =>
    hub.broadcastToNote(note.id, op, data, { isFailure: output.failed });
  const output: OutputStream = new OutputStream(
    {
      update: (index, type, data) =>
        send('PARAGRAPH_UPDATE_OUTPUT', { ...where, index, type, data }),
      append: (index, data) => send('PARAGRAPH_APPEND_OUTPUT', { ...where, index, data }),
      storing: (index, storedRows) =>
        send('PARAGRAPH_APPEND_OUTPUT', { ...where, index, data: '', storedRows }),
      // The protocol has no message for removing outputs, so each is replaced by an empty one.
      clear: (count) => {
        for (let index = 0; index < count; index += 1)
          send('PARAGRAPH_UPDATE_OUTPUT', { ...where, index, type: 'TEXT', data: '' });
      },
    },
    maxOutputBytes,
    maxDocumentBytes,
  );
  return output;
}
