/** Counts of a profile, laid out in the places that their charts have. Pure. */
import type { Counts, FieldProfile } from './profiles.ts';

/** A chart of times, in the order in which they are shown. */
export type TimeUnit =
  | 'dayOfYear'
  | 'year'
  | 'month'
  | 'dayOfMonth'
  | 'dayOfWeek'
  | 'hourOfDay'
  | 'minuteOfHour';
/** One place of a chart. */
export interface CountSlot {
  /** `--02-29`, `2024`, `1` to `12`, `1` to `31`, `1` (Monday) to `7`, `0` to `23`, `0` to `59`; of values the text of the value. */
  readonly key: string;
  /** 0 where the profile says nothing of it. */
  readonly count: number;
}
/** A chart of times. */
export interface TimeCounts {
  /** Every place, in order. */
  readonly slots: readonly CountSlot[];
  /** Counts of what is no day, month… and so has no place. */
  readonly unplaced: number;
}

/** All charts of times, and where a profile has their counts. */
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

const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];
const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
/** 29 February is one of them. */
const MONTH_DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const two = (number: number): string => String(number).padStart(2, '0');
const numbers = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, at) => String(from + at));
const daysOfYear = MONTH_DAYS.flatMap((days, month) =>
  Array.from({ length: days }, (_, day) => `--${two(month + 1)}-${two(day + 1)}`),
);
/** Years that dates of SQL can have: a text that is none must not make a million places. */
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
/** The values with their counts, of a list or a map; what is no count above zero is left out. */
export function countEntries(
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

/** A name in full, or its first three letters at least, whatever the case; from 1. */
function named(names: readonly string[], text: string): string | undefined {
  const at = text.length < 3 ? -1 : names.findIndex((name) => name.startsWith(text.toLowerCase()));
  return at < 0 ? undefined : String(at + 1);
}

/** The key of a value; undefined where it is none of the unit's. */
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
 * The places of a chart, those without a count at 0: 366 days (29 February always), the years from the first to the last, 12 months,
 * 31 days, 7 weekdays from Monday, 24 hours, 60 minutes. Months and weekdays are read as numbers or English names, a value that is there twice
 * counts twice. Undefined: the profile has no counts of them.
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

/** Without a gap from the first to the last. */
const yearsOf = (years: readonly number[]): string[] =>
  years.length === 0
    ? []
    : numbers(
        years.reduce((a, b) => Math.min(a, b)),
        years.reduce((a, b) => Math.max(a, b)),
      );

/** The values that are there most often, and what is left beside them. */
export interface TopValues {
  /** The most frequent first. */
  readonly values: readonly CountSlot[];
  /** Rows with another value; 0 where that is not known. */
  readonly other: number;
  /** Rows without a value. */
  readonly nulls: number;
}

/** The chart of the top values: `other` is what of the rows is neither among them nor null (specification). Undefined: nothing is above zero. */
export function topValues(
  { topValues: counts, nullCount = 0 }: Pick<FieldProfile, 'topValues' | 'nullCount'>,
  rowCount: number | undefined,
): TopValues | undefined {
  // Null has its own entry.
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

/** Bars of a sparkline at most. */
export const SPARK_BARS = 30;

/** The shape of a field's values in a few numbers: its distribution, when its moments are, or its top values. Empty: nothing is known of it. */
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

/** As many bars as fit, each the sum of its neighbours. */
function gathered(counts: readonly number[]): readonly number[] {
  if (counts.length <= SPARK_BARS) return counts;
  const sums = new Array<number>(SPARK_BARS).fill(0);
  counts.forEach((count, at) => (sums[Math.floor((at * SPARK_BARS) / counts.length)]! += count));
  return sums;
}
