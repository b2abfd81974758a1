/** Arranges the counts of a profile in the slots of their charts. Pure functions. */
import { MONTHS } from '../../model/text/date-format.ts';
import type { Counts, FieldProfile } from '../profiles.ts';

/** Unit of a time chart, in display order. */
export type TimeUnit =
  | 'dayOfYear'
  | 'year'
  | 'month'
  | 'dayOfMonth'
  | 'dayOfWeek'
  | 'hourOfDay'
  | 'minuteOfHour';
/** One slot of a chart. */
export interface CountSlot {
  /**
   * Key of the slot: `--02-29`, `2024`, `1` to `12`, `1` to `31`, `1` (Monday) to `7`, `0` to `23`,
   * or `0` to `59`. For top values, the value as text.
   */
  readonly key: string;
  /** Frequency. 0 if the profile has no count for the slot. */
  readonly count: number;
}
/** A time chart. */
export interface TimeCounts {
  /** All slots, in order. */
  readonly slots: readonly CountSlot[];
  /** Sum of the counts whose value is not a valid day, month, … */
  readonly unplaced: number;
}

/** All time charts, and where a profile has their counts. */
export const timeUnits: readonly (readonly [
  unit: TimeUnit,
  of: (profile: FieldProfile) => Counts | undefined,
])[] = [
  ['dayOfYear', (profile) => profile.countByDayOfYear],
  ['year', (profile) => profile.countByYear],
  ['month', (profile) => profile.countByMonth],
  ['dayOfMonth', (profile) => profile.countByDayOfMonth],
  ['dayOfWeek', (profile) => profile.countByDayOfWeek],
  ['hourOfDay', (profile) => profile.countByHourOfDay],
  ['minuteOfHour', (profile) => profile.countByMinuteOfHour],
];

const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
/** Includes 29 February. */
const MONTH_DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const two = (number: number): string => String(number).padStart(2, '0');
const numbers = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, at) => String(from + at));
const daysOfYear = MONTH_DAYS.flatMap((days, month) =>
  Array.from({ length: days }, (_, day) => `--${two(month + 1)}-${two(day + 1)}`),
);
/** Years that SQL dates can have. The limit prevents millions of slots for an invalid value. */
const [FIRST_YEAR, LAST_YEAR] = [1, 9999];
const places: Readonly<Record<Exclude<TimeUnit, 'year'>, readonly string[]>> = {
  dayOfYear: daysOfYear,
  month: numbers(1, 12),
  dayOfMonth: numbers(1, 31),
  dayOfWeek: numbers(1, 7),
  hourOfDay: numbers(0, 23),
  minuteOfHour: numbers(0, 59),
};

type Value = string | number | boolean | null | undefined;
/** Lists values with their counts. Counts that are not positive numbers are omitted. */
function countEntries(
  counts: Counts | undefined,
): readonly (readonly [value: Value, count: number])[] {
  if (!counts) return [];
  const all: (readonly [Value, number | undefined])[] = Array.isArray(counts)
    ? (counts as Extract<Counts, readonly unknown[]>).map(
        ({ value, count }) => [value, count] as const,
      )
    : Object.entries(counts as Readonly<Record<string, number>>);
  return all.flatMap(([value, count]) =>
    count !== undefined && Number.isFinite(count) && count > 0 ? [[value, count] as const] : [],
  );
}

/**
 * The number, from 1, of a name. At least the first three letters are required. Case is ignored.
 */
function named(names: readonly string[], text: string): string | undefined {
  const at =
    text.length < 3
      ? -1
      : names.findIndex((name) => name.toLowerCase().startsWith(text.toLowerCase()));
  return at < 0 ? undefined : String(at + 1);
}

/** The slot key of a value. Undefined if the value does not fit the unit. */
function keyOf(unit: TimeUnit, value: Value): string | undefined {
  const text = typeof value === 'number' || typeof value === 'string' ? String(value).trim() : '';
  if (unit === 'dayOfYear') {
    const found = /^(?:--)?(\d{1,2})-(\d{1,2})$/.exec(text);
    return found ? `--${two(Number(found[1]))}-${two(Number(found[2]))}` : undefined;
  }
  if (/^\d{1,4}(\.0+)?$/.test(text)) return String(Number(text));
  return unit === 'month'
    ? named(MONTHS, text)
    : unit === 'dayOfWeek'
      ? named(DAYS, text)
      : undefined;
}

