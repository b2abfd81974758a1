import type { ZoneOption } from './date-parser.ts';

/** English names of the months. */
export const MONTHS =
  'January February March April May June July August September October November December'.split(
    ' ',
  );
const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const TOKEN = /\[([^\]]*)\]|YYYY|YY|MMMM|MMM|MM|M|Do|DD|D|dddd|ddd|HH|H|hh|h|mm|m|ss|s|SSS|A|a/g;

const two = (value: number): string => String(value).padStart(2, '0');

/** Shifts a date so that the UTC getters return local fields: one set of getters serves both. */
const localAsUtc = (date: Date): Date =>
  new Date(date.getTime() - date.getTimezoneOffset() * 60_000);

function ordinal(day: number): string {
  const teen = day % 100 > 10 && day % 100 < 14;
  const ending = teen ? 'th' : (['th', 'st', 'nd', 'rd'][day % 10] ?? 'th');
  return `${day}${ending}`;
}

/**
 * Formats a date by a pattern. Tokens: `YYYY YY MMMM MMM MM M Do DD D dddd ddd HH H hh h mm m ss s
 * SSS A a`; text in brackets and all other characters are copied. These are the tokens of the
 * patterns in the specification (`MMMM Do YYYY, h:mm a`, `MMMM DD YYYY, h:mm:ss A`,
 * `_YYYYMMDD_HHmmss`, …) and of the chart setting that users type. Names are in English.
 *
 * Uses local time by default, UTC with `utc`. Throws `RangeError` for an invalid date.
 *
 * @example
 * formatDate(new Date(), 'YYYY-MM-DD [at] HH:mm');
 */
export function formatDate(date: Date, pattern: string, { utc = false }: ZoneOption = {}): string {
  if (Number.isNaN(date.getTime())) throw new RangeError("Can't format an invalid date.");
  const shown = utc ? date : localAsUtc(date);
  const year = String(shown.getUTCFullYear()).padStart(4, '0');
  const month = shown.getUTCMonth();
  const monthName = MONTHS[month] ?? '';
  const dayName = DAYS[shown.getUTCDay()] ?? '';
  const day = shown.getUTCDate();
  const hour = shown.getUTCHours();
  const half = hour % 12 || 12;
  const minute = shown.getUTCMinutes();
  const second = shown.getUTCSeconds();
  const values = new Map<string, string>([
    ['YYYY', year],
    ['YY', year.slice(-2)],
    ['MMMM', monthName],
    ['MMM', monthName.slice(0, 3)],
    ['MM', two(month + 1)],
    ['M', String(month + 1)],
    ['Do', ordinal(day)],
    ['DD', two(day)],
    ['D', String(day)],
    ['dddd', dayName],
    ['ddd', dayName.slice(0, 3)],
    ['HH', two(hour)],
    ['H', String(hour)],
    ['hh', two(half)],
    ['h', String(half)],
    ['mm', two(minute)],
    ['m', String(minute)],
    ['ss', two(second)],
    ['s', String(second)],
    ['SSS', String(shown.getUTCMilliseconds()).padStart(3, '0')],
    ['A', hour < 12 ? 'AM' : 'PM'],
    ['a', hour < 12 ? 'am' : 'pm'],
  ]);
  return pattern.replace(
    TOKEN,
    (token: string, literal: string | undefined) => literal ?? values.get(token) ?? token,
  );
}

/**
 * Formats a date as `yyyy-MM-ddTHH:mm:ss+0000`, as the live channel does (Zeppelin 0.8.2). Throws
 * `RangeError` for an invalid date.
 */
export function formatWireDate(date: Date): string {
  // A fast path, because a server formats hundreds of thousands of these.
  if (isCommon(date)) return `${date.toISOString().slice(0, 19)}+0000`;
  return formatDate(date, 'YYYY-MM-DD[T]HH:mm:ss[+0000]', { utc: true });
}

/**
 * Formats a date as `yyyy-MM-dd HH:mm:ss.SSS`, as in stored and exported notes (Zeppelin 0.8.2).
 * The format has no time zone: local time by default, UTC with `utc`. Throws `RangeError` for an
 * invalid date.
 */
export function formatStorageDate(date: Date, options: ZoneOption = {}): string {
  if (!isCommon(date)) return formatDate(date, 'YYYY-MM-DD HH:mm:ss.SSS', options);
  const text = (options.utc ? date : localAsUtc(date)).toISOString();
  return `${text.slice(0, 10)} ${text.slice(11, 23)}`;
}

/**
 * Whether the year has four digits in every time zone, so that `toISOString` gives the same result
 * as the pattern.
 */
function isCommon(date: Date): boolean {
  const year = date.getUTCFullYear();
  return year > 0 && year < 9_999;
}
