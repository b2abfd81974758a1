/**
 * Converts columns of the SQL engine to Arrow columns. Memory is copied as a whole if both use the
 * same layout.
 */

import {
  type DuckDBArrayType,
  type DuckDBDataChunk,
  type DuckDBDecimalType,
  type DuckDBEnumType,
  type DuckDBListType,
  type DuckDBMapType,
  type DuckDBResult,
  type DuckDBStructType,
  type DuckDBType,
  DuckDBTypeId as ID,
} from '@duckdb/node-api';
import {
  Binary,
  DateDay,
  Decimal,
  Field,
  Float32,
  Float64,
  Int8,
  Int16,
  Int32,
  Int64,
  List,
  makeData,
  RecordBatch,
  RecordBatchStreamWriter,
  Schema,
  Struct,
  TimeMicrosecond,
  TimeNanosecond,
  TimestampMicrosecond,
  TimestampMillisecond,
  TimestampNanosecond,
  TimestampSecond,
  Uint8,
  Uint16,
  Uint32,
  Uint64,
  Utf8,
} from 'apache-arrow';
import { enumMetadata } from '../../table-text.ts';
import type { Kind, Numbers } from './columns/column.ts';
import { array, list, map, structure } from './columns/nested.ts';
import { booleans, decimal, flat, intervals } from './columns/scalars.ts';
import { shown, strings } from './columns/texts.ts';
import { isJson } from './format.ts';

const bits64 = BigInt64Array as unknown as Numbers;

/**
 * Columns of types without parameters, by the name of the engine's type. Memory of those that are
 * `flat` has the same layout in Arrow.
 */
const SIMPLE: Readonly<Record<string, (zone: string) => Kind>> = {
  TINYINT: () => flat(new Int8(), Int8Array),
  SMALLINT: () => flat(new Int16(), Int16Array),
  INTEGER: () => flat(new Int32(), Int32Array),
  BIGINT: () => flat(new Int64(), bits64),
  UTINYINT: () => flat(new Uint8(), Uint8Array),
  USMALLINT: () => flat(new Uint16(), Uint16Array),
  UINTEGER: () => flat(new Uint32(), Uint32Array),
  UBIGINT: () => flat(new Uint64(), BigUint64Array as unknown as Numbers),
  FLOAT: () => flat(new Float32(), Float32Array),
  DOUBLE: () => flat(new Float64(), Float64Array),
  HUGEINT: () => flat(new Decimal(0, 38), Uint32Array, 16),
  DATE: () => flat(new DateDay(), Int32Array),
  TIME: () => flat(new TimeMicrosecond(), bits64),
  TIME_NS: () => flat(new TimeNanosecond(), bits64),
  TIMESTAMP_S: () => flat(new TimestampSecond(), bits64),
  TIMESTAMP_MS: () => flat(new TimestampMillisecond(), bits64),
  TIMESTAMP: () => flat(new TimestampMicrosecond(), bits64),
  TIMESTAMP_NS: () => flat(new TimestampNanosecond(), bits64),
  TIMESTAMP_TZ: (zone) => flat(new TimestampMicrosecond(zone), bits64),
  BOOLEAN: () => booleans,
  INTERVAL: () => intervals,
  VARCHAR: () => strings(new Utf8()),
  BLOB: () => strings(new Binary()),
};

function kindOf(type: DuckDBType, zone: string): Kind {
  const simple = SIMPLE[ID[type.typeId]];
  if (simple) return simple(zone);
  switch (type.typeId) {
    case ID.DECIMAL:
      return decimal(type as DuckDBDecimalType);
    case ID.LIST: {
      const { valueType } = type as DuckDBListType;
      const element = kindOf(valueType, zone);
      return list(new List(fieldOf('item', valueType, element)), element);
    }
    case ID.STRUCT: {
      const { entryNames, entryTypes } = type as DuckDBStructType;
      const kinds = entryTypes.map((entry) => kindOf(entry, zone));
      const fields = kinds.map((kind, at) => fieldOf(entryNames[at]!, entryTypes[at]!, kind));
      return structure(fields, kinds);
    }
    case ID.MAP: {
      const { keyType, valueType } = type as DuckDBMapType;
      const [key, value] = [kindOf(keyType, zone), kindOf(valueType, zone)];
      return map(key, value, fieldOf('value', valueType, value));
    }
    case ID.ARRAY: {
      const { length, valueType } = type as DuckDBArrayType;
      const element = kindOf(valueType, zone);
      return array(length, fieldOf('item', valueType, element), element);
    }
    default:
      return shown(type, zone);
  }
}

/** A column or part of one. */
const fieldOf = (name: string, type: DuckDBType, kind: Kind): Field =>
  new Field(name, kind.type, true, metadataOf(type));

/** JSON is marked, because inside other values it is not quoted, and enumerations have an order. */
function metadataOf(type: DuckDBType): Map<string, string> | undefined {
  if (isJson(type)) return JSON_METADATA;
  if (type.typeId !== ID.ENUM) return undefined;
  return enumMetadata((type as DuckDBEnumType).values);
}
const JSON_METADATA = new Map([
  ['ARROW:extension:name', 'arrow.json'],
  ['ARROW:extension:metadata', ''],
]);

/** Returns an Arrow stream with these batches. */
export function streamOf(schema: Schema, batches: readonly RecordBatch[] = []): Uint8Array {
  const writer = new RecordBatchStreamWriter();
  writer.reset(undefined, schema);
  for (const batch of batches) writer.write(batch);
  return writer.finish().toUint8Array(true);
}

interface ArrowOptions {
  /** Time zone of the session. Default: UTC. */
  readonly zone?: string;
  /** Columns that become text, as shown in tables. */
  readonly texts?: ReadonlySet<number>;
}

/** Converts the chunks of a result to Arrow batches. */
export interface ArrowConverter {
  readonly schema: Schema;
  batch(chunk: DuckDBDataChunk): RecordBatch;
}

/** Creates a converter. `names`: unique names of the columns. */
export function arrowOf(
  result: DuckDBResult,
  names: readonly string[],
  { zone = 'UTC', texts }: ArrowOptions = {},
): ArrowConverter {
  const types = names.map((_, index) => result.columnType(index));
  const kinds = types.map((type, index) =>
    texts?.has(index) ? shown(type, zone) : kindOf(type, zone),
  );
  const fields = names.map((name, index) => fieldOf(name, types[index]!, kinds[index]!));
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
