/** Columns of the SQL engine as columns of Arrow: the engine's memory is copied where both lay values out alike. */
import {
  Binary,
  Bool,
  DateDay,
  Decimal,
  Field,
  FixedSizeList,
  Float32,
  Float64,
  Int16,
  Int32,
  Int64,
  Int8,
  IntervalMonthDayNano,
  List,
  makeData,
  Map_,
  RecordBatch,
  Schema,
  Struct,
  TimeMicrosecond,
  TimeNanosecond,
  TimestampMicrosecond,
  TimestampMillisecond,
  TimestampNanosecond,
  TimestampSecond,
  Uint16,
  Uint32,
  Uint64,
  Uint8,
  Utf8,
  type Data,
  type DataType,
} from 'apache-arrow';
import type {
  DuckDBArrayType,
  DuckDBArrayVector,
  DuckDBDataChunk,
  DuckDBDecimalType,
  DuckDBListType,
  DuckDBListVector,
  DuckDBMapType,
  DuckDBMapVector,
  DuckDBResult,
  DuckDBStructType,
  DuckDBStructVector,
  DuckDBType,
  DuckDBValue,
  DuckDBVector,
} from '@duckdb/node-api';
import { formatterOf } from './sql-format.ts';

type DuckDB = typeof import('@duckdb/node-api');
type DuckDBValidity = ConstructorParameters<DuckDB['DuckDBBlobVector']>[1];
/** Which rows of a vector are taken; undefined: the first ones, as they stand. */
type Rows = Int32Array | undefined;
/** A kind of column: its type, and how the first `count` values, or those in `rows`, become one of Arrow's. */
interface Kind {
  readonly type: DataType;
  data(vector: DuckDBVector, count: number, rows: Rows): Data;
}
/** What vectors hold, which their types hide. */
interface Raw {
  readonly items?: ArrayBufferView<ArrayBuffer>;
  readonly dataView?: DataView<ArrayBuffer>;
  readonly validity: DuckDBValidity;
}
interface RawValidity {
  readonly data: BigUint64Array<ArrayBuffer> | null;
  readonly offset: number;
}
type Numbers = {
  new (
    buffer: ArrayBuffer,
    offset: number,
    length: number,
  ): ArrayLike<number | bigint> & ArrayBufferView<ArrayBuffer>;
  readonly BYTES_PER_ELEMENT: number;
};

/** The engine's numbers of types. */
const ID = {
  BOOLEAN: 1,
  TINYINT: 2,
  SMALLINT: 3,
  INTEGER: 4,
  BIGINT: 5,
  UTINYINT: 6,
  USMALLINT: 7,
  UINTEGER: 8,
  UBIGINT: 9,
  FLOAT: 10,
  DOUBLE: 11,
  TIMESTAMP: 12,
  DATE: 13,
  TIME: 14,
  INTERVAL: 15,
  HUGEINT: 16,
  VARCHAR: 17,
  BLOB: 18,
  DECIMAL: 19,
  TIMESTAMP_S: 20,
  TIMESTAMP_MS: 21,
  TIMESTAMP_NS: 22,
  LIST: 24,
  STRUCT: 25,
  MAP: 26,
  TIMESTAMP_TZ: 31,
  ARRAY: 33,
  TIME_NS: 39,
} as const;

const raw = (vector: DuckDBVector) => vector as unknown as Raw;

/** The bytes of a vector's values. */
function bytesOf(vector: DuckDBVector): Uint8Array<ArrayBuffer> {
  const { items, dataView } = raw(vector);
  const view = (items ?? dataView)!;
  return new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
}

/** Which values there are, in Arrow's bits, and how many there are not. */
function nullsOf(
  validity: DuckDBValidity,
  count: number,
  rows: Rows,
): { nullBitmap?: Uint8Array; nullCount: number } {
  const { data, offset } = validity as unknown as RawValidity;
  if (!data) return { nullCount: 0 };
  const bits = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  const nullBitmap = new Uint8Array((count + 7) >> 3);
  let valid = 0;
  for (let at = 0; at < count; at += 1) {
    const bit = offset + (rows ? rows[at]! : at);
    if (((bits[bit >> 3]! >> (bit & 7)) & 1) === 0) continue;
    nullBitmap[at >> 3]! |= 1 << (at & 7);
    valid += 1;
  }
  return valid === count ? { nullCount: 0 } : { nullBitmap, nullCount: count - valid };
}

