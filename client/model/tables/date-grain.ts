/** Periods of dates, for the time axis of a chart. Dates are taken as written, without a zone. */

import type { CellValue, RowColumn } from '../rows/typed-rows.ts';
import { utcTime } from '../text/date-parser.ts';

/** Lengths of periods, shortest first. */
export const dateGrains = ['day', 'week', 'month', 'quarter', 'year'] as const;
/** Length of a period. */
export type DateGrain = (typeof dateGrains)[number];
/** Precision of the points on a time axis; `time` if they are not all starts of periods. */
export type TimeGrain = DateGrain | 'time';

/** Longer axes get no missing periods: they would not be readable. */
const MAX_PERIODS = 5_000;
const DAY_MS = 86_400_000;
/** Fewer dates on the same weekday, or in the first month of a quarter, may be so by chance. */
const MIN_REPEATED = 3;

const DATE = /^\s*(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d(?:\.\d+)?))?\S*)?\s*$/;
const PERIOD = /^(\d{4})(?:-(\d\d)(?:-(\d\d))?| Q([1-4]))?$/;
const two = (number: number): string => String(number).padStart(2, '0');

/**
 * Returns the time that a text says, in ms since 1970 as if it were UTC; `undefined` for other
 * texts.
 *
 * @example
 * timeOf('2025-01-01T00:30:00+09:00') === Date.UTC(2025, 0, 1, 0, 30);
 */
export function timeOf(text: string): number | undefined {
  const found = DATE.exec(text);
  if (!found) return undefined;
  const [year, month, day, hour, minute, second] = found.slice(1).map((part) => Number(part ?? 0));
  const date = new Date(utcTime(year!, month! - 1, day!, hour!, minute!));
  // `2024-02-30` is no date.
  return date.getUTCMonth() === month! - 1 && date.getUTCDate() === day
    ? date.getTime() + second! * 1_000
    : undefined;
}

/** The years 1 to 9999, whose texts have four digits, in ms since 1970. */
const [FIRST_TIME, END_TIME] = [-62_135_596_800_000, 253_402_300_800_000];

/** The time of a date or timestamp in ms; `undefined` for values whose text says it. */
export function timeOfValue(value: CellValue, { kind, timezone }: RowColumn): number | undefined {
  const time =
    kind === 'date' && typeof value === 'number'
      ? value
      : kind === 'timestamp' && !timezone && typeof value === 'bigint'
        ? Number(value / 1_000_000n) + Number(value % 1_000_000n) / 1e6
        : Number.NaN;
  return time >= FIRST_TIME && time < END_TIME ? time : undefined;
}

/** Returns the first day of a period, in ms since 1970 UTC; `undefined` for other texts. */
export function startOf(period: string): number | undefined {
  const found = PERIOD.exec(period);
  if (!found) return undefined;
  const [, year, month = '1', day = '1', quarter] = found;
  return utcTime(
    Number(year),
    quarter === undefined ? Number(month) - 1 : Number(quarter) * 3 - 3,
    Number(day),
  );
}

/** Returns the name of the period that begins at a time. */
function nameOf(time: number, grain: DateGrain): string {
  const date = new Date(time);
  const year = String(date.getUTCFullYear()).padStart(4, '0');
  const month = date.getUTCMonth();
  if (grain === 'year') return year;
  if (grain === 'quarter') return `${year} Q${Math.floor(month / 3) + 1}`;
  if (grain === 'month') return `${year}-${two(month + 1)}`;
  return `${year}-${two(month + 1)}-${two(date.getUTCDate())}`;
}

/**
 * Returns the period of a date: `2024-01-31`, the Monday of its week, `2024-01`, `2024 Q1` or
 * `2024`. Returns `undefined` for a text that is no date.
 *
 * @example
 * periodOf('2024-05-17 10:00:00', 'quarter'); // '2024 Q2'
 */
export function periodOf(text: string, grain: DateGrain): string | undefined {
  const time = timeOf(text);
  if (time === undefined) return undefined;
  const weekday = (new Date(time).getUTCDay() + 6) % 7;
  return nameOf(grain === 'week' ? time - weekday * DAY_MS : time, grain);
}

/** Returns the start of the period after the one that starts at a time. */
function nextStart(time: number, grain: DateGrain): number {
  const date = new Date(time);
  if (grain === 'day' || grain === 'week') return time + (grain === 'day' ? 1 : 7) * DAY_MS;
  return date.setUTCMonth(date.getUTCMonth() + { month: 1, quarter: 3, year: 12 }[grain]);
}

/** Returns the longest period at whose start all of some times are. */
export function grainOf(times: readonly number[]): TimeGrain {
  if (times.some((time) => time % DAY_MS !== 0)) return 'time';
  if (times.length < 2) return 'day';
  const dates = times.map((time) => new Date(time));
  const repeated = times.length >= MIN_REPEATED;
  if (dates.every((date) => date.getUTCDate() === 1)) {
    const months = dates.map((date) => date.getUTCMonth());
    if (months.every((month) => month === 0)) return 'year';
    return repeated && months.every((month) => month % 3 === 0) ? 'quarter' : 'month';
  }
  return repeated && dates.every((date) => date.getUTCDay() === dates[0]!.getUTCDay())
    ? 'week'
    : 'day';
}

/**
 * Returns the periods between the first and the last of some sorted times, each with its name.
 * Returns `undefined` if they are too many, or if more are missing than present: then the times are
 * single events and nothing is missing. Weekends are not missing among working days.
 *
 * @param all whether the periods are wanted even if most are missing
 */
export function periodsBetween(
  times: readonly number[],
  grain: TimeGrain,
  all: boolean,
): { readonly time: number; readonly name: string }[] | undefined {
  if (grain === 'time' || times.length === 0) return undefined;
  const isWeekend = (time: number): boolean => [0, 6].includes(new Date(time).getUTCDay());
  const skipsWeekends = grain === 'day' && !all && !times.some(isWeekend);
  const last = times.at(-1)!;
  const periods = [];
  for (let time = times[0]!; time <= last; time = nextStart(time, grain)) {
    if (skipsWeekends && isWeekend(time)) continue;
    if (periods.push({ time, name: nameOf(time, grain) }) > MAX_PERIODS) return undefined;
  }
  return all || periods.length <= 2 * times.length ? periods : undefined;
}
