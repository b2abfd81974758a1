import { isDateText } from '../text/date-parser.ts';
import type { Cell, TableData } from './table.ts';

/** Type of a column's values. */
export type ColumnType = 'number' | 'string' | 'date';

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
/** A decimal as programs print one: `+1` and `007` are text with a meaning of their own. */
const PRINTED = /^-?(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;
const INTEGER = /^-?\d+$/;
/** Every double can be written with this many significant digits. */
const DOUBLE_DIGITS = 17;

/**
 * Converts a cell to a number, even if the table format kept it as text; `undefined` if it is not a
 * number.
 */
export function toNumber(cell: Cell | undefined): number | undefined {
  if (cell === undefined) return undefined;
  const value =
    typeof cell === 'number' ? cell : DECIMAL.test(cell.trim()) ? Number(cell) : Number.NaN;
  return Number.isFinite(value) ? value : undefined;
}

/**
 * The value of a cell in a column of numbers, exact for whole numbers of any size; `undefined` if
 * the cell is text, such as `+1`, `007`, or a number too large for a double.
 */
export function exactNumber(cell: Cell): number | bigint | undefined {
  if (typeof cell === 'number') return cell;
  if (!PRINTED.test(cell)) return undefined;
  const value = Number(cell);
  if (!Number.isFinite(value)) return undefined;
  return Number.isSafeInteger(value) || !INTEGER.test(cell) ? value : BigInt(cell);
}

/**
 * The number a cell stands for when a whole column is read as numbers; `undefined` if the cell is
 * text. Every finite decimal counts, except whole numbers beyond 2^53: those are most likely ids,
 * which must keep their digits.
 */
export function columnNumber(cell: Cell): number | undefined {
  const value = exactNumber(cell);
  return typeof value === 'bigint' ? undefined : value;
}

/** Whether the number of a cell, read as a double, still has all of the cell's digits. */
export function fitsDouble(cell: Cell): boolean {
  if (typeof cell === 'number') return true;
  if (columnNumber(cell) === undefined) return false;
  const [mantissa = ''] = cell.toLowerCase().split('e');
  const digits = mantissa.replace(/\D/g, '').replace(/^0+/, '');
  return (mantissa.includes('.') ? digits.replace(/0+$/, '') : digits).length <= DOUBLE_DIGITS;
}

/** Numbers as JavaScript, Python, Java and databases print doubles. */
const DOUBLE_TEXT = /^-?(?:\d*(?:\.(?:0|\d*[1-9]))?|\d(?:\.(?:0|\d*[1-9]))?e[+-]?\d+)$/i;

/**
 * Whether a file may store the number of a cell instead of its text. `1.10`, `4.50` and `12E4` are
 * numbers in charts, but versions, prices and codes would come back as other texts.
 */
export const isDoubleText = (cell: Cell): boolean =>
  fitsDouble(cell) && DOUBLE_TEXT.test(String(cell));

/**
 * Whether a cell has no value: it is missing, empty, or the text `null` that database interpreters
 * print.
 */
export function isMissing(cell: Cell | undefined): cell is undefined | '' | 'null' {
  return cell === undefined || cell === '' || cell === 'null';
}

const isDate = (cell: Cell): boolean =>
  typeof cell === 'string' && /^\d{4}-\d\d-\d\d/.test(cell) && isDateText(cell);

/**
 * Returns the type of each column: `number` or `date` if every cell with a value is one, otherwise
 * `string`. Dates start with `yyyy-MM-dd`. A column without values is a `string` column.
 */
export function columnTypes(table: TableData): ColumnType[] {
  return table.columns.map(({ index }) => {
    let numbers = true;
    let dates = true;
    let some = false;
    for (const row of table.rows) {
      const cell = row[index];
      if (isMissing(cell)) continue;
      some = true;
      numbers &&= columnNumber(cell) !== undefined;
      dates &&= isDate(cell);
      if (!numbers && !dates) break;
    }
    if (!some) return 'string';
    return numbers ? 'number' : dates ? 'date' : 'string';
  });
}
