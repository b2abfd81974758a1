/** Texts of dates, times and timestamps, as the SQL engine writes them. */

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
const INFINITE_DAYS = 2 ** 31 - 1;

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

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

const isUtc = (zone: string): boolean => /^(?:etc\/)?(?:utc|gmt|z|uct|zulu|universal)$/i.test(zone);

/** What is known of a time zone. Reading a clock is slow, so offsets are kept by the day. */
interface Zone {
  readonly clock: Intl.DateTimeFormat | undefined;
  /** Offsets in minutes; NaN on a day on which the clocks change. */
  readonly offsets: Map<number, number>;
}
const zones = new Map<string, Zone>();
const MAX_KNOWN_DAYS = 50_000;

function zoneOf(name: string): Zone {
  let zone = zones.get(name);
  if (zone) return zone;
  let clock: Intl.DateTimeFormat | undefined;
  try {
    clock = new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      era: 'short',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
    });
  } catch {
    // A file may name a zone that this computer doesn't know. UTC shows the same instant.
  }
  zone = { clock, offsets: new Map() };
  zones.set(name, zone);
  return zone;
}

/** Reads the clock of a zone. */
function offsetAt(clock: Intl.DateTimeFormat, epochMs: number): number {
  const second = Math.floor(epochMs / 1_000) * 1_000;
  if (Number.isNaN(new Date(second).getTime())) return 0;
  const parts = clock.formatToParts(second).map(({ type, value }) => [type, value] as const);
  const { era, year, month, day, hour, minute, second: seconds } = Object.fromEntries(parts);
  const local = new Date(0);
  local.setUTCFullYear(
    era === 'BC' ? 1 - Number(year) : Number(year),
    Number(month) - 1,
    Number(day),
  );
  local.setUTCHours(Number(hour), Number(minute), Number(seconds));
  return (local.getTime() - second) / MINUTE_MS;
}

/**
 * Returns how far the clocks of a time zone are ahead of UTC at an instant, in minutes. Before
 * standard time, it may have a fraction.
 *
 * @param zone a name such as `Asia/Tokyo`, or an offset such as `+05:30`. The offset of an unknown
 * name is 0.
 * @param epochMs milliseconds since 1970-01-01 00:00 in UTC
 */
export function zoneOffsetMinutes(zone: string, epochMs: number): number {
  const [, sign, hours, minutes] = /^([+-])(\d\d):?(\d\d)$/.exec(zone) ?? [];
  if (sign) return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
  if (isUtc(zone)) return 0;
  const { clock, offsets } = zoneOf(zone);
  if (!clock) return 0;
  const day = Math.floor(epochMs / DAY_MS);
  let offset = offsets.get(day);
  if (offset === undefined) {
    const [start, end] = [offsetAt(clock, day * DAY_MS), offsetAt(clock, (day + 1) * DAY_MS)];
    offset = start === end ? start : Number.NaN;
    if (offsets.size >= MAX_KNOWN_DAYS) offsets.clear();
    offsets.set(day, offset);
  }
  return Number.isNaN(offset) ? offsetAt(clock, epochMs) : offset;
}

/** `+05:30`, and `+00:09:21` before standard time. */
function offsetText(minutes: number): string {
  const seconds = Math.round(Math.abs(minutes) * 60);
  const rest = seconds % 60 === 0 ? '' : `:${pad(seconds % 60)}`;
  const sign = minutes < 0 ? '-' : '+';
  return `${sign}${pad(Math.floor(seconds / 3_600))}:${pad(Math.floor(seconds / 60) % 60)}${rest}`;
}

/** SQL engines store infinite timestamps as the largest number, in both directions. */
const INFINITE_TIMESTAMP = 2n ** 63n - 1n;

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
  return (
    `${arrowDateText(Number((local - rest) / day))}` +
    `${separator}${arrowTimeText(rest, digits)}${end}`
  );
}
