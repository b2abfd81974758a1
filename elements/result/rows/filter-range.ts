/** The values that a filter on numbers or dates keeps, in the page and on the server. */
import { parseDate, type RowColumn, wallClockMs } from '@tiding/client/model';
import type { ColumnFilter } from './arrangement.ts';

type Value = number | bigint;

/** Values between two bounds. */
export interface FilterRange {
  readonly from?: Value;
  readonly to?: Value;
  readonly fromOpen?: boolean | undefined;
  readonly toOpen?: boolean | undefined;
}

/** The values of a column that are equal to a typed one: none if the last is before the first. */
interface Span<Bound = Value> {
  readonly from: Bound;
  readonly to: Bound;
  readonly toOpen?: boolean;
}

/** Order of numbers in SQL: NaN is the greatest. */
const isLess = (one: Value, other: Value): boolean =>
  one < other || (Number.isNaN(other) && !Number.isNaN(one));

/** Compiles a range to a test. */
export function rangeTest({ from, to, fromOpen, toOpen }: FilterRange): (value: Value) => boolean {
  return (value) =>
    (from === undefined || (fromOpen ? isLess(from, value) : !isLess(value, from))) &&
    (to === undefined || (toOpen ? isLess(value, to) : !isLess(to, value)));
}

/**
 * Returns the range that a filter keeps, decimals without their point, dates in ms as the column
 * shows them. Returns `undefined` for an invalid term, which matches no row.
 */
export function rangeOf(
  { operator, term, to = '' }: ColumnFilter,
  as: 'number' | 'date',
  column: RowColumn,
): FilterRange | undefined {
  const [first, last] = [term, to].map((text) =>
    as === 'date' ? dateSpan(text, column.timezone) : numberSpan(text, column),
  );
  if (operator === 'between') {
    if ((!first && term.trim() !== '') || (!last && to.trim() !== '')) return undefined;
    return {
      ...(first && { from: first.from }),
      ...(last && { to: last.to, toOpen: last.toOpen }),
    };
  }
  if (!first || operator === 'equal') return first;
  return operator === 'less'
    ? { to: first.from, toOpen: true }
    : { from: first.to, fromOpen: !first.toOpen };
}

/** Marks between the digits of a number in the user's locale. */
let marks: { group: string; decimal: string } | undefined;
function numberMarks(): { group: string; decimal: string } {
  const parts = new Intl.NumberFormat().formatToParts(-12345.6);
  const mark = (wanted: string) => parts.find(({ type }) => type === wanted)?.value;
  return { group: mark('group') ?? ',', decimal: mark('decimal') ?? '.' };
}

/**
 * Normalizes a number typed in the user's locale to the spelling of the data, because cells are
 * displayed with grouping and a typographic minus sign.
 */
export function numberSpelling(text: string): string {
  const { group, decimal } = (marks ??= numberMarks());
  return text
    .trim()
    .toLowerCase()
    .replaceAll(group, '')
    .replaceAll(decimal, '.')
    .replace('\u2212', '-');
}

/** Spells a number of the data as users type it; reverses {@link numberSpelling}. */
export const typedNumber = (text: string): string =>
  text.replace('.', (marks ??= numberMarks()).decimal);

/** Reads the word for an infinite number or time. */
function infinity(text: string): number | undefined {
  const [, sign] = /^([+-]?)inf(?:inity)?$/i.exec(text.trim()) ?? [];
  return sign === undefined ? undefined : Number(`${sign}Infinity`);
}

/**
 * Parses a typed number; `undefined` for other texts. In columns of whole numbers and decimals no
 * digit is lost.
 */
export function numberSpan(
  text: string,
  { kind, scale = 0, single }: Partial<RowColumn> = {},
): Span | undefined {
  const spelled = numberSpelling(text);
  const value = infinity(spelled) ?? Number(spelled);
  if (spelled === '' || (Number.isNaN(value) && spelled !== 'nan')) return undefined;
  if ((kind === 'integer' || kind === 'decimal') && Number.isFinite(value))
    return exactSpan(spelled, scale);
  // Texts may be numbers of any size. A column of single precision has its own 0.1.
  const own =
    kind !== 'float' && /^[+-]?\d+$/.test(spelled) && !Number.isSafeInteger(value)
      ? BigInt(spelled.replace('+', ''))
      : single
        ? Math.fround(value)
        : value;
  return { from: own, to: own };
}

