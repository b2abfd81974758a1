import { isTidingError } from '@tiding/client';
import { takenNotePath } from '@tiding/client/model';
import { fill } from '../text/fill.ts';
import { createNoteTexts } from './dialog-texts.ts';

/** Returns why an operation on a note failed, in words. Other messages are the server's own. */
export function noteErrorText(error: unknown): string {
  const message = isTidingError(error) ? error.message : String((error as Error).message ?? error);
  const name = takenNotePath(message);
  return name === undefined ? message : fill(createNoteTexts.taken, { name });
}
