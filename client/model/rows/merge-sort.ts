/** Sorts items as `sort` does, and yields regularly. */
export function* mergeSort<T>(
  items: readonly T[],
  compare: (a: T, b: T) => number,
): Generator<undefined, T[], void> {
  const run = 512;
  let from: T[] = [];
  for (let at = 0; at < items.length; at += run) {
    from.push(...items.slice(at, at + run).sort(compare));
    yield;
  }
  for (let width = run; width < items.length; width *= 2) {
    const to: T[] = [];
    for (let start = 0; start < from.length; start += 2 * width) {
      let [left, right] = [start, Math.min(from.length, start + width)];
      const [middle, end] = [right, Math.min(from.length, start + 2 * width)];
      while (left < middle || right < end) {
        if (to.length % 1024 === 0) yield;
        to.push(
          right >= end || (left < middle && compare(from[left]!, from[right]!) <= 0)
            ? from[left++]!
            : from[right++]!,
        );
      }
    }
    from = to;
  }
  return from;
}
