/** Names of shared values. A separate file, because pages need it before they open a note. */

/** Prefix of shared values that are functions. */
export const SHARED_FUNCTION_PREFIX = '_Z_ANGULAR_FUNC_';

/**
 * Returns the key of a shared value in the note's state. The same name may exist for the note and
 * for several paragraphs.
 */
export const sharedValueKey = (name: string, paragraphId: string | undefined): string =>
  `${paragraphId ?? ''}/${name}`;
