import { type TableData, tableOfRows } from '@tiding/client/model';
import type { RowSource } from './row-source.ts';

/** Limits of tables for views of host pages and packages, which get all cells at once. */
const MAX_ROWS = 100_000;
const MAX_CELLS = 2_000_000;

/** Returns how many rows of a source such views get. */
export const viewedRows = ({ length, columns }: Pick<RowSource, 'length' | 'columns'>): number =>
  Math.min(length, MAX_ROWS, Math.floor(MAX_CELLS / Math.max(1, columns.length)));

/** Returns rows as a table for views of host pages and packages. */
export function viewTable(source: RowSource, comment: string): TableData {
  // The table of a text keeps what rows have beyond the columns.
  if ('table' in source) return source.table as TableData;
  return tableOfRows(source, { length: source.remote?.sampled ?? viewedRows(source), comment });
}
