import type { QueryAnswer } from '@tiding/client';
import { type Cell, columnTypes, isMissing, type TableData } from '@tiding/client/model';
import type { ResultQuery, ResultQuestion } from '@tiding/client/protocol';
import type { NestedCell } from './arrow-cells.ts';
import type { Chunk } from './chunks.ts';

/** Type of a column's values. Maps and unions count as `struct`, fixed-size lists as `list`. */
export type RowColumnKind =
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

/** How the grid interprets a column, regardless of its data type. */
export type ReadAs = 'string' | 'number' | 'date';

/** A column of a {@link RowSource}. */
export interface RowColumn {
  readonly name: string;
  /** Index of the column in the source, starting at 0; the argument of `value`. */
  readonly index: number;
  readonly kind: RowColumnKind;
  /** Digits after the decimal point, for decimals. */
  readonly scale?: number;
  /** Fractional digits of a second, for times and timestamps: 0, 3, 6 or 9. */
  readonly digits?: number;
  /**
   * Time zone of a timestamp that is an instant: a name, such as `Europe/Paris`, or an offset.
   * Without it, the timestamp is a local wall-clock time.
   */
  readonly timezone?: string;
  /** Whether a float has single precision. */
  readonly single?: boolean;
}

/**
 * A cell's value in its native representation:
 *
 * - missing value: `null`; cell missing because the row is too short: `undefined`
 * - 64-bit integer: bigint
 * - decimal: unscaled bigint (see {@link RowColumn.scale})
 * - date: number of milliseconds; time: number of nanoseconds
 * - timestamp: bigint nanoseconds
 * - interval: its text
 * - list, map or struct: a cell that converts itself to JSON
 *
 * Text tables contain strings and numbers only.
 */
export type CellValue =
  | null
  | undefined
  | boolean
  | number
  | bigint
  | string
  | Uint8Array
  | NestedCell;

/** The conditions and the order of rows. */
export type RowConditions = Pick<ResultQuery, 'filters' | 'sorts'>;

/** Rows on the server, filtered and sorted there. */
export interface RemoteTable {
  /** Number of rows that pass the filters. */
  readonly total: number;
  /** Number of rows at the start that are loaded: samples of the table are taken from them. */
  readonly sampled: number;
  /** The rows that were loaded last, from the first to before the last. */
  readonly latest: readonly [from: number, to: number];
  /** Why the last request failed; undefined after one succeeded. */
  readonly error: Error | undefined;
  /** Number of a row in the table, from 0; undefined if it is not loaded. */
  numberOf(row: number): number | undefined;
  /** The rows as a source; a new object whenever rows have arrived. */
  readonly source: () => RowSource;
  /** Notifies about new rows. Returns a function that ends it and stops loading. */
  readonly subscribe: (listener: () => void) => () => void;
  /** Returns the same rows under other conditions. */
  arrange(conditions: RowConditions, signal: AbortSignal): Promise<RemoteTable>;
  /** Asks about the rows that pass the filters. */
  ask(question: ResultQuestion, signal: AbortSignal): Promise<QueryAnswer>;
  /** Reads a range of rows into memory. */
  read(from: number, to: number, signal: AbortSignal): Promise<RowSource>;
}

/** Random access to the rows of a table, one cell at a time, without copying. */
export interface RowSource {
  readonly columns: readonly RowColumn[];
  /** Number of rows available now. */
  readonly length: number;
  /** Whether the table is complete; otherwise more rows may follow. */
  readonly complete: boolean;
  /** Expected number of rows, if known. */
  readonly total?: number | undefined;
  /** @param limit characters of a long text that suffice; the value may be cut off beyond them */
  value(row: number, column: number, limit?: number): CellValue;
  /** Returns the Arrow data of a column; absent for text tables. */
  chunks?(column: number): readonly Chunk[];
  /**
   * The rows on the server, if the page holds only those around what is on screen. Rows that are
   * not loaded have no value yet.
   */
  readonly remote?: RemoteTable | undefined;
  /** Text that represents a missing value in copies and exported files. */
  readonly nullText: string;
}

/**
 * Rows of a text table. The underlying list may grow later; `length` is fixed when this object is
 * created.
 */
export interface TextRows extends RowSource {
  readonly table: TableData;
  /** Returns all cells of a row, including those beyond the last column. */
  row(row: number): readonly Cell[];
}

/** Wraps a text table as a row source. The type of each column is derived from its values. */
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

/** Whether a cell has no value: null, or an empty cell of a text table. */
export function isAbsent(source: RowSource, value: CellValue): value is null | undefined | '' {
  return (
    value === null || value === undefined || (value === '' && !source.chunks && isMissing(value))
  );
}
