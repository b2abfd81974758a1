/** Names of the values that a note shares with its outputs. Small: pages take them before they open a note. */

/** A shared value whose name starts so is a function. */
export const FUNCTION_PREFIX = '_Z_ANGULAR_FUNC_';

/** Key of a shared value among those of a note: the same name may stand for the note and for paragraphs. */
export const sharedKey = (name: string, paragraphId: string | undefined): string =>
  `${paragraphId ?? ''}/${name}`;
