import { parseDate } from 'tiding/model';
import { TypeId } from './arrow-values.ts';
import { isAbsent, type RowSource, type Value } from './row-source.ts';
import { numberOf, type ReadAs } from './sort-keys.ts';
import { plainText } from './value-text.ts';

/** How a filter judges a value. */
export const operators = [
  'contains',
  'equal',
  'less',
  'greater',
  'between',
  'true',
  'false',
  'null',
  'notNull',
] as const;
export type Operator = (typeof operators)[number];

/** What a column's values must be. */
export interface Filter {
  readonly operator: Operator;
  /** As the reader wrote it. */
  readonly term: string;
  /** Other end of `between`. */
  readonly to?: string | undefined;
}

/** The operators that make sense for a column, the usual one first. */
export function operatorsOf(boolean: boolean, as: ReadAs): readonly Operator[] {
  if (boolean) return ['contains', 'true', 'false', 'null', 'notNull'];
  return as === 'string'
    ? ['contains', 'equal', 'null', 'notNull']
    : ['contains', 'equal', 'less', 'greater', 'between', 'null', 'notNull'];
}

/** Whether an operator has something written beside it. */
export const takesTerm = (operator: Operator): boolean =>
  operator === 'contains' ||
  operator === 'equal' ||
  operator === 'less' ||
  operator === 'greater' ||
  operator === 'between';

/** Whether a filter lets everything through: nothing is written yet. */
export const isIdle = ({ operator, term, to = '' }: Filter): boolean =>
  takesTerm(operator) && term.trim() === '' && (operator !== 'between' || to.trim() === '');

/** Rows looked at between two pauses. */
const step = 8192;
/** Of bytes and nested values so much is searched. */
const searchedLength = 65_536;

const groups = new Intl.NumberFormat().formatToParts(-12345.6);
const separator = groups.find(({ type }) => type === 'group')?.value ?? ',';
const decimal = groups.find(({ type }) => type === 'decimal')?.value ?? '.';

/** A number as people write it, in the spelling of the data: grouped digits and a minus sign are shown. */
export const numberSpelling = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replaceAll(separator, '')
    .replaceAll(decimal, '.')
    .replace('\u2212', '-');

/** A bound of a number filter; whole numbers exactly, whatever their size. */
function bound(text: string): number | bigint | undefined {
  const spelled = numberSpelling(text);
  if (/^[+-]?\d+$/.test(spelled)) return BigInt(spelled.replace(/^\+/, ''));
  const value = spelled === '' ? Number.NaN : Number(spelled);
  return Number.isNaN(value) ? undefined : value;
}

/** Milliseconds of a date that is written, from its first to behind its last: `2024` is a year, `2024-05-01` a day. */
function dateSpan(text: string): { from: number; to: number } | undefined {
  const parts =
    /^(\d{4})(?:-(\d\d?)(?:-(\d\d?)(?:[T ](\d\d?)(?::(\d\d)(?::(\d\d)(?:\.(\d{1,3}))?)?)?)?)?)?\s*Z?$/i.exec(
      text.trim(),
    );
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

/** What a filter of numbers or dates asks; null for what is written wrong, which nothing passes. */
function comparison({ operator, term, to = '' }: Filter, as: ReadAs): Test | null {
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
  const [first, last] = [bound(term), bound(to)];
  if (operator === 'between') {
    if ((first === undefined && term.trim() !== '') || (last === undefined && to.trim() !== ''))
      return null;
    return (value) =>
      (first === undefined || value >= first) && (last === undefined || value <= last);
  }
  if (first === undefined) return null;
  // eslint-disable-next-line eqeqeq -- a bigint and a number of the same value are equal only so
  return operator === 'equal'
    ? (value) => value == first
    : operator === 'less'
      ? (value) => value < first
      : (value) => value > first;
}

/** The rows of a list that pass all filters, in their order; with pauses. */
export function* filterRows(
  source: RowSource,
  rows: Uint32Array,
  filters: ReadonlyMap<number, Filter>,
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

/** The test of one row. Rows are asked for mostly in their order. */
export function rowTest(
  source: RowSource,
  column: number,
  filter: Filter,
  as: ReadAs,
): (row: number) => boolean {
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
  const numeric = numberOf(source, column, as);
  return (row) => {
    const value = source.value(row, column);
    const number = isAbsent(source, value) ? undefined : numeric(value);
    return number !== undefined && test(number);
  };
}

/** Finds the piece a row is in; asked in order, nearly always the last one found. */
function locate(source: RowSource, column: number) {
  const chunks = source.chunks!(column);
  let current = chunks[0]!;
  return (row: number) => {
    if (row >= current.start && row < current.start + current.data.length) return current;
    let low = 0;
    let high = chunks.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (chunks[middle]!.start <= row) low = middle;
      else high = middle - 1;
    }
    return (current = chunks[low]!);
  };
}

/** Numbers straight from memory, for types where that is all there is to it. */
function memoryReader(
  source: RowSource,
  column: number,
  as: ReadAs,
): ((row: number) => number | bigint | null) | null {
  const type = source.chunks?.(column)[0]?.data.type;
  const id = type?.typeId as number | undefined;
  const half =
    source.chunks?.(column)[0]?.data.values instanceof Uint16Array && id === TypeId.Float;
  if (as !== 'number' || half || (id !== TypeId.Int && id !== TypeId.Float)) return null;
  const find = locate(source, column);
  return (row) => {
    const { start, data } = find(row);
    return data.nullCount > 0 && !data.getValid(row - start)
      ? null
      : (data.values as Float64Array)[row - start]!;
  };
}

/** Whether a text contains another, case aside; looked for in the bytes where they are text and the wanted is ASCII. */
export function containsTest(
  source: RowSource,
  column: number,
  term: string,
  as: ReadAs,
): (row: number) => boolean {
  const wanted = as === 'number' ? numberSpelling(term) : term.trim().toLowerCase();
  if (wanted === '') return () => true;
  const id = source.chunks?.(column)[0]?.data.type.typeId as number | undefined;
  if ((id === TypeId.Utf8 || id === TypeId.LargeUtf8) && /^[\x20-\x7e]*$/.test(wanted)) {
    const find = locate(source, column);
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

function textOf(source: RowSource, column: number, value: Value): string {
  return isAbsent(source, value)
    ? ''
    : plainText(value, source.columns[column]!, searchedLength).toLowerCase();
}

/** Searches lower-case ASCII among bytes of either case. */
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