/** Values that both lay out alike. */
function flat(type: DataType, numbers: Numbers, width: number = numbers.BYTES_PER_ELEMENT): Kind {
  return {
    type,
    data(vector, count, rows) {
      let bytes = bytesOf(vector);
      if (rows) {
        const picked = new Uint8Array(count * width);
        for (let at = 0; at < count; at += 1)
          picked.set(bytes.subarray(rows[at]! * width, (rows[at]! + 1) * width), at * width);
        bytes = picked;
      }
      // Large numbers are made of small ones, which stand anywhere.
      if (bytes.byteOffset % numbers.BYTES_PER_ELEMENT !== 0) bytes = bytes.slice();
      const values = new numbers(
        bytes.buffer,
        bytes.byteOffset,
        (count * width) / numbers.BYTES_PER_ELEMENT,
      );
      return makeData({
        type,
        length: count,
        data: values,
        ...nullsOf(raw(vector).validity, count, rows),
      } as never);
    },
  };
}

/** Values that are made one by one: `fill` gets a place in the vector and one in what is made. */
function made(
  type: DataType,
  room: (count: number) => ArrayBufferView<ArrayBuffer>,
  fill: (vector: DuckDBVector) => (target: DataView, from: number, to: number) => void,
): Kind {
  return {
    type,
    data(vector, count, rows) {
      const data = room(count);
      const target = new DataView(data.buffer);
      const put = fill(vector);
      for (let at = 0; at < count; at += 1) put(target, rows ? rows[at]! : at, at);
      return makeData({
        type,
        length: count,
        data,
        ...nullsOf(raw(vector).validity, count, rows),
      } as never);
    },
  };
}

const booleans: Kind = made(
  new Bool(),
  (count) => new Uint8Array((count + 7) >> 3),
  (vector) => {
    const bytes = bytesOf(vector);
    return (target, from, to) => {
      if (bytes[from]) target.setUint8(to >> 3, target.getUint8(to >> 3) | (1 << (to & 7)));
    };
  },
);

/** Decimals are of 128 bits, however small the engine has them. */
function decimal({ width, scale }: DuckDBDecimalType): Kind {
  const type = new Decimal(scale, width);
  if (width > 18) return flat(type, Uint32Array as unknown as Numbers, 16);
  return made(
    type,
    (count) => new Uint32Array(count * 4),
    (vector) => {
      const source = raw(vector).dataView!;
      const read =
        width > 9
          ? (at: number) => source.getBigInt64(at * 8, true)
          : width > 4
            ? (at: number) => BigInt(source.getInt32(at * 4, true))
            : (at: number) => BigInt(source.getInt16(at * 2, true));
      return (target, from, to) => {
        const value = read(from);
        target.setBigInt64(to * 16, value, true);
        target.setBigInt64(to * 16 + 8, value < 0n ? -1n : 0n, true);
      };
    },
  );
}

const DAY = 86_400_000_000n;
/** Microseconds whose nanoseconds 64 bits hold. */
const MOST = 9_223_372_036_854_775n;
const intervals: Kind = made(
  new IntervalMonthDayNano(),
  (count) => new Int32Array(count * 4),
  (vector) => {
    const source = raw(vector).dataView!;
    return (target, from, to) => {
      let days = source.getInt32(from * 16 + 4, true);
      let micros = source.getBigInt64(from * 16 + 8, true);
      if (micros > MOST || micros < -MOST) {
        days += Number(micros / DAY);
        micros %= DAY;
      }
      target.setInt32(to * 16, source.getInt32(from * 16, true), true);
      target.setInt32(to * 16 + 4, days, true);
      target.setBigInt64(to * 16 + 8, micros * 1_000n, true);
    };
  },
);

