/** Periods of dates, for the time axis of a chart. Dates are taken as written, without a zone. */
import type { CellSource } from './packed-columns.ts';
import type { Pivot } from './pivot.ts';
import type { Cell } from './table.ts';

/** Lengths of periods, shortest first. */
export const dateGrains = ['day', 'week', 'month', 'quarter', 'year'] as const;
/** Length of a period. */
export type DateGrain = (typeof dateGrains)[number];

/** Longer axes get no missing periods: they would not be readable. */
const MAX_PERIODS = 5_000;

const DATE = /^\s*(\d{4})-(\d\d)-(\d\d)(?:[T ]|\s*$)/;
const two = (number: number): string => String(number).padStart(2, '0');

/** First day of a period, in UTC ms, from its name. */
function startOf(period: string, grain: DateGrain): number {
  const [year, rest = '1', day = '1'] = period.split(/-| Q/);
  const month = grain === 'quarter' ? Number(rest) * 3 - 2 : Number(rest);
  return Date.UTC(Number(year), month - 1, Number(day));
}

function nameOf(date: Date, grain: DateGrain): string {
  const year = String(date.getUTCFullYear()).padStart(4, '0');
  const month = date.getUTCMonth();
  if (grain === 'year') return year;
  if (grain === 'quarter') return `${year} Q${Math.floor(month / 3) + 1}`;
  if (grain === 'month') return `${year}-${two(month + 1)}`;
  return `${year}-${two(month + 1)}-${two(date.getUTCDate())}`;
}

/**
 * Returns the period of a date: `2024-01-31`, the Monday of its week, `2024-01`, `2024 Q1` or
 * `2024`. Returns `undefined` for a cell that doesn't start with a date.
 *
 * @example
 * periodOf('2024-05-17 10:00:00', 'quarter'); // '2024 Q2'
 */
export function periodOf(cell: Cell | null | undefined, grain: DateGrain): string | undefined {
  const found = typeof cell === 'string' ? DATE.exec(cell) : null;
  if (!found) return undefined;
  const [year, month, day] = [Number(found[1]), Number(found[2]) - 1, Number(found[3])];
  const date = new Date(Date.UTC(year, month, day));
  // `2024-02-30` is no date.
  if (date.getUTCMonth() !== month || date.getUTCDate() !== day) return undefined;
  if (grain === 'week') date.setUTCDate(day - ((date.getUTCDay() + 6) % 7));
  return nameOf(date, grain);
}

/** Returns the period after another. */
export function nextPeriod(period: string, grain: DateGrain): string {
  const date = new Date(startOf(period, grain));
  if (grain === 'day' || grain === 'week')
    date.setUTCDate(date.getUTCDate() + (grain === 'day' ? 1 : 7));
  else {
    const months = { month: 1, quarter: 3, year: 12 }[grain];
    date.setUTCMonth(date.getUTCMonth() + months);
  }
  return nameOf(date, grain);
}

/** Returns cells whose dates in one column are replaced by their periods. */
export function cellsInPeriods(source: CellSource, index: number, grain: DateGrain): CellSource {
  const known = new Map<Cell | undefined, Cell | undefined>();
  return {
    length: source.length,
    cell(row, column) {
      const cell = source.cell(row, column);
      if (column !== index) return cell;
      if (!known.has(cell)) known.set(cell, periodOf(cell, grain) ?? cell);
      return known.get(cell);
    },
  };
}

/**
 * Sorts the points of a pivot by their periods and adds the missing ones, with the value `fill`. A
 * pivot with keys that are no periods is returned as it is.
 */
export function withMissingPeriods(made: Pivot, grain: DateGrain, fill: 0 | null): Pivot {
  const names = made.x.map(String);
  const valid = { day: 10, week: 10, month: 7, quarter: 7, year: 4 }[grain];
  if (names.length === 0 || names.some((name) => name.length !== valid || !/^\d{4}/.test(name)))
    return made;
  const at = new Map(names.map((name, point) => [name, point]));
  const sorted = [...names].sort();
  const last = sorted.at(-1)!;
  const periods: string[] = [];
  for (let period = sorted[0]!; period <= last; period = nextPeriod(period, grain)) {
    if (periods.push(period) > MAX_PERIODS) return made;
  }
  return {
    ...made,
    x: periods,
    keys: periods.map((period) => made.keys[at.get(period) ?? -1] ?? [period]),
    series: made.series.map((series) => ({
      ...series,
      values: periods.map((period) => {
        const point = at.get(period);
        return point === undefined ? fill : (series.values[point] ?? null);
      }),
    })),
  };
}
