import {
  ArrowTypeId,
  type CellValue,
  chunkFinder,
  isAbsent,
  parseDate,
  plainText,
  wallClockMs,
} from '@tiding/client/model';
import { type ColumnFilter, isIdle, type RowFilter, type RowFilters } from './arrangement.ts';
import type { ReadAs, RowSource } from './row-source.ts';
import { numberReader } from './sort-keys.ts';

/** Rows processed between two yields. */
const step = 8192;
/** Characters of binary and nested values that are searched. */
const searchedLength = 65_536;

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

/** Parses a bound of a number filter. Integers become bigint so that no digit is lost. */
export function numberBound(text: string): number | bigint | undefined {
  const spelled = numberSpelling(text);
  if (/^[+-]?\d+$/.test(spelled)) return BigInt(spelled.replace(/^\+/, ''));
  const value = spelled === '' ? Number.NaN : Number(spelled);
  return Number.isNaN(value) ? undefined : value;
}

const partialTime = /(?:[T ](\d\d?)(?::(\d\d)(?::(\d\d)(?:\.(\d{1,3}))?)?)?)?/.source;
/** Year, month, day, hour, minute, second and millisecond; all but the year are optional. */
const partialDate = new RegExp(`^(\\d{4})(?:-(\\d\\d?)(?:-(\\d\\d?)${partialTime})?)?\\s*Z?$`, 'i');

/**
 * Parses a full or partial date to the half-open range it covers, in ms: `2024` is a whole year,
 * `2024-05-01` a day.
 */
export function dateSpan(text: string): { from: number; to: number } | undefined {
  const parts = partialDate.exec(text.trim());
  if (!parts) {
    const at = parseDate(text.trim(), { utc: true })?.getTime();
    return at === undefined ? undefined : { from: at, to: at + 1 };
  }
  const [year, month, day, hour, minute, second, fraction] = parts
    .slice(1)
    .map((part) => (part === undefined ? undefined : Number(part)));
  const from = new Date(0);
  from.setUTCFullYear(year!, (month ?? 1) - 1, day ?? 1);
  from.setUTCHours(
    hour ?? 0,
    minute ?? 0,
    second ?? 0,
    fraction === undefined ? 0 : Number(String(parts[7]).padEnd(3, '0')),
  );
  const to = new Date(from);
  if (month === undefined) to.setUTCFullYear(to.getUTCFullYear() + 1);
  else if (day === undefined) to.setUTCMonth(to.getUTCMonth() + 1);
  else
    to.setTime(
      from.getTime() +
        (hour === undefined
          ? 86_400_000
          : minute === undefined
            ? 3_600_000
            : second === undefined
              ? 60_000
              : fraction === undefined
                ? 1000
                : 1),
    );
  return { from: from.getTime(), to: to.getTime() };
}

type Test = (value: number | bigint) => boolean;

/**
 * Compiles a filter on numbers or dates. Returns null for an invalid term, which matches no row.
 */
function comparison({ operator, term, to = '' }: ColumnFilter, as: ReadAs): Test | null {
  if (as === 'date') {
    const [first, last] = [dateSpan(term), dateSpan(to)];
    if (operator === 'between')
      return (first || term.trim() === '') && (last || to.trim() === '')
        ? (value) => (!first || value >= first.from) && (!last || value < last.to)
        : null;
    if (!first) return null;
    return operator === 'equal'
      ? (value) => value >= first.from && value < first.to
      : operator === 'less'
        ? (value) => value < first.from
        : (value) => value >= first.to;
  }
  const [first, last] = [numberBound(term), numberBound(to)];
  if (operator === 'between') {
    if ((first === undefined && term.trim() !== '') || (last === undefined && to.trim() !== ''))
      return null;
    return (value) =>
      (first === undefined || value >= first) && (last === undefined || value <= last);
  }
  if (first === undefined) return null;
  return operator === 'equal'
    ? // biome-ignore lint/suspicious/noDoubleEquals: a bigint is never === a number
      (value) => value == first
    : operator === 'less'
      ? (value) => value < first
      : (value) => value > first;
}

/** Returns the rows that pass all filters, in their original order; yields regularly. */
export function* filterRows(
  source: RowSource,
  rows: Uint32Array,
  filters: RowFilters,
  typeOf: (column: number) => ReadAs,
): Generator<void, Uint32Array> {
  let kept = rows;
  for (const [column, filter] of filters) {
    if (isIdle(filter) || !source.columns[column]) continue;
    const test = rowTest(source, column, filter, typeOf(column));
    const next = new Uint32Array(kept.length);
    let count = 0;
    for (let at = 0; at < kept.length; at++) {
      if (at % step === 0) yield;
      const row = kept[at]!;
      if (test(row)) next[count++] = row;
    }
    kept = next.subarray(0, count);
  }
  return kept.length === rows.length ? rows : kept.slice();
}

