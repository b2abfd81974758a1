/** The order of histories. */
import { parseDate } from '../model/date.ts';
import type { Time } from './shapes.ts';

/** ISO 8601 in UTC, of days that every month has: what nearly all payloads have, and the platform reads many times faster. */
const plain =
  /^[12]\d{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{3})?Z$/;

/** A moment of a payload in milliseconds since 1970; undefined where there is none or it cannot be read. */
export function timeOf(value: Time | undefined): number | undefined {
  if (typeof value === 'string' && plain.test(value)) return Date.parse(value);
  return parseDate(value, { utc: true })?.getTime();
}

/** Items that are ordered in one go. */
const RUN = 2_000;

/** Orders items as `sort` does, a copy, piece by piece: each step is short however many there are. Equal ones keep their order. */
export function* sortSteps<Item>(
  items: readonly Item[],
  compare: (a: Item, b: Item) => number,
): Generator<undefined, Item[], void> {
  let runs: Item[][] = [];
  for (let from = 0; from < items.length; from += RUN) {
    runs.push(items.slice(from, from + RUN).sort(compare));
    yield;
  }
  while (runs.length > 1) {
    const next: Item[][] = [];
    for (let at = 0; at < runs.length; at += 2) {
      const [left, right = []] = [runs[at]!, runs[at + 1]];
      const merged: Item[] = [];
      for (let [i, j] = [0, 0]; i < left.length || j < right.length; ) {
        merged.push(
          j >= right.length || (i < left.length && compare(left[i]!, right[j]!) <= 0)
            ? left[i++]!
            : right[j++]!,
        );
        if (merged.length % RUN === 0) yield;
      }
      next.push(merged);
    }
    runs = next;
  }
  return runs[0] ?? [];
}

/** The newest first; what has no time is last, and keeps its order. */
export function newestFirst<Item>(
  items: readonly Item[],
  timeIn: (item: Item) => Time | undefined,
): Item[] {
  return items
    .map((item) => ({ item, at: timeOf(timeIn(item)) ?? Number.NEGATIVE_INFINITY }))
    .sort((a, b) => (a.at === b.at ? 0 : b.at > a.at ? 1 : -1))
    .map(({ item }) => item);
}
