/** What kind of values a column holds. */
import { isDateText } from './date.ts';
import type { Cell, TableData } from './table.ts';

/** Kind of a column's values. */
export type ColumnType = 'number' | 'string' | 'date';

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/** A cell as a number for arithmetic, whether the table format left it as text or not; `undefined` if it is none. */
export function toNumber(cell: Cell | undefined): number | undefined {
  if (cell === undefined) return undefined;
  const value =
    typeof cell === 'number' ? cell : DECIMAL.test(cell.trim()) ? Number(cell) : Number.NaN;
  return Number.isFinite(value) ? value : undefined;
}

/**
 * The number a cell stands for when a whole column is read as numbers; `undefined` if the cell is text. The table format
 * leaves `0` and `0.5` as text: those count. `+1`, `007` and long ids are text with a meaning of their own.
 */
export function columnNumber(cell: Cell): number | undefined {
  if (typeof cell === 'number') return cell;
  return cell.length <= 16 && /^0(?:\.\d*)?(?:e[+-]?\d+)?$/i.test(cell)
    ? toNumber(cell)
    : undefined;
}

/** Whether a cell holds no value: missing, empty, or the text `null` that database interpreters print. */
export function isMissing(cell: Cell | undefined): cell is undefined | '' | 'null' {
  return cell === undefined || cell === '' || cell === 'null';
}

const isDate = (cell: Cell): boolean =>
  typeof cell === 'string' && /^\d{4}-\d\d-\d\d/.test(cell) && isDateText(cell);

/**
 * Kind of each column: number or date when every cell that has a value is one (a date starts `yyyy-MM-dd`), else
 * string. A column without any value is a string column.
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
