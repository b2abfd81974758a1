/**
 * Returns the smallest single replacement that turns one text into another; null if they are equal.
 */
export function changedRange(
  from: string,
  to: string,
): { readonly from: number; readonly to: number; readonly insert: string } | null {
  if (from === to) return null;
  const shorter = Math.min(from.length, to.length);
  let start = 0;
  while (start < shorter && from.charCodeAt(start) === to.charCodeAt(start)) start++;
  let end = 0;
  while (
    end < shorter - start &&
    from.charCodeAt(from.length - 1 - end) === to.charCodeAt(to.length - 1 - end)
  )
    end++;
  return { from: start, to: from.length - end, insert: to.slice(start, to.length - end) };
}
