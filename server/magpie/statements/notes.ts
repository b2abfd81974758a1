/** Notes that statements append to their messages. */

/** Warns about unknown members of a definition. Empty if there are none. */
export const unknownMembersNote = (ignored: readonly string[]): string =>
  ignored.length === 0 ? '' : ` Ignored unknown members: ${ignored.join(', ')}.`;
