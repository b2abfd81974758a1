/** Limits of the comments on one note. `bytes` is the size of all threads as JSON. */
export const COMMENT_LIMITS = {
  threads: 1_000,
  replies: 200,
  characters: 10_000,
  quoteCharacters: 2_000,
  mentions: 20,
  bytes: 8 * 2 ** 20,
} as const;
