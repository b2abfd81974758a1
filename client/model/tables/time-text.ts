/** Texts of dates, times and timestamps, as the SQL engine writes them. */
import { isUtc, zoneOffsetMinutes } from '../rows/time-zone.ts';

const pad = (value: bigint | number, width = 2): string => String(value).padStart(width, '0');

/**
 * Formats a time of day. Trailing zeros of the fraction are omitted.
 *
 * @param digits fractional digits of a second that the unit of `value` has: 0, 3, 6 or 9
 */
export function arrowTimeText(value: bigint, digits: number): string {
  const unit = 10n ** BigInt(digits);
  const seconds = value / unit;
  const fraction = digits === 0 ? '' : pad(value % unit, digits).replace(/0+$/, '');
  return (
    `${pad(seconds / 3_600n)}:${pad((seconds / 60n) % 60n)}` +
    `:${pad(seconds % 60n)}${fraction && `.${fraction}`}`
  );
}

/** SQL engines store infinite dates as the largest number of days, in both directions. */
export const INFINITE_DAYS = 2 ** 31 - 1;

/**
 * Formats a date, given in days since 1970-01-01. Years before Christ end in ` (BC)`; later ones
 * have at least four digits.
 */
export function arrowDateText(days: number): string {
  if (days >= INFINITE_DAYS) return 'infinity';
  if (days <= -INFINITE_DAYS) return '-infinity';
  // Hinnant's `civil_from_days`, because JavaScript's dates end in the year 275760.
  const fromMarch = days + 719_468;
  const era = Math.floor(fromMarch / 146_097);
  const dayOfEra = fromMarch - era * 146_097;
  const leapDays =
    Math.floor(dayOfEra / 1_460) - Math.floor(dayOfEra / 36_524) + Math.floor(dayOfEra / 146_096);
  const yearOfEra = Math.floor((dayOfEra - leapDays) / 365);
  const dayOfYear =
    dayOfEra - 365 * yearOfEra - Math.floor(yearOfEra / 4) + Math.floor(yearOfEra / 100);
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1;
  const month = monthFromMarch + (monthFromMarch < 10 ? 3 : -9);
  const year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0);
  const date = (years: number): string => `${pad(years, 4)}-${pad(month)}-${pad(day)}`;
  return year > 0 ? date(year) : `${date(1 - year)} (BC)`;
}

/** `+05:30`, and `+00:09:21` before standard time. */
function offsetText(minutes: number): string {
  const seconds = Math.round(Math.abs(minutes) * 60);
  const rest = seconds % 60 === 0 ? '' : `:${pad(seconds % 60)}`;
  const sign = minutes < 0 ? '-' : '+';
  return `${sign}${pad(Math.floor(seconds / 3_600))}:${pad(Math.floor(seconds / 60) % 60)}${rest}`;
}

/** SQL engines store infinite timestamps as the largest number, in both directions. */
export const INFINITE_TIMESTAMP = 2n ** 63n - 1n;

/**
 * Formats a timestamp. One with a time zone is an instant: it is written in the zone, with the
 * offset, and in UTC with a `Z`.
 *
 * @param value time since 1970-01-01, in UTC if there is a zone
 * @param digits fractional digits of a second that the unit of `value` has: 0, 3, 6 or 9
 * @param zone name of the time zone or an offset, see {@link zoneOffsetMinutes}. Absent: `value` is
 * a wall-clock time
 * @param separator text between date and time
 *
 * @example
 * arrowTimestampText(1_704_036_600n, 0, 'Asia/Tokyo'); // 2024-01-01 00:30:00+09:00
 */
export function arrowTimestampText(
  value: bigint,
  digits: number,
  zone?: string | null,
  separator = ' ',
): string {
  if (value === INFINITE_TIMESTAMP || value === -INFINITE_TIMESTAMP)
    return value > 0n ? 'infinity' : '-infinity';
  const unit = 10n ** BigInt(digits);
  let local = value;
  let end = '';
  if (zone) {
    const minutes = zoneOffsetMinutes(zone, Number((value * 1_000n) / unit));
    local += BigInt(Math.round(minutes * 60)) * unit;
    end = isUtc(zone) ? 'Z' : offsetText(minutes);
  }
  const day = 86_400n * unit;
  const rest = ((local % day) + day) % day;
  const date = arrowDateText(Number((local - rest) / day));
  return `${date}${separator}${arrowTimeText(rest, digits)}${end}`;
}