/** Pieces of bytes, one after another; `each` answers those of a place. */
function texts(
  type: DataType,
  vector: DuckDBVector,
  count: number,
  rows: Rows,
  each: (from: number) => Uint8Array | undefined,
): Data {
  const valueOffsets = new Int32Array(count + 1);
  let data = new Uint8Array(Math.max(1_024, count * 16));
  let end = 0;
  for (let at = 0; at < count; at += 1) {
    const bytes = each(rows ? rows[at]! : at);
    if (bytes) {
      if (end + bytes.length > data.length) {
        const larger = new Uint8Array(Math.max(data.length * 2, end + bytes.length));
        larger.set(data.subarray(0, end));
        data = larger;
      }
      data.set(bytes, end);
      end += bytes.length;
    }
    valueOffsets[at + 1] = end;
  }
  return makeData({
    type,
    length: count,
    valueOffsets,
    data: data.subarray(0, end),
    ...nullsOf(raw(vector).validity, count, rows),
  } as never);
}

/** Texts and binary values, whose bytes are the engine's. */
const strings = (type: Utf8 | Binary, api: DuckDB): Kind => ({
  type,
  data(vector, count, rows) {
    const { dataView, validity } = raw(vector);
    const bytes = new api.DuckDBBlobVector(
      dataView!,
      validity,
      undefined as never,
      0,
      vector.itemCount,
    );
    return texts(type, vector, count, rows, (from) => bytes.getItemBytes(from) ?? undefined);
  },
});

const encoder = new TextEncoder();
/** Whatever Arrow has no type for, as the text that tables show. */
function shown(typeId: number): Kind {
  const format = formatterOf(typeId);
  const type = new Utf8();
  return {
    type,
    data: (vector, count, rows) => {
      const values = Array.from(
        { length: count },
        (_, at) => vector.getItem(rows ? rows[at]! : at) as DuckDBValue,
      );
      const present = values.map((value) => value !== null);
      const valueOffsets = new Int32Array(count + 1);
      const pieces = values.map((value, at) => {
        const bytes = value === null ? new Uint8Array() : encoder.encode(format(value));
        valueOffsets[at + 1] = valueOffsets[at]! + bytes.length;
        return bytes;
      });
      const nullBitmap = new Uint8Array((count + 7) >> 3);
      for (const [at, some] of present.entries()) if (some) nullBitmap[at >> 3]! |= 1 << (at & 7);
      return makeData({
        type,
        length: count,
        valueOffsets,
        data: Buffer.concat(pieces),
        nullBitmap,
        nullCount: present.filter((some) => !some).length,
      });
    },
  };
}

function list(type: DataType, element: Kind): Kind {
  return {
    type,
    data(vector, count, rows) {
      const source = vector as DuckDBListVector;
      const nulls = nullsOf(raw(vector).validity, count, rows);
      const valueOffsets = new Int32Array(count + 1);
      const taken: number[] = [];
      for (let at = 0; at < count; at += 1) {
        // What stands at a place without a value is nothing.
        const isNull = nulls.nullBitmap && ((nulls.nullBitmap[at >> 3]! >> (at & 7)) & 1) === 0;
        const from = rows ? rows[at]! : at;
        const [start, length] = isNull
          ? [0, 0]
          : [source.getEntryOffset(from), source.getEntryLength(from)];
        for (let place = 0; place < length; place += 1) taken.push(start + place);
        valueOffsets[at + 1] = taken.length;
      }
      const child = element.data(source.childVector, taken.length, Int32Array.from(taken));
      return makeData({ type, length: count, valueOffsets, child, ...nulls } as never);
    },
  };
}

const structure = (names: readonly string[], kinds: readonly Kind[]): Kind => {
  const type = new Struct(names.map((name, at) => new Field(name, kinds[at]!.type, true)));
  return {
    type,
    data: (vector, count, rows) =>
      makeData({
        type,
        length: count,
        children: kinds.map((kind, at) =>
          kind.data((vector as DuckDBStructVector).entryVectorAt(at), count, rows),
        ),
        ...nullsOf(raw(vector).validity, count, rows),
      }),
  };
};

function map({ keyType, valueType }: DuckDBMapType, api: DuckDB): Kind {
  const entries = structure(['key', 'value'], [kindOf(keyType, api), kindOf(valueType, api)]);
  const [key, value] = (entries.type as Struct).children as [Field, Field];
  const type = new Map_(
    new Field(
      'entries',
      new Struct<{ key: DataType; value: DataType }>([new Field('key', key.type, false), value]),
      false,
    ) as never,
  );
  const lists = list(type, { ...entries, type: type.children[0]!.type });
  return {
    type,
    data: (vector, count, rows) =>
      lists.data((vector as unknown as { listVector: DuckDBMapVector }).listVector, count, rows),
  };
}