/**
 * The slots of a time chart: 366 days (always with 29 February), years from the first to the last,
 * 12 months, 31 days, 7 weekdays from Monday, 24 hours or 60 minutes. Months and weekdays may be
 * numbers or English names. Counts of duplicate values are added up. Undefined if the profile has
 * no counts for the unit.
 */
export function timeCounts(unit: TimeUnit, counts: Counts | undefined): TimeCounts | undefined {
  const said =
    counts === undefined ? 0 : Array.isArray(counts) ? counts.length : Object.keys(counts).length;
  if (said === 0) return undefined;
  const byKey = new Map<string, number>();
  let unplaced = 0;
  const known = unit === 'year' ? undefined : new Set(places[unit]);
  for (const [value, count] of countEntries(counts)) {
    const key = keyOf(unit, value);
    const fits =
      key !== undefined &&
      (known ? known.has(key) : Number(key) >= FIRST_YEAR && Number(key) <= LAST_YEAR);
    if (fits) byKey.set(key, (byKey.get(key) ?? 0) + count);
    else unplaced += count;
  }
  const keys = unit === 'year' ? yearsOf([...byKey.keys()].map(Number)) : places[unit];
  return { slots: keys.map((key) => ({ key, count: byKey.get(key) ?? 0 })), unplaced };
}

/** All years from the first to the last. */
const yearsOf = (years: readonly number[]): string[] =>
  years.length === 0
    ? []
    : numbers(
        years.reduce((a, b) => Math.min(a, b)),
        years.reduce((a, b) => Math.max(a, b)),
      );

/** The most frequent values, and the number of other rows. */
export interface TopValues {
  /** Most frequent value first. */
  readonly values: readonly CountSlot[];
  /** Number of rows with another value. 0 if unknown. */
  readonly other: number;
  /** Number of rows without a value. */
  readonly nulls: number;
}

/**
 * The chart of the most frequent values. `other` is the number of rows that are neither listed nor
 * null (specification). Undefined if there are no values.
 */
export function topValues(
  { topValues: counts, nullCount = 0 }: Pick<FieldProfile, 'topValues' | 'nullCount'>,
  rowCount: number | undefined,
): TopValues | undefined {
  // Nulls are counted separately.
  const values = countEntries(counts)
    .flatMap(([value, count]) =>
      value === null || value === undefined ? [] : [{ key: String(value), count }],
    )
    .sort((a, b) => b.count - a.count);
  const nulls = Math.max(0, nullCount);
  const shown = values.reduce((sum, { count }) => sum + count, 0);
  const other = Math.max(0, (rowCount ?? 0) - nulls - shown);
  return values.length === 0 ? undefined : { values, other, nulls };
}

/** Maximum number of bars in a sparkline. */
export const SPARK_BARS = 30;

/**
 * Summarises the values of a field as a few numbers: its distribution, its times, or its most
 * frequent values. Empty if nothing is known.
 */
export function sparkline(profile: FieldProfile): readonly number[] {
  const bins =
    profile.numericalProfile?.histogram.map(({ count }) => Math.max(0, count ?? 0)) ?? [];
  if (bins.some((count) => count > 0)) return gathered(bins);
  for (const unit of [
    'hourOfDay',
    'month',
    'dayOfYear',
    'year',
    'dayOfWeek',
    'dayOfMonth',
    'minuteOfHour',
  ] as const) {
    const found = timeCounts(unit, timeUnits.find(([name]) => name === unit)![1](profile));
    if (found?.slots.some(({ count }) => count > 0))
      return gathered(found.slots.map(({ count }) => count));
  }
  return countEntries(profile.topValues)
    .map(([, count]) => count)
    .sort((a, b) => b - a)
    .slice(0, SPARK_BARS);
}

/** Merges neighbouring bars until at most {@link SPARK_BARS} are left. */
function gathered(counts: readonly number[]): readonly number[] {
  if (counts.length <= SPARK_BARS) return counts;
  const sums = new Array<number>(SPARK_BARS).fill(0);
  counts.forEach((count, at) => (sums[Math.floor((at * SPARK_BARS) / counts.length)]! += count));
  return sums;
}
