/**
 * Limit for comparing two lists, as the number of pairs of equal lines. The time grows faster than
 * this number: 100 000 pairs (two lists of 316 equal lines) take about 0.1 s, a million more than 1
 * s, four million 10 s.
 */
const MAX_EQUAL_PAIRS = 100_000;

/** Splits a text into lines that keep their line breaks, so that joining them restores the text. */
export function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+/g) ?? [];
}

/**
 * Counts the elements that two lists or strings have in common at the start, or at the end, up to
 * `limit`.
 */
export function commonLength(
  a: ArrayLike<string>,
  b: ArrayLike<string>,
  limit: number,
  atEnd = false,
): number {
  let count = 0;
  const same = (): boolean =>
    atEnd ? a[a.length - 1 - count] === b[b.length - 1 - count] : a[count] === b[count];
  while (count < limit && same()) count += 1;
  return count;
}

/** Whether two lists can be compared quickly. Lists that repeat a few lines very often can't. */
export function isComparable(a: readonly string[], b: readonly string[]): boolean {
  const counts = new Map<string, number>();
  for (const line of a) counts.set(line, (counts.get(line) ?? 0) + 1);
  let pairs = 0;
  for (const line of b) pairs += counts.get(line) ?? 0;
  return pairs <= MAX_EQUAL_PAIRS;
}