function array({ length, valueType }: DuckDBArrayType, api: DuckDB): Kind {
  const element = kindOf(valueType, api);
  const type = new FixedSizeList(length, new Field('item', element.type, true));
  return {
    type,
    data(vector, count, rows) {
      const { childData } = vector as unknown as { childData: DuckDBArrayVector };
      const taken = Int32Array.from(
        { length: count * length },
        (_, at) =>
          (rows ? rows[Math.floor(at / length)]! : Math.floor(at / length)) * length +
          (at % length),
      );
      return makeData({
        type,
        length: count,
        child: element.data(childData, taken.length, taken),
        ...nullsOf(raw(vector).validity, count, rows),
      });
    },
  };
}

function kindOf(type: DuckDBType, api: DuckDB): Kind {
  const bits64 = BigInt64Array as unknown as Numbers;
  switch (type.typeId as number) {
    case ID.BOOLEAN:
      return booleans;
    case ID.TINYINT:
      return flat(new Int8(), Int8Array);
    case ID.SMALLINT:
      return flat(new Int16(), Int16Array);
    case ID.INTEGER:
      return flat(new Int32(), Int32Array);
    case ID.BIGINT:
      return flat(new Int64(), bits64);
    case ID.UTINYINT:
      return flat(new Uint8(), Uint8Array);
    case ID.USMALLINT:
      return flat(new Uint16(), Uint16Array);
    case ID.UINTEGER:
      return flat(new Uint32(), Uint32Array);
    case ID.UBIGINT:
      return flat(new Uint64(), BigUint64Array as unknown as Numbers);
    case ID.FLOAT:
      return flat(new Float32(), Float32Array);
    case ID.DOUBLE:
      return flat(new Float64(), Float64Array);
    case ID.HUGEINT:
      return flat(new Decimal(0, 38), Uint32Array, 16);
    case ID.DECIMAL:
      return decimal(type as DuckDBDecimalType);
    case ID.DATE:
      return flat(new DateDay(), Int32Array);
    case ID.TIME:
      return flat(new TimeMicrosecond(), bits64);
    case ID.TIME_NS:
      return flat(new TimeNanosecond(), bits64);
    case ID.TIMESTAMP_S:
      return flat(new TimestampSecond(), bits64);
    case ID.TIMESTAMP_MS:
      return flat(new TimestampMillisecond(), bits64);
    case ID.TIMESTAMP:
      return flat(new TimestampMicrosecond(), bits64);
    case ID.TIMESTAMP_NS:
      return flat(new TimestampNanosecond(), bits64);
    case ID.TIMESTAMP_TZ:
      return flat(new TimestampMicrosecond('UTC'), bits64);
    case ID.INTERVAL:
      return intervals;
    case ID.VARCHAR:
      return strings(new Utf8(), api);
    case ID.BLOB:
      return strings(new Binary(), api);
    case ID.LIST: {
      const element = kindOf((type as DuckDBListType).valueType, api);
      return list(new List(new Field('item', element.type, true)), element);
    }
    case ID.STRUCT: {
      const { entryNames, entryTypes } = type as DuckDBStructType;
      return structure(
        entryNames,
        entryTypes.map((entry) => kindOf(entry, api)),
      );
    }
    case ID.MAP:
      return map(type as DuckDBMapType, api);
    case ID.ARRAY:
      return array(type as DuckDBArrayType, api);
    default:
      return shown(type.typeId);
  }
}

/** Makes batches of Arrow from the chunks of a result. `names`: of its columns, all different. */
export function arrowOf(
  result: DuckDBResult,
  names: readonly string[],
  api: DuckDB,
): { schema: Schema; batch(chunk: DuckDBDataChunk): RecordBatch } {
  const kinds = names.map((_, index) => kindOf(result.columnType(index), api));
  const fields = names.map((name, index) => new Field(name, kinds[index]!.type, true));
  const schema = new Schema(fields);
  const type = new Struct(fields);
  return {
    schema,
    batch: (chunk) => {
      const length = chunk.rowCount;
      const children = kinds.map((kind, index) =>
        kind.data(chunk.getColumnVector(index), length, undefined),
      );
      return new RecordBatch(schema, makeData({ type, length, nullCount: 0, children }));
    },
  };
}
