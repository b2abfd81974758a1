/**
 * Encodes complete tables as Parquet files with their types. Lists, structures and maps become
 * JSON, intervals become text.
 */
import { arrowDecimal, arrowFormat, hasArrowValue } from '@tiding/client/model';
import { type Data, DataType, DateUnit, Precision, TimeUnit } from 'apache-arrow';
import { distinctTexts } from '../interpreters/table-text.ts';
import { float64, int32, utf8 } from './parquet.ts';
import {
  fixedWidth,
  MEANING,
  type ParquetKind,
  PHYSICAL,
  parquetFile,
  withLength,
} from './parquet-file.ts';
import { yieldToEventLoop } from './rows.ts';
import type { RowRange, StoredTable } from './stored-table.ts';
import { boolean, type Field, number, struct, type Value } from './thrift.ts';

/** A column type and its reader. */
interface Typed {
  readonly kind: ParquetKind<never>;
  read(data: Data): (index: number) => unknown;
}

const typed = <V>(kind: ParquetKind<V>, read: (data: Data) => (index: number) => V): Typed => ({
  kind,
  read,
});
const items = (data: Data) => data.values as unknown as ArrayLike<number | bigint>;
const numbers =
  (change: (value: number) => number = (value) => value) =>
  (data: Data) =>
  (index: number) =>
    change(Number(items(data)[index]));
const bigs =
  (factor = 1n) =>
  (data: Data) =>
  (index: number) =>
    BigInt(items(data)[index]!) * factor;

const meaning = (id: number): Field[] => [[6, number(id)]];
const small = (id: number): ParquetKind<number> => ({ ...int32, about: meaning(id) });
const unsigned32: ParquetKind<number> = {
  ...small(MEANING.uint32),
  plain: fixedWidth(4, (buffer, value, at) => buffer.writeUInt32LE(value, at)),
};
const int64: ParquetKind<bigint> = {
  physical: PHYSICAL.int64,
  about: [],
  plain: fixedWidth(8, (buffer, value, at) => buffer.writeBigInt64LE(BigInt.asIntN(64, value), at)),
  size: () => 8,
};
const float32: ParquetKind<number> = {
  physical: PHYSICAL.float,
  about: [],
  plain: fixedWidth(4, (buffer, value, at) => buffer.writeFloatLE(value, at)),
  size: () => 8,
};
const bytes: ParquetKind<Uint8Array> = {
  physical: PHYSICAL.bytes,
  about: [],
  plain: withLength,
  size: (value) => value.length + 4,
};
const json: ParquetKind<string> = { ...utf8, about: meaning(MEANING.json) };
const booleans: ParquetKind<boolean> = {
  physical: PHYSICAL.boolean,
  about: [],
  size: () => 1,
  plain: (values) => {
    const buffer = Buffer.alloc(Math.ceil(values.length / 8));
    values.forEach((value, at) => value && (buffer[at >> 3]! |= 1 << (at & 7)));
    return buffer;
  },
};
const decimals = (scale: number, precision: number): ParquetKind<bigint> => ({
  physical: PHYSICAL.fixed,
  about: [
    [2, number(16)],
    [6, number(MEANING.decimal)],
    [7, number(scale)],
    [8, number(precision)],
  ],
  size: () => 16,
  plain: fixedWidth(16, (buffer, value, at) => {
    buffer.writeBigInt64BE(BigInt.asIntN(64, value >> 64n), at);
    buffer.writeBigUInt64BE(BigInt.asUintN(64, value), at + 8);
  }),
});

/** Logical type of times and timestamps: its field id, whether it has a time zone, and the unit. */
const moment = (logical: 7 | 8, zoned: boolean, unit: TimeUnit): Field[] => {
  const unitId = unit === TimeUnit.NANOSECOND ? 3 : unit === TimeUnit.MICROSECOND ? 2 : 1;
  const about: Value = struct([
    [1, boolean(zoned)],
    [2, struct([[unitId, struct([])]])],
  ]);
  return [[10, struct([[logical, about]])]];
};

