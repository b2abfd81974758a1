import { wordMap } from './word-map.ts';

/** How dates without a time zone are read, and in which time zone dates are written. */
export interface ZoneOption {
  /** Uses UTC instead of the platform's time zone. Default: false. */
  readonly utc?: boolean;
}

/** Year, month (0–11), day, hour, minute, second, millisecond. */
type Fields = readonly [number, number, number, number, number, number, number];

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const monthOf = (name: string): number => MONTHS.indexOf(name.toLowerCase());

/**
 * Time zone names that a JVM prints, in minutes east of UTC. Ambiguous names have the meaning of
 * RFC 5322 or of Java.
 */
const ZONES = wordMap([
  [-480, 'PST'],
  [-420, 'PDT MST'],
  [-360, 'MDT CST'],
  [-300, 'CDT EST'],
  [-240, 'EDT'],
  [0, 'UTC GMT Z WET'],
  [60, 'WEST BST CET'],
  [120, 'CEST EET'],
  [180, 'EEST MSK'],
  [330, 'IST'],
  [540, 'JST KST'],
]);

/**
 * `2026-11-21T07:01:50+0000` (live channel), ISO 8601, `2026-11-21 07:19:04.448` (storage), or a
 * date alone.
 */
const ISO =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?)? ?(Z|[+-]\d\d:?\d\d)?$/i;
/**
 * `Nov 21, 2026, 6:58:54 AM` (JDK 9 and later), `Nov 21, 2026 6:58:54 AM` (JDK 8), `Nov 21, 2026
 * 18:58:54` (imports).
 */
const ENGLISH = /^([a-z]{3}) (\d{1,2}), (\d{4}),? (\d{1,2}):(\d\d):(\d\d)(?: ([ap])m)?$/i;
/** `Sat Nov 21 06:58:48 UTC 2026` (job status). */
const JAVA = /^[a-z]{3} ([a-z]{3}) (\d{1,2}) (\d\d):(\d\d):(\d\d) (\S+) (\d{4})$/i;

function zoneMinutes(zone: string | undefined): number | undefined {
  if (zone === undefined) return undefined;
  const offset = /^(?:GMT|UTC)?([+-])(\d\d):?(\d\d)$/i.exec(zone);
  if (!offset) return ZONES.get(zone.toUpperCase());
  const minutes = Number(offset[2]) * 60 + Number(offset[3]);
  return offset[1] === '-' ? -minutes : minutes;
}

/**
 * Returns a time in ms since 1970 UTC; months count from 0. `Date.UTC` takes the years 0 to 99 for
 * 1900 to 1999.
 */
export function utcTime(
  ...[year, month = 0, day = 1, hour = 0, minute = 0, second = 0, ms = 0]: readonly number[]
): number {
  const date = new Date(0);
  date.setUTCFullYear(year!, month, day);
  return date.setUTCHours(hour, minute, second, ms);
}

/** Returns the date, or `undefined` if there is no such day or time. */
function moment(fields: Fields, zone: number | undefined, utc: boolean): Date | undefined {
  const [year, month, day, hour, minute, second, ms] = fields;
  const inUtc = new Date(utcTime(...fields));
  const exists =
    inUtc.getUTCMonth() === month &&
    inUtc.getUTCDate() === day &&
    hour < 24 &&
    minute < 60 &&
    second < 60;
  if (!exists) return undefined;
  if (zone !== undefined) return new Date(inUtc.getTime() - zone * 60_000);
  if (utc) return inUtc;
  const local = new Date(0);
  local.setFullYear(year, month, day);
  local.setHours(hour, minute, second, ms);
  return local;
}

function milliseconds(fraction: string | undefined): number {
  return Number((fraction ?? '').slice(0, 3).padEnd(3, '0'));
}

function hour24(hour: number, half: string | undefined): number {
  if (half === undefined) return hour;
  if (hour < 1 || hour > 12) return Number.NaN;
  return (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
}

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/**
 * Whether a text is a valid date that starts with `yyyy-MM-dd`. Gives the same answer as
 * `parseDate`, but is faster for whole columns.
 */
export function isDateText(value: string): boolean {
  const [, year, month, day, hour = '0', minute = '0', second = '0'] =
    ISO.exec(value) ?? ISO.exec(value.replace(/[\u00a0\u202f]/g, ' ').trim()) ?? [];
  if (year === undefined) return false;
  const [y, m, d] = [Number(year), Number(month), Number(day)];
  const leap = m === 2 && y % 4 === 0 && (y % 100 !== 0 || y % 400 === 0) ? 1 : 0;
  return (
    d >= 1 &&
    d <= (DAYS[m - 1] ?? 0) + leap &&
    Number(hour) < 24 &&
    Number(minute) < 60 &&
    Number(second) < 60
  );
}

/**
 * Parses a date in any format that servers of this family use: live channel, ISO 8601, JDK 8 and 9
 * `MMM d, yyyy h:mm:ss a` (with any kind of space before AM), `Date.toString()`, storage and import
 * formats, and milliseconds since 1970 as a number or as digits.
 *
 * A text without a time zone is read as local time, or as UTC with `utc`. Such texts are in the
 * server's time zone, which servers don't send. Returns `undefined` for an absent value, an unknown
 * format or a day that does not exist.
 */
export function parseDate(
  value: string | number | undefined,
  { utc = false }: ZoneOption = {},
): Date | undefined {
  if (typeof value === 'number')
    return Number.isNaN(new Date(value).getTime()) ? undefined : new Date(value);
  if (value === undefined) return undefined;
  // JDK 20 and later write a narrow no-break space before AM and PM.
  const text = value.replace(/[\u00a0\u202f]/g, ' ').trim();

  const iso = ISO.exec(text);
  if (iso) {
    const [, year, month, day, hour = '0', minute = '0', second = '0', fraction, zone] = iso;
    const clock = [Number(hour), Number(minute), Number(second), milliseconds(fraction)] as const;
    const date = [Number(year), Number(month) - 1, Number(day)] as const;
    return moment([...date, ...clock], zoneMinutes(zone), utc);
  }
  const english = ENGLISH.exec(text);
  if (english) {
    const [, month = '', day, year, hour, minute, second, half] = english;
    const clock = [hour24(Number(hour), half), Number(minute), Number(second), 0] as const;
    const date = [Number(year), monthOf(month), Number(day)] as const;
    return moment([...date, ...clock], undefined, utc);
  }
  const java = JAVA.exec(text);
  if (java) {
    const [, month = '', day, hour, minute, second, zone, year] = java;
    const clock = [Number(hour), Number(minute), Number(second), 0] as const;
    const date = [Number(year), monthOf(month), Number(day)] as const;
    return moment([...date, ...clock], zoneMinutes(zone), utc);
  }
  return /^\d{9,16}$/.test(text) ? parseDate(Number(text)) : undefined;
}
