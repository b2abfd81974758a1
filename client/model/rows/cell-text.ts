import {
  arrowBinaryText,
  decimalText,
  doubleText,
  singlePrecisionText,
} from '../tables/arrow-text.ts';
import type { Cell } from '../tables/table.ts';
import { arrowDateText, arrowTimestampText, arrowTimeText } from '../tables/time-text.ts';
import type { CellValue, RowColumn, TypedRows } from './typed-rows.ts';

const DAY_MS = 86_400_000;

/**
 * Returns the exact, unrounded text of a value, by which it is searched, filtered and sorted. A
 * missing value is empty. Bytes are hex digits, whose order is that of the bytes.
 *
 * @param limit characters after which the text of bytes and nested values may be cut off
 */
export function plainText(value: CellValue, column: RowColumn, limit = Infinity): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'bigint') {
    if (column.kind === 'timestamp') {
      const { digits = 0, timezone } = column;
      // Timestamps are read in nanoseconds, whatever their unit is.
      return arrowTimestampText(value / 10n ** BigInt(9 - digits), digits, timezone);
    }
    return column.kind === 'decimal' ? decimalText(value, column.scale ?? 0) : String(value);
  }
  if (typeof value === 'number') {
    if (column.kind === 'date') return arrowDateText(Math.floor(value / DAY_MS));
    if (column.kind === 'time') return arrowTimeText(BigInt(value), 9);
    return column.single ? singlePrecisionText(value) : doubleText(value);
  }
  return value instanceof Uint8Array
    ? hexText(value, limit / 2)
    : typeof value === 'object'
      ? value.text(limit)
      : String(value);
}

/** Formats the first `limit` bytes as hex digits. */
export function hexText(bytes: Uint8Array, limit = Infinity): string {
  let text = '';
  for (let at = 0; at < Math.min(bytes.length, limit); at++)
    text += bytes[at]!.toString(16).padStart(2, '0');
  return text;
}

/**
 * Returns the exact text of a value for copies and exported files; the same text as in files
 * exported by the server.
 */
export const exactText = (value: CellValue, column: RowColumn): string =>
  value instanceof Uint8Array ? arrowBinaryText(value) : plainText(value, column);

/** Returns the exact text of a cell, or the source's text for missing values. */
export function cellText(source: TypedRows, row: number, column: number): string {
  const value = source.value(row, column);
  return value === null ? source.nullText : exactText(value, source.columns[column]!);
}

/** Returns a number if a double has all digits of the text, otherwise the text. */
export function asCell(text: string): Cell {
  const number = Number(text);
  const digits = /^-?\d+\.\d*$/.test(text) ? text.replace(/\.?0+$/, '') : text;
  return Number.isFinite(number) && String(number) === digits ? number : text;
}
