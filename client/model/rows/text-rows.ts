import { type ColumnType, columnTypes } from '../tables/column-type.ts';
import type { Cell, TableData } from '../tables/table.ts';
import type { CellValue, RowColumn, TypedRows } from './typed-rows.ts';

/**
 * Rows of a text table. The underlying list may grow later; `length` is fixed when this object is
 * created.
 */
export interface TextRows extends TypedRows {
  readonly table: TableData;
  /** Whether the table is complete; otherwise more rows may follow. */
  readonly complete: boolean;
  readonly isText: true;
  /** Returns all cells of a row, including those beyond the last column. */
  row(row: number): readonly Cell[];
}

/** Wraps a text table as a row source. The type of each column is derived from its values. */
export function textRows(
  table: TableData,
  types: readonly ColumnType[] = columnTypes(table),
  complete = true,
): TextRows {
  const { rows } = table;
  const columns = table.columns.map(
    ({ name }, index): RowColumn => ({ name, index, kind: kinds[types[index] ?? 'string'] }),
  );
  const places = table.columns.map(({ index }) => index);
  return {
    table,
    columns,
    length: rows.length,
    complete,
    isText: true,
    nullText: 'null',
    row: (row) => rows[row] ?? [],
    value(row, column) {
      const cell = rows[row]?.[places[column]!];
      return cell === 'null' ? null : cell;
    },
  };
}

const kinds = { string: 'text', number: 'float', date: 'timestamp' } as const;

/** Whether a cell has no value: null, or an empty cell of a text table. */
export function isAbsent(source: TypedRows, value: CellValue): value is null | undefined | '' {
  return value === null || value === undefined || (value === '' && source.isText === true);
}
