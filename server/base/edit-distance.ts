/** Returns the edit distance of two texts: how many letters to change, add or remove. */
export function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1)
      next.push(
        Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)),
      );
    row = next;
  }
  return row[b.length]!;
}

/** Words longer than this are not compared. */
const LONGEST_WORD = 40;

/** Returns the edit distance of two words, as a share of the longer one. */
export function wordDistance(left: string, right: string): number {
  const longest = Math.max(left.length, right.length);
  if (longest === 0) return 0;
  return longest > LONGEST_WORD ? 1 : distance(left, right) / longest;
}
