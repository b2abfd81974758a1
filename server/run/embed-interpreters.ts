/** In which interpreters a page with an embed token may run code. */
import type { Embed } from '../auth/embed-access.ts';
import { Refusal } from '../base/errors.ts';

/**
 * Returns whether a page may use an interpreter. A page that can't change code runs what is there;
 * a page that can needs a token that lists the interpreter.
 */
export const mayUseInterpreter = (embed: Embed | undefined, name: string): boolean =>
  embed?.scope !== 'edit' || (embed.interpreters?.includes(name) ?? false);

/** Says that a page may not run code in an interpreter, and what to do. */
export const interpreterRefusal = (name: string): string =>
  `The token of this page does not allow it to run code in the interpreter ${name}. ` +
  `Create the token with interpreters: ['${name}'].`;

/** Refuses an interpreter that a page may not use, with 403. `undefined`: there is none. */
export function requireInterpreter(embed: Embed | undefined, name: string | undefined): void {
  if (name !== undefined && !mayUseInterpreter(embed, name))
    throw new Refusal(403, interpreterRefusal(name), 'forbidden');
}
