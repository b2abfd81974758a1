import { type Cell, type TableData, toColumns } from '../tables/table.ts';
import { cellText } from './cell-text.ts';
import { isNumeric, type TypedRows } from './typed-rows.ts';

/**
 * Returns typed rows as a table of texts and numbers, for code that has no types: numbers where
 * printing the number gives the same text, other values as text, and `null` for missing ones. Cells
 * are read on the first access to `rows`.
 */
export function tableOfRows(
  source: TypedRows,
  { length = source.length, comment = '' }: { length?: number; comment?: string } = {},
): TableData {
  let rows: TableData['rows'] | undefined;
  const cells = (row: number): Cell[] => source.columns.map((_, at) => cellOf(source, row, at));
  return {
    columns: toColumns(source.columns.map(({ name }) => name)),
    get rows() {
      return (rows ??= Array.from({ length }, (_, row) => cells(row)));
    },
    comment,
  };
}

function cellOf(source: TypedRows, row: number, column: number): Cell {
  const { kind } = source.columns[column]!;
  if (source.value(row, column, 1) === null) return 'null';
  const text = cellText(source, row, column);
  return isNumeric(kind) && String(Number(text)) === text && Number.isFinite(Number(text))
    ? Number(text)
    : text;
}
