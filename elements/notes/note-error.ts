import { isTidingError } from '@tiding/client';
import { fill, text } from '../text/en.ts';

/** A Zeppelin's messages about a taken name: `… Note '/a/b' existed`, maybe twice. */
const takenName = /Note '\/?([^\n]+?)' existed/;

/** Returns why an operation on a note failed, in words. Other messages are the server's own. */
export function noteErrorText(error: unknown): string {
  const message = isTidingError(error) ? error.message : String((error as Error).message ?? error);
  const name = takenName.exec(message)?.[1];
  return name === undefined ? message : fill(text.create.taken, { name });
}
