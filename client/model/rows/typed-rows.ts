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

/** Whether the values of a column are numbers. @internal */
export const isNumeric = (kind: RowColumnKind): boolean =>
  kind === 'integer' || kind === 'float' || kind === 'decimal';

/** A column of a {@link TypedRows}. */
export interface RowColumn {
  /** Name as in the result; several columns may have the same. */
  readonly name: string;
  /** Index of the column in the source, starting at 0; the argument of `value`. */
  readonly index: number;
  /** Type of the values. */
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
  /** What a text stands for, if the code that made the table says so. */
  readonly meaning?: 'json' | 'period' | 'interval' | 'enum';
  /** Values of an enumeration, in the order in which it is sorted. */
  readonly order?: readonly string[];
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

/** Random access to the typed rows of a table, one cell at a time, without copying. */
export interface TypedRows {
  /** The columns in order. */
  readonly columns: readonly RowColumn[];
  /** Number of rows available now. */
  readonly length: number;
  /**
   * Returns a cell.
   *
   * @param limit characters of a long text that suffice; the value may be cut off beyond them
   */
  value(row: number, column: number, limit?: number): CellValue;
  /** Whether the cells are text without types, of which an empty one is a missing value. */
  readonly isText?: boolean;
  /** Returns the Arrow data of a column, if it is in memory. */
  chunks?(column: number): readonly Chunk[];
  /** Text that represents a missing value in copies and exported files. */
  readonly nullText: string;
}

/** Tables of a note with the types of their columns, by `<paragraph id>.<index of the output>`. */
export type StoredTables = ReadonlyMap<string, TypedRows>;
