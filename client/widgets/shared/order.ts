/** Parses the times of payloads and sorts lists without blocking the page. */
import { parseDate } from '../../model/text/date-parser.ts';
import type { PayloadTime } from './shared-schemas.ts';

const isoDate = /[12]\d{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])/.source;
const isoTime = /(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{3})?/.source;
/**
 * Matches ISO 8601 times in UTC on days 1 to 28, which exist in every month. Nearly all payloads
 * use this format, and `Date.parse` reads it many times faster than `parseDate`.
 */
const isoUtcTime = new RegExp(`^${isoDate}T${isoTime}Z$`);

/**
 * Parses a time of a payload. Returns ms since 1970, or `undefined` if the time is missing or
 * invalid.
 */
export function timeOf(value: PayloadTime | undefined): number | undefined {
  if (typeof value === 'string' && isoUtcTime.test(value)) return Date.parse(value);
  return parseDate(value, { utc: true })?.getTime();
}

export { mergeSort as sortSteps } from '../../model/rows/merge-sort.ts';

/** Sorts items newest first. Items without a time come last, in their original order. */
export function newestFirst<Item>(
  items: readonly Item[],
  timeIn: (item: Item) => PayloadTime | undefined,
): Item[] {
  return items
    .map((item) => ({ item, time: timeOf(timeIn(item)) ?? Number.NEGATIVE_INFINITY }))
    .sort((a, b) => (a.time === b.time ? 0 : b.time > a.time ? 1 : -1))
    .map(({ item }) => item);
}
