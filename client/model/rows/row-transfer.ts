/** Typed rows as JSON, for pages that compute with them without the code of Arrow. */
import { plainText } from './cell-text.ts';
import type { CellValue, RowColumn, RowColumnKind, TypedRows } from './typed-rows.ts';

/** Kinds of columns whose texts are large integers, and those whose texts are other numbers. */
const INTEGERS: readonly RowColumnKind[] = ['integer', 'decimal', 'timestamp'];
const NUMBERS: readonly RowColumnKind[] = ['float', 'date', 'time'];

/** Rows that {@link rowsToJson} wrote. */
export interface RowsJson {
  /** The columns in order. */
  readonly columns: readonly RowColumn[];
  /** The values of each column: large numbers, bytes and lists as texts. */
  readonly cells: readonly (readonly (null | boolean | number | string)[])[];
  /** Number of rows. */
  readonly length: number;
  /** Whether the cells are text without types. */
  readonly isText?: boolean;
  /** Text of a missing value in copies and files. */
  readonly nullText: string;
}

/** Writes the first rows of a table. {@link rowsFromJson} restores their types and values. */
export function rowsToJson(source: TypedRows, limit = source.length): RowsJson {
  const { columns, isText, nullText } = source;
  const length = Math.min(limit, source.length);
  const written = (value: CellValue, column: RowColumn) => {
    if (typeof value === 'bigint') return String(value);
    if (typeof value === 'object' && value !== null) return plainText(value, column);
    // JSON has no such numbers.
    if (Object.is(value, -0)) return '-0';
    if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
    return value ?? null;
  };
  return {
    columns,
    length,
    nullText,
    ...(isText && { isText }),
    cells: columns.map((column, at) =>
      Array.from({ length }, (_, row) => written(source.value(row, at), column)),
    ),
  };
}

/** Reads rows that {@link rowsToJson} wrote. */
export function rowsFromJson({ cells, ...rows }: RowsJson): TypedRows {
  const kinds = rows.isText ? [] : rows.columns.map(({ kind }) => kind);
  return {
    ...rows,
    value(row, column) {
      const value = cells[column]?.[row];
      if (typeof value !== 'string') return value;
      const kind = kinds[column] ?? 'text';
      if (INTEGERS.includes(kind)) return BigInt(value);
      return NUMBERS.includes(kind) ? Number(value) : value;
    },
  };
}
