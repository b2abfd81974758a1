/**
 * Rows of `%table` text: of programs, of servers that store no rows, and the first rows of a run
 * that continues. Stored tables have typed rows, from which everything else computes.
 */
import { type ColumnType, columnTypes } from '../tables/column-type.ts';
import { type Cell, createTableParser, type TableData, type TableParser } from '../tables/table.ts';
import type { CellValue, RowColumn, TypedRows } from './typed-rows.ts';

/**
 * Rows of a text table. The underlying list may grow later; `length` is fixed when this object is
 * created.
 */
export interface TextRows extends TypedRows {
  /** The parsed text. */
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

/** Text in chunks, as an output has it. */
export interface TextChunks {
  /** The chunks. The list may grow. */
  readonly chunks: readonly string[];
  /** Number of chunks to read. */
  readonly count: number;
}

/** One parser per list of chunks, and the number of chunks that it has read. */
interface Reading {
  readonly parser: TableParser;
  count: number;
}
const readings = new WeakMap<TextChunks['chunks'], Reading>();

/** Parses `%table` text. Text that was parsed before is not parsed again. */
export function textTableOf(text: TextChunks | string): TableData {
  if (typeof text === 'string') return textTableOf({ chunks: [text], count: 1 });
  const { chunks, count } = text;
  let reading = readings.get(chunks);
  if (!reading) readings.set(chunks, (reading = { parser: createTableParser(), count: 0 }));
  while (reading.count < count) reading.parser.write(chunks[reading.count++]!);
  return reading.parser.table;
}

/** Returns the rows in the text of an output, with the types that the server knows. */
export function textRowsOf(
  output: TextChunks & { readonly columnTypes?: readonly ColumnType[] | undefined },
): TextRows {
  const table = textTableOf(output);
  const { columnTypes: known } = output;
  return textRows(table, known?.length === table.columns.length ? known : undefined);
}

/** Whether a cell has no value: null, or an empty cell of a text table. */
export function isAbsent(source: TypedRows, value: CellValue): value is null | undefined | '' {
  return value === null || value === undefined || (value === '' && source.isText === true);
}
