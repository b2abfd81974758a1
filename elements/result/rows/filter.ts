import {
  ArrowTypeId,
  type CellValue,
  chunkFinder,
  isAbsent,
  plainText,
  wallClockMs,
} from '@tiding/client/model';
import { isIdle, type RowFilter, type RowFilters } from './arrangement.ts';
import { numberSpelling, rangeOf, rangeTest } from './filter-range.ts';
import type { ReadAs, RowSource } from './row-source.ts';
import { numberReader } from './sort-keys.ts';

/** Rows processed between two yields. */
const step = 8192;
/** Characters of binary and nested values that are searched. */
const searchedLength = 65_536;

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
  const range = rangeOf(filter, as, source.columns[column]!);
  if (!range) return () => false;
  const test = rangeTest(range);
  const fast = memoryReader(source, column, as);
  if (fast) {
    return (row) => {
      const value = fast(row);
      return value !== null && test(value);
    };
  }
  const { kind, timezone } = source.columns[column]!;
  // Decimals are compared with all digits.
  const numeric =
    kind === 'decimal' ? (value: CellValue) => value as bigint : numberReader(source, column, as);
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
