import type { TimeGrain } from '@tiding/client/model';
import { chartTexts } from '../../../text/results/charts.ts';

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

const DAY_MS = 86_400_000;
/** Minimum distance of two ticks, in ms: a month has no ticks between its days. */
export const tickDistance = {
  time: 0,
  day: DAY_MS,
  week: 7 * DAY_MS,
  month: 28 * DAY_MS,
  quarter: 90 * DAY_MS,
  year: 365 * DAY_MS,
} as const satisfies Record<TimeGrain, number>;
