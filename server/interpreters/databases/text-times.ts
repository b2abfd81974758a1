/** Reads dates and times that a database sends as text. */

const DAY_MICROSECONDS = 86_400_000_000n;

/**
 * PostgreSQL writes the era at the end, DuckDB in parentheses after the date. Infinite dates and
 * years with more digits have no number that every reader of a file takes for the same date.
 */
const datePattern = /^(\d{4,5})-(\d\d)-(\d\d)( BC| \(BC\))?$/;
const timePattern = /^(\d\d):(\d\d):(\d\d)(?:\.(\d{1,6}))?$/;
const timestampPattern = new RegExp(
  /^(\d{4,5}-\d\d-\d\d(?: \(BC\))?)[ T](\d\d:\d\d:\d\d(?:\.\d{1,6})?)/.source +
    /(?:([+-])(\d\d)(?::?(\d\d))?(?::(\d\d))?)?( BC)?$/.source,
);

/** Days since 1970-01-01 in the proleptic Gregorian calendar, as in Hinnant's `days_from_civil`. */
export function daysOf(text: string): number | undefined {
  const [, yearText, monthText, dayText, beforeChrist] = datePattern.exec(text) ?? [];
  const [month, day] = [Number(monthText), Number(dayText)];
  if (yearText === undefined || month === 0 || day === 0) return undefined;
  const year = (beforeChrist ? 1 - Number(yearText) : Number(yearText)) - (month <= 2 ? 1 : 0);
  const era = Math.floor(year / 400);
  const yearOfEra = year - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra =
    yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

/** Microseconds since midnight. */
export function timeOf(text: string): bigint | undefined {
  const [, hours, minutes, seconds, fraction = ''] = timePattern.exec(text) ?? [];
  if (hours === undefined) return undefined;
  const whole = Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds);
  return BigInt(whole) * 1_000_000n + BigInt(fraction.padEnd(6, '0'));
}

/** Microseconds since 1970-01-01; with an offset, in UTC. */
export function timestampOf(text: string): bigint | undefined {
  const [, date, time, direction, hours = 0, minutes = 0, seconds = 0, era = ''] =
    timestampPattern.exec(text) ?? [];
  const days = date === undefined ? undefined : daysOf(date + era);
  const clock = time === undefined ? undefined : timeOf(time);
  if (days === undefined || clock === undefined) return undefined;
  const offset = Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds);
  const east = BigInt(direction === '-' ? -offset : offset) * 1_000_000n;
  return BigInt(days) * DAY_MICROSECONDS + clock - east;
}