/** Compiles a filter to a test of one row. Fastest if rows are tested in ascending order. */
export function rowTest(
  source: RowSource,
  column: number,
  filter: RowFilter,
  as: ReadAs,
): (row: number) => boolean {
  if (filter.operator === 'oneOf') return oneOfTest(source, column, filter.values, as);
  const { operator } = filter;
  if (operator === 'null' || operator === 'notNull')
    return (row) => isAbsent(source, source.value(row, column, 1)) === (operator === 'null');
  if (operator === 'true' || operator === 'false')
    return (row) => source.value(row, column) === (operator === 'true');
  if (operator === 'contains') return containsTest(source, column, filter.term, as);
  if (as === 'string') {
    const wanted = filter.term.trim().toLowerCase();
    return (row) => {
      const value = source.value(row, column);
      return (
        !isAbsent(source, value) &&
        plainText(value, source.columns[column]!, searchedLength).toLowerCase() === wanted
      );
    };
  }
  const test = comparison(filter, as);
  if (!test) return () => false;
  const fast = memoryReader(source, column, as);
  if (fast) {
    return (row) => {
      const value = fast(row);
      return value !== null && test(value);
    };
  }
  const numeric = numberReader(source, column, as);
  const { timezone } = source.columns[column]!;
  return (row) => {
    const value = source.value(row, column);
    const number = isAbsent(source, value) ? undefined : numeric(value);
    if (number === undefined) return false;
    // Dates are typed as the column shows them.
    return test(timezone && as === 'date' ? wallClockMs(timezone, Number(number)) : number);
  };
}

/** Returns a test for rows with one of the values. Texts must be the same, in the same case. */
function oneOfTest(
  source: RowSource,
  column: number,
  values: readonly (string | null)[],
  as: ReadAs,
): (row: number) => boolean {
  const texts = new Set(values.filter((value) => value !== null));
  const missing = values.includes(null);
  const tests =
    as === 'string'
      ? []
      : [...texts].map((term) => {
          const filter = { operator: 'between', term, to: term } as const;
          return isIdle(filter) ? () => false : rowTest(source, column, filter, as);
        });
  return (row) => {
    const value = source.value(row, column);
    if (isAbsent(source, value)) return missing;
    return as === 'string'
      ? texts.has(plainText(value, source.columns[column]!, searchedLength))
      : tests.some((test) => test(row));
  };
}

/**
 * Returns a reader that takes numbers straight from the column's buffer, or null for types that
 * need decoding.
 */
function memoryReader(
  source: RowSource,
  column: number,
  as: ReadAs,
): ((row: number) => number | bigint | null) | null {
  const type = source.chunks?.(column)[0]?.data.type;
  const id = type?.typeId as number | undefined;
  const half =
    source.chunks?.(column)[0]?.data.values instanceof Uint16Array && id === ArrowTypeId.Float;
  if (as !== 'number' || half || (id !== ArrowTypeId.Int && id !== ArrowTypeId.Float)) return null;
  const find = chunkFinder(source.chunks!(column));
  return (row) => {
    const { start, data } = find(row);
    return data.nullCount > 0 && !data.getValid(row - start)
      ? null
      : (data.values as Float64Array)[row - start]!;
  };
}

/**
 * Returns a test for rows whose text contains `term`, ignoring case. ASCII terms in text columns
 * are searched in the UTF-8 bytes, without decoding.
 */
export function containsTest(
  source: RowSource,
  column: number,
  term: string,
  as: ReadAs,
): (row: number) => boolean {
  const wanted = as === 'number' ? numberSpelling(term) : term.trim().toLowerCase();
  if (wanted === '') return () => true;
  const id = source.chunks?.(column)[0]?.data.type.typeId as number | undefined;
  if ((id === ArrowTypeId.Utf8 || id === ArrowTypeId.LargeUtf8) && /^[\x20-\x7e]*$/.test(wanted)) {
    const find = chunkFinder(source.chunks!(column));
    const bytes = new TextEncoder().encode(wanted);
    return (row) => {
      const { start, data } = find(row);
      if (data.nullCount > 0 && !data.getValid(row - start)) return false;
      const values = data.values as Uint8Array;
      return hasBytes(
        values,
        Number(data.valueOffsets[row - start]),
        Number(data.valueOffsets[row - start + 1]),
        bytes,
      );
    };
  }
  return (row) => textOf(source, column, source.value(row, column)).includes(wanted);
}

function textOf(source: RowSource, column: number, value: CellValue): string {
  return isAbsent(source, value)
    ? ''
    : plainText(value, source.columns[column]!, searchedLength).toLowerCase();
}

/** Case-insensitive search for a lower-case ASCII needle. */
function hasBytes(values: Uint8Array, from: number, to: number, wanted: Uint8Array): boolean {
  const first = wanted[0]!;
  const last = to - wanted.length;
  for (let at = from; at <= last; at++) {
    let byte = values[at]!;
    if (byte >= 65 && byte <= 90) byte += 32;
    if (byte !== first) continue;
    let same = 1;
    for (; same < wanted.length; same++) {
      let other = values[at + same]!;
      if (other >= 65 && other <= 90) other += 32;
      if (other !== wanted[same]) break;
    }
    if (same === wanted.length) return true;
  }
  return false;
}
