import type {
  Binary,
  Bool,
  Date_,
  Decimal,
  Duration,
  Float,
  Float64,
  Int,
  Int32,
  Interval,
  List,
  Null,
  Struct,
  Table,
  Time,
  Timestamp,
  Utf8,
  Vector,
} from 'apache-arrow';
import { columnNumber, columnTypes, isDoubleText, isMissing } from './column-type.ts';
import type { TableData } from './table.ts';

/**
 * An Apache Arrow table. A table parsed from text has columns of int32, float64 or utf8; a table
 * that the server stores completely may have any type.
 */
export type ArrowTable = Table<ArrowColumns>;
/** Column types by name. Elements of lists and structs may again be lists and structs. */
export type ArrowColumns = Record<
  string,
  ArrowValue | List<ArrowValue> | Struct<Record<string, ArrowValue>>
>;
/** Scalar column types. */
export type ArrowValue =
  | Null
  | Bool
  | Int
  | Float
  | Decimal
  | Utf8
  | Binary
  | Date_
  | Time
  | Timestamp
  | Duration
  | Interval;

const INT32_MAX = 2 ** 31;

/**
 * Makes names unique, because Arrow finds columns by name: the second `a` becomes `a_2`, or uses
 * the next free number.
 */
function distinct(names: readonly string[]): string[] {
  const taken = new Set(names);
  const seen = new Set<string>();
  return names.map((name) => {
    let free = name;
    for (let count = 2; seen.has(free) || (free !== name && taken.has(free)); count += 1)
      free = `${name}_${count}`;
    seen.add(free);
    return free;
  });
}

type Library = typeof import('apache-arrow');

/**
 * Returns the validity bitmap, one bit per value. Arrow's own builders generate code from strings,
 * which a content security policy may forbid.
 */
function validity(values: readonly unknown[]): {
  length: number;
  nullCount: number;
  nullBitmap: Uint8Array;
} {
  const nullBitmap = new Uint8Array(Math.ceil(values.length / 64) * 8);
  let nullCount = 0;
  values.forEach((value, at) => {
    if (value === null) nullCount += 1;
    else nullBitmap[at >> 3]! |= 1 << (at & 7);
  });
  return { length: values.length, nullCount, nullBitmap };
}

function numberVector(
  arrow: Library,
  values: readonly (number | null)[],
  whole: boolean,
): Vector<Int32 | Float64> {
  const read = (_: unknown, at: number): number => values[at] ?? 0;
  const base = validity(values);
  if (whole)
    return new arrow.Vector([
      arrow.makeData({ type: new arrow.Int32(), ...base, data: Int32Array.from(values, read) }),
    ]);
  return new arrow.Vector([
    arrow.makeData({ type: new arrow.Float64(), ...base, data: Float64Array.from(values, read) }),
  ]);
}

function textVector(arrow: Library, values: readonly (string | null)[]): Vector<Utf8> {
  const encoder = new TextEncoder();
  const bytes = values.map((value) => encoder.encode(value ?? ''));
  const valueOffsets = new Int32Array(values.length + 1);
  bytes.forEach(({ length }, at) => (valueOffsets[at + 1] = valueOffsets[at]! + length));
  const data = new Uint8Array(valueOffsets[values.length]!);
  bytes.forEach((each, at) => data.set(each, valueOffsets[at]!));
  return new arrow.Vector([
    arrow.makeData({ type: new arrow.Utf8(), ...validity(values), data, valueOffsets }),
  ]);
}

/**
 * Converts a table to Arrow columns: int32 or float64 for numbers, utf8 for everything else.
 * Numbers with more digits than a double, and such as `1.10`, make a column utf8, so that nothing
 * of them is lost. Missing cells and the text `null` become null; so do empty cells in number
 * columns. Columns keep their order; a repeated name gets a number. Cells beyond the columns are
 * omitted.
 *
 * Loads the Arrow library on the first call; the promise rejects if that fails.
 *
 * @example
 * const table = await toArrow(parseTable('city\tcount\nOslo\t3\n'));
 * table.getChild('count')?.get(0); // 3
 */
export async function toArrow(table: TableData): Promise<ArrowTable> {
  const arrow = await import('apache-arrow');
  const types = columnTypes(table);
  const vectors = table.columns.map(({ index }, position) => {
    const cells = table.rows.map((row) => row[index]);
    if (
      types[position] !== 'number' ||
      !cells.every((cell) => isMissing(cell) || isDoubleText(cell))
    ) {
      const texts = cells.map((cell) =>
        cell === undefined || cell === 'null' ? null : String(cell),
      );
      return textVector(arrow, texts);
    }
    const numbers = cells.map((cell) => (isMissing(cell) ? null : (columnNumber(cell) ?? null)));
    const whole = numbers.every(
      (value) =>
        value === null || (Number.isInteger(value) && value >= -INT32_MAX && value < INT32_MAX),
    );
    return numberVector(arrow, numbers, whole);
  });
  const fields = distinct(table.columns.map(({ name }) => name)).map((name, position) => {
    const type: Int32 | Float64 | Utf8 = vectors[position]?.type ?? new arrow.Utf8();
    return new arrow.Field(name, type, true);
  });
  const data = arrow.makeData({
    type: new arrow.Struct(fields),
    length: table.rows.length,
    nullCount: 0,
    children: vectors.flatMap((vector) => vector.data[0] ?? []),
  });
  return new arrow.Table([new arrow.RecordBatch(new arrow.Schema(fields), data)]);
}
