import { type Cell, cellText, type TableData, toColumns } from '@tiding/client/model';
import type { RowSource } from './row-source.ts';

/** Limits of tables for views of host pages and packages, which get all cells at once. */
const MAX_ROWS = 100_000;
const MAX_CELLS = 2_000_000;

/** Returns how many rows of a source such views get. */
export const viewedRows = ({ length, columns }: Pick<RowSource, 'length' | 'columns'>): number =>
  Math.min(length, MAX_ROWS, Math.floor(MAX_CELLS / Math.max(1, columns.length)));

/**
 * Returns rows as a table for views of host pages and packages. Cells are read on the first access
 * to `rows`: numbers where printing the number gives the same text, other values as text, and
 * `null` for missing ones.
 */
export function viewTable(source: RowSource, comment: string): TableData {
  // The table of a text keeps what rows have beyond the columns.
  if ('table' in source) return source.table as TableData;
  let rows: TableData['rows'] | undefined;
  const cells = (row: number): Cell[] => source.columns.map((_, at) => cellOf(source, row, at));
  return {
    columns: toColumns(source.columns.map(({ name }) => name)),
    get rows() {
      const length = source.remote?.sampled ?? viewedRows(source);
      return (rows ??= Array.from({ length }, (_, row) => cells(row)));
    },
    comment,
  };
}

function cellOf(source: RowSource, row: number, column: number): Cell {
  const { kind } = source.columns[column]!;
  if (source.value(row, column, 1) === null) return 'null';
  const text = cellText(source, row, column);
  const isNumber = kind === 'integer' || kind === 'float' || kind === 'decimal';
  return isNumber && String(Number(text)) === text && Number.isFinite(Number(text))
    ? Number(text)
    : text;
}
