import type { NoteState } from '@tiding/client';
import { isRunning } from '@tiding/client/model';

/** Whether anything in the note is running. */
export function isBusy(note: NoteState | undefined): boolean {
  return (
    note !== undefined &&
    (note.sequential ||
      Object.values(note.paragraphs).some((paragraph) => isRunning(paragraph.server.status)))
  );
}
