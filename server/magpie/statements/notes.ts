/** What statements say about members of a body that they don't know. */
import { MetadataError } from '../contract.ts';
import type { Body } from '../language/statements.ts';

/** Throws if a body has members besides these. `what` accepts them; `advice` ends the message. */
export function acceptOnly(
  what: string,
  body: Body,
  members: readonly string[],
  advice = '',
): void {
  const unknown = Object.keys(body).filter((key) => !members.includes(key));
  if (unknown.length === 0) return;
  const list = new Intl.ListFormat('en-GB').format(members.map((member) => `"${member}"`));
  throw new MetadataError(`${what} accepts only ${list}, not ${unknown.join(', ')}.${advice}`, {
    member: [unknown[0]!],
  });
}

/** Warns about unknown members of a definition. Empty if there are none. */
export const unknownMembersNote = (ignored: readonly string[]): string =>
  ignored.length === 0 ? '' : ` Ignored unknown members: ${ignored.join(', ')}.`;
