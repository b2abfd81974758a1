/** Dates of workbooks and databases. In Excel a date is a number whose cell has such a format. */

/** What a format of numbers shows. A duration, such as `[h]:mm`, is a number of days. */
export type DateFormat = 'date' | 'duration' | 'time' | 'timestamp';

const DAY_MS = 86_400_000;
/** Serial number of the day after 9999-12-31. */
const END = 2_958_466;
/** Excel has a 29 February 1900, so that earlier days are one day later. */
const LEAP_DAY = 60;

/** Formats that every workbook has, by id; see ECMA-376, part 1, 18.8.30. */
function builtIn(id: number): DateFormat | undefined {
  if ((id >= 14 && id <= 17) || (id >= 27 && id <= 31) || (id >= 50 && id <= 58)) return 'date';
  if ((id >= 18 && id <= 21) || id === 32 || id === 33 || id === 45 || id === 47) return 'time';
  if (id === 46) return 'duration';
  return id === 22 || (id >= 34 && id <= 36) ? 'timestamp' : undefined;
}

/** Returns what a format shows, by its id and its code in the workbook; undefined for numbers. */
export function dateFormatOf(id: number, code: string | undefined): DateFormat | undefined {
  if (code === undefined) return builtIn(id);
  const [first = ''] = code
    // Literals, padding and fill characters.
    .replace(/"[^"]*"|[\\_*]./g, '')
    .split(';');
  if (/\[(h+|m+|s+)\]/i.test(first)) return 'duration';
  const plain = first.replace(/\[[^\]]*\]/g, '').replace(/am\/pm|a\/p|general/gi, '');
  const hasTime = /[hs]/i.test(plain);
  const hasDate = /[yd]/i.test(plain) || (!hasTime && /m/i.test(plain));
  if (hasDate) return hasTime ? 'timestamp' : 'date';
  return hasTime ? 'time' : undefined;
}

/**
 * Converts a number of days to a date, time or timestamp as in ISO 8601. Undefined if Excel shows
 * no date for it.
 * @param from1904 whether days are counted from 1904-01-01
 */
export function excelDate(
  serial: number,
  format: DateFormat,
  from1904: boolean,
): { kind: DateFormat; text: string } | undefined {
  if (format === 'duration') return { kind: format, text: durationText(serial) };
  if (!(serial >= 0 && serial < END)) return undefined;
  const base = from1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, serial < LEAP_DAY ? 31 : 30);
  const text = plainTime(base + Math.round(serial * DAY_MS));
  if (format === 'time' && serial < 1) return { kind: 'time', text: text.slice(11) };
  if (format === 'date' && Number.isInteger(serial))
    return { kind: 'date', text: text.slice(0, 10) };
  return { kind: 'timestamp', text };
}

/** A time without a zone, with milliseconds only if there are some. */
const plainTime = (ms: number): string =>
  new Date(ms)
    .toISOString()
    .slice(0, -1)
    .replace('T', ' ')
    .replace(/\.000$/, '');

/** Writes a number of days in hours, minutes and seconds. */
function durationText(days: number): string {
  const ms = Math.round(Math.abs(days) * DAY_MS);
  const hours = String(Math.floor(ms / 3_600_000)).padStart(2, '0');
  return `${days < 0 ? '-' : ''}${hours}${plainTime(ms % 3_600_000).slice(13)}`;
}

const ISO = /^(\d{4}-\d\d-\d\d)(?:[ T]((?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,6})?)?))?$/;

/** Returns whether a text is a date or timestamp as in ISO 8601, without a zone. */
export function isoKindOf(text: string): 'date' | 'timestamp' | undefined {
  const [, date, time] = ISO.exec(text) ?? [];
  // The 31st of February becomes the 2nd of March.
  if (date === undefined || !isDay(date)) return undefined;
  return time === undefined ? 'date' : 'timestamp';
}

function isDay(date: string): boolean {
  const time = Date.parse(`${date}T00:00:00Z`);
  return Number.isFinite(time) && new Date(time).toISOString().startsWith(date);
}