/** The value of a number as a whole one, after moving the point by `scale`; none for 12.5. */
function exactSpan(text: string, scale: number): Span {
  const [, sign, whole = '', part = ''] = /^([+-]?)(\d*)\.?(\d*)$/.exec(text) ?? [];
  if (sign === undefined) {
    const value = Number(text) * 10 ** scale;
    return { from: BigInt(Math.ceil(value)), to: BigInt(Math.floor(value)) };
  }
  const size = BigInt(whole + part.slice(0, scale).padEnd(scale, '0'));
  const isExact = !/[1-9]/.test(part.slice(scale));
  if (sign === '-') return { from: -size, to: isExact ? -size : -size - 1n };
  return { from: isExact ? size : size + 1n, to: size };
}

const partialTime = /(?:[T ](\d\d?)(?::(\d\d)(?::(\d\d)(?:\.(\d{1,3})\d*)?)?)?)?/.source;
/** Year, month, day, hour, minute, second and millisecond; all but the year are optional. */
const partialDate = new RegExp(
  `^(\\d{4,7})(?:-(\\d\\d?)(?:-(\\d\\d?)${partialTime})?)?\\s*Z?$`,
  'i',
);

/** Lengths of a day, an hour, a minute, a second and a millisecond. */
const PART_MS = [86_400_000, 3_600_000, 60_000, 1_000, 1];
const BEFORE_CHRIST = / \(BC\)/i;
/** A time with its offset from UTC. */
const OFFSET = /^(.+:\d\d(?:\.\d+)?) ?(?:Z|([+-])(\d\d)(?::?(\d\d))?(?::(\d\d))?)$/i;

/**
 * Parses a full or partial date to the half-open range it covers, in ms: `2024` is a whole year,
 * `2024-05-01` a day.
 */
export function dateSpan(text: string, zone = 'UTC'): Span<number> | undefined {
  const infinite = infinity(text);
  if (infinite !== undefined) return { from: infinite, to: infinite };
  const [, local, sign, ...offset] = OFFSET.exec(text.trim()) ?? [];
  const instant = local === undefined ? undefined : dateSpan(local);
  if (instant) {
    const [hours = 0, minutes = 0, seconds = 0] = offset.map((part) => Number(part ?? 0));
    const ahead = ((hours * 60 + minutes) * 60 + seconds) * (sign === '-' ? -1_000 : 1_000);
    const from = wallClockMs(zone, instant.from - ahead);
    return { from, to: from + instant.to - instant.from, toOpen: true };
  }
  const parts = partialDate.exec(text.trim().replace(BEFORE_CHRIST, ''));
  if (!parts) {
    const at = parseDate(text.trim(), { utc: true })?.getTime();
    return at === undefined ? undefined : { from: at, to: at + 1, toOpen: true };
  }
  const [year, month, day, hour, minute, second, fraction] = parts
    .slice(1)
    .map((part) => (part === undefined ? undefined : Number(part)));
  const from = new Date(0);
  from.setUTCFullYear(BEFORE_CHRIST.test(text) ? 1 - year! : year!, (month ?? 1) - 1, day ?? 1);
  from.setUTCHours(
    hour ?? 0,
    minute ?? 0,
    second ?? 0,
    fraction === undefined ? 0 : Number(String(parts[7]).padEnd(3, '0')),
  );
  const to = new Date(from);
  if (month === undefined) to.setUTCFullYear(to.getUTCFullYear() + 1);
  else if (day === undefined) to.setUTCMonth(to.getUTCMonth() + 1);
  else {
    const given = [hour, minute, second, fraction].filter((part) => part !== undefined).length;
    to.setTime(from.getTime() + PART_MS[given]!);
  }
  return { from: from.getTime(), to: to.getTime(), toOpen: true };
}
