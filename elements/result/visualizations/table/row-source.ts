import { columnTypes, isMissing, type Cell, type TableData } from 'tiding/model';
import type { Chunk, NestedCell } from './arrow-values.ts';

/** What the values of a column are. A map and a union are a struct, a fixed-size list is a list. */
export type ColumnKind =
  | 'boolean'
  | 'integer'
  | 'float'
  | 'decimal'
  | 'text'
  | 'date'
  | 'time'
  | 'timestamp'
  | 'interval'
  | 'binary'
  | 'list'
  | 'struct';

/** A column of a {@link RowSource}. */
export interface RowColumn {
  readonly name: string;
  /** Its place in the source, from 0; what `value` takes. */
  readonly index: number;
  readonly kind: ColumnKind;
  /** Digits behind the point of a decimal. */
  readonly scale?: number;
  /** Fractions of a second that a time or timestamp has: 0, 3, 6 or 9 digits. */
  readonly digits?: number;
  /** A timestamp that means a moment, not what stood on a clock. */
  readonly zoned?: boolean;
}

/**
 * A value as it is read: `null` where there is none, `undefined` where the row is too short. A 64-bit integer is a bigint, a
 * decimal its digits as a bigint (see `scale`), a date milliseconds and a time nanoseconds as a number, a timestamp
 * nanoseconds as a bigint, an interval words; a list or struct writes itself. Tables of text hold texts and numbers only.
 */
export type Value = null | undefined | boolean | number | bigint | string | Uint8Array | NestedCell;

/** Rows under a view: read in place, a cell at a time. */
export interface RowSource {
  readonly columns: readonly RowColumn[];
  /** Rows that are there now. */
  readonly length: number;
  /** No more rows will come. */
  readonly complete: boolean;
  /** Rows there will be, where that is known. */
  readonly total?: number | undefined;
  /** @param limit of a long text about so many characters are enough */
  value(row: number, column: number, limit?: number): Value;
  /** The memory a column stands in, piece by piece; absent for tables of text. */
  chunks?(column: number): readonly Chunk[];
  /** The word that copies and files have for a value that is not there. */
  readonly nullText: string;
}

/** Rows of a table of text; its list of rows may grow later, its length here does not. */
export interface TextRows extends RowSource {
  readonly table: TableData;
  /** Cells behind the columns too. */
  row(row: number): readonly Cell[];
}

/** The rows of a table of text, whose columns are text, numbers or dates by what they hold. */
export function textRows(
  table: TableData,
  types: readonly ('string' | 'number' | 'date')[] = columnTypes(table),
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
    nullText: 'null',
    row: (row) => rows[row] ?? [],
    value(row, column) {
      const cell = rows[row]?.[places[column]!];
      return cell === 'null' ? null : cell;
    },
  };
}

const kinds = { string: 'text', number: 'float', date: 'timestamp' } as const;

/** Whether there is no value: none at all, or, of a table of text, an empty cell. */
export function isAbsent(source: RowSource, value: Value): value is null | undefined | '' {
  return (
    value === null || value === undefined || (value === '' && !source.chunks && isMissing(value))
  );
}
