import type { TimeGrain } from '@tiding/client/model';
import { chartTexts } from './texts.ts';

const date = { day: 'numeric', month: 'short', year: 'numeric' } as const;
const clock = { ...date, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
const formats = {
  day: date,
  week: date,
  month: { month: 'short', year: 'numeric' },
  year: { year: 'numeric' },
  time: clock,
  second: { ...clock, second: '2-digit' },
} as const;
const made = new Map<string, Intl.DateTimeFormat>();

/** Formats a point on a time axis: `Jan 2025` for a month, the time of day only if it matters. */
export function formatTime(ms: number, grain: TimeGrain): string {
  const time = new Date(ms);
  if (grain === 'quarter')
    return chartTexts.quarter(Math.floor(time.getUTCMonth() / 3) + 1, time.getUTCFullYear());
  const name = grain === 'time' && ms % 60_000 !== 0 ? 'second' : grain;
  let format = made.get(name);
  if (!format)
    made.set(
      name,
      (format = new Intl.DateTimeFormat(undefined, { ...formats[name], timeZone: 'UTC' })),
    );
  return format.format(time);
}

/** A day, in ms. */
export const DAY_MS = 86_400_000;
/** The precision of a single time. */
export const timeGrain = (ms: number) => (ms % DAY_MS === 0 ? 'day' : 'time');
/** Minimum distance of two ticks, in ms: a month has no ticks between its days. */
export const tickDistance = {
  time: 0,
  day: DAY_MS,
  week: 7 * DAY_MS,
  month: 28 * DAY_MS,
  quarter: 90 * DAY_MS,
  year: 365 * DAY_MS,
} as const satisfies Record<TimeGrain, number>;

/**
 * The points of a time axis that have a label: the first and the last one, and others that are as
 * evenly spaced as possible. `undefined` if the points are not evenly spaced themselves.
 *
 * @param most maximum number of labels
 */
export function labelledTimes(x: readonly number[], most: number): readonly number[] | undefined {
  const last = x.length - 1;
  const first = x[1]! - x[0]!;
  // Months and quarters have different lengths.
  const isEven = (time: number, at: number): boolean =>
    at === 0 || Math.abs((time - x[at - 1]!) / first - 1) < 0.2;
  if (last < 1 || !x.every(isEven)) return undefined;
  const shortest = Math.ceil(last / Math.max(1, most - 1));
  const unevenness = (step: number): number => Math.min(last % step, step - (last % step)) / step;
  let step = shortest;
  for (let longer = step + 1; longer <= Math.min(1.5 * shortest, last); longer += 1)
    if (unevenness(longer) < unevenness(step)) step = longer;
  const labelled = x.filter((_, at) => at % step === 0);
  const rest = last % step;
  if (rest === 0) return labelled;
  return [...labelled.slice(0, rest * 2 < step ? -1 : undefined), x[last]!];
}