/** Returns the Parquet encoding of an Arrow type. */
function typedOf(type: DataType): Typed {
  if (DataType.isBool(type)) {
    return typed(booleans, (data) => {
      const bits = data.values as Uint8Array;
      return (index) =>
        ((bits[(data.offset + index) >> 3]! >> ((data.offset + index) & 7)) & 1) === 1;
    });
  }
  if (DataType.isInt(type)) {
    if (type.bitWidth === 64)
      return typed(type.isSigned ? int64 : { ...int64, about: meaning(MEANING.uint64) }, bigs());
    if (type.bitWidth === 32) return typed(type.isSigned ? int32 : unsigned32, numbers());
    return typed(
      small(
        type.bitWidth === 16
          ? type.isSigned
            ? MEANING.int16
            : MEANING.uint16
          : type.isSigned
            ? MEANING.int8
            : MEANING.uint8,
      ),
      numbers(),
    );
  }
  if (DataType.isFloat(type))
    return typed(type.precision === Precision.DOUBLE ? float64 : float32, numbers());
  if (DataType.isDecimal(type) && type.scale >= 0 && type.bitWidth <= 128)
    return typed(
      decimals(type.scale, type.precision),
      (data) => (index) => arrowDecimal(data, index),
    );
  if (
    DataType.isBinary(type) ||
    DataType.isLargeBinary(type) ||
    DataType.isUtf8(type) ||
    DataType.isLargeUtf8(type)
  ) {
    return typed(
      DataType.isUtf8(type) || DataType.isLargeUtf8(type) ? { ...bytes, about: utf8.about } : bytes,
      (data) => {
        const [values, offsets] = [
          data.values as Uint8Array,
          data.valueOffsets as Int32Array | BigInt64Array,
        ];
        return (index) => values.subarray(Number(offsets[index]), Number(offsets[index + 1]));
      },
    );
  }
  if (DataType.isDate(type))
    return typed(
      small(MEANING.date),
      numbers(type.unit === DateUnit.DAY ? undefined : (value) => Math.floor(value / 86_400_000)),
    );
  if (DataType.isTime(type)) {
    const about = moment(7, false, type.unit);
    if (type.unit === TimeUnit.SECOND || type.unit === TimeUnit.MILLISECOND)
      return typed(
        { ...int32, about },
        numbers(type.unit === TimeUnit.SECOND ? (value) => value * 1_000 : undefined),
      );
    return typed({ ...int64, about }, bigs());
  }
  if (DataType.isTimestamp(type))
    return typed(
      { ...int64, about: moment(8, Boolean(type.timezone), type.unit) },
      bigs(type.unit === TimeUnit.SECOND ? 1_000n : 1n),
    );
  if (
    DataType.isList(type) ||
    DataType.isFixedSizeList(type) ||
    DataType.isStruct(type) ||
    DataType.isMap(type)
  )
    return typed(json, arrowFormat(type).json);
  return typed(utf8, arrowFormat(type).text);
}

/** Encodes rows of a complete table as a Parquet file in pieces. */
export async function* typedParquet(
  table: StoredTable,
  range: RowRange,
): AsyncGenerator<Uint8Array> {
  const { fields } = await table.schema();
  const columns = fields.map(({ type }) => typedOf(type));
  const names = distinctTexts(
    fields.map(({ name }, place) => (name === '' ? `column_${place + 1}` : name)),
    (name) => name.toLowerCase(),
  );
  async function* batches() {
    for await (const batch of table.batches(range)) {
      yield columns.map(({ read }, place) => {
        const data = batch.data.children[place]!;
        const value = read(data);
        return Array.from({ length: batch.numRows }, (_, row) =>
          hasArrowValue(data, row) ? value(row) : null,
        );
      });
      await yieldToEventLoop();
    }
  }
  yield* parquetFile(
    names.map((name, place) => ({ name, kind: columns[place]!.kind })),
    batches(),
  );
}
