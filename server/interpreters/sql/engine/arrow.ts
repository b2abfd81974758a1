/**
 * Converts columns of the SQL engine to Arrow columns. Memory is copied as a whole if both use the
 * same layout.
 */

import type {
  DuckDBArrayType,
  DuckDBDataChunk,
  DuckDBDecimalType,
  DuckDBEnumType,
  DuckDBListType,
  DuckDBMapType,
  DuckDBResult,
  DuckDBStructType,
  DuckDBType,
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
import type { DuckDB, Kind, Numbers } from './columns/column.ts';
import { array, list, map, structure } from './columns/nested.ts';
import { booleans, decimal, flat, intervals } from './columns/scalars.ts';
import { shown, strings } from './columns/texts.ts';
import { isJson } from './format.ts';

/** The engine's type ids. */
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
  ENUM: 23,
  LIST: 24,
  STRUCT: 25,
  MAP: 26,
  TIMESTAMP_TZ: 31,
  ARRAY: 33,
  TIME_NS: 39,
} as const;

function kindOf(type: DuckDBType, api: DuckDB, zone: string): Kind {
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
      return flat(new TimestampMicrosecond(zone), bits64);
    case ID.INTERVAL:
      return intervals;
    case ID.VARCHAR:
      return strings(new Utf8(), api);
    case ID.BLOB:
      return strings(new Binary(), api);
    case ID.LIST: {
      const { valueType } = type as DuckDBListType;
      const element = kindOf(valueType, api, zone);
      return list(new List(fieldOf('item', valueType, element)), element);
    }
    case ID.STRUCT: {
      const { entryNames, entryTypes } = type as DuckDBStructType;
      const kinds = entryTypes.map((entry) => kindOf(entry, api, zone));
      const fields = kinds.map((kind, at) => fieldOf(entryNames[at]!, entryTypes[at]!, kind));
      return structure(fields, kinds);
    }
    case ID.MAP: {
      const { keyType, valueType } = type as DuckDBMapType;
      const [key, value] = [kindOf(keyType, api, zone), kindOf(valueType, api, zone)];
      return map(key, value, fieldOf('value', valueType, value));
    }
    case ID.ARRAY: {
      const { length, valueType } = type as DuckDBArrayType;
      const element = kindOf(valueType, api, zone);
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
  if ((type.typeId as number) !== ID.ENUM) return undefined;
  const order = JSON.stringify((type as DuckDBEnumType).values);
  return new Map([
    ['tiding.meaning', 'enum'],
    ['tiding.order', order],
  ]);
}
const JSON_METADATA = new Map([
  ['ARROW:extension:name', 'arrow.json'],
  ['ARROW:extension:metadata', ''],
]);

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
  api: DuckDB,
  { zone = 'UTC', texts }: ArrowOptions = {},
): ArrowConverter {
  const types = names.map((_, index) => result.columnType(index));
  const kinds = types.map((type, index) =>
    texts?.has(index) ? shown(type, zone) : kindOf(type, api, zone),
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
