/**
 * Returns a map from words to values, for tables in which several words mean the same. Each row has
 * a value and its words, which are separated by blanks.
 */
export const wordMap = <Value>(
  rows: readonly (readonly [value: Value, words: string])[],
): ReadonlyMap<string, Value> =>
  new Map(rows.flatMap(([value, words]) => words.split(' ').map((word) => [word, value] as const)));
