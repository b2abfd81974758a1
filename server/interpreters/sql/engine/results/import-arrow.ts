/** Turns a large table in an Arrow stream into a database file. */
import { createReadStream } from 'node:fs';
import * as api from '@duckdb/node-api';
import { arrowBoolean, arrowBytes, arrowDecimal, hasArrowValue } from '@tiding/client/model';
import {
  type Data,
  DataType,
  RecordBatchReader,
  RecordBatchStreamWriter,
  TimeUnit,
} from 'apache-arrow';
import type { DatabaseTarget } from '../../../contract.ts';
import { slots } from '../database.ts';
import type { ImportedTable } from '../messages.ts';
import { TableFile } from './table-file.ts';

/** Rows of a chunk of the engine. */
const CHUNK_ROWS = 2_048;

/** A column: its type in the engine, and its values by row. */
interface ImportedColumn {
  readonly type: api.DuckDBType;
  read(data: Data): (row: number) => api.DuckDBValue;
}

const items = <T>(data: Data): ArrayLike<T> => data.values as unknown as ArrayLike<T>;
const plain = (type: api.DuckDBType): ImportedColumn => ({
  type,
  read: (data) => (row) => items<number | bigint>(data)[row]!,
});
const micros = (
  type: api.DuckDBType,
  create: (value: bigint) => api.DuckDBValue,
): ImportedColumn => ({ type, read: (data) => (row) => create(items<bigint>(data)[row]!) });

const decoder = new TextDecoder();
const integers = {
  signed: { 8: api.TINYINT, 16: api.SMALLINT, 32: api.INTEGER, 64: api.BIGINT },
  unsigned: { 8: api.UTINYINT, 16: api.USMALLINT, 32: api.UINTEGER, 64: api.UBIGINT },
};

/** Returns the column of the engine for an Arrow type. Throws for types that no caller writes. */
function columnOf(type: DataType): ImportedColumn {
  if (DataType.isBool(type))
    return { type: api.BOOLEAN, read: (data) => (row) => arrowBoolean(data, row) };
  if (DataType.isInt(type))
    return plain(integers[type.isSigned ? 'signed' : 'unsigned'][type.bitWidth]);
  if (DataType.isFloat(type))
    return plain(type.ArrayType === Float32Array ? api.FLOAT : api.DOUBLE);
  if (DataType.isDecimal(type)) {
    const { precision, scale } = type;
    return {
      type: api.DECIMAL(precision, scale),
      read: (data) => (row) =>
        new api.DuckDBDecimalValue(arrowDecimal(data, row), precision, scale),
    };
  }
  if (DataType.isDate(type))
    return {
      type: api.DATE,
      read: (data) => (row) => new api.DuckDBDateValue(items<number>(data)[row]!),
    };
  if (DataType.isTime(type) && type.unit === TimeUnit.MICROSECOND)
    return micros(api.TIME, (value) => new api.DuckDBTimeValue(value));
  if (DataType.isTimestamp(type) && type.unit === TimeUnit.MICROSECOND)
    return type.timezone
      ? micros(api.TIMESTAMPTZ, (value) => new api.DuckDBTimestampTZValue(value))
      : micros(api.TIMESTAMP, (value) => new api.DuckDBTimestampValue(value));
  if (DataType.isUtf8(type))
    return { type: api.VARCHAR, read: (data) => (row) => decoder.decode(arrowBytes(data, row)) };
  if (DataType.isBinary(type))
    return {
      type: api.BLOB,
      read: (data) => (row) => new api.DuckDBBlobValue(arrowBytes(data, row)),
    };
  throw new Error(`Columns of the type ${type} can't be imported.`);
}

/** Writes the rows up to the limits. */
export async function importArrow(
  file: string,
  target: DatabaseTarget,
  signal: AbortSignal,
): Promise<ImportedTable> {
  return slots.use(signal, async () => {
    const reader = await RecordBatchReader.from(createReadStream(file));
    await reader.open();
    const { schema } = reader;
    const columns = schema.fields.map(({ type }) => columnOf(type));
    const types = columns.map(({ type }) => type);
    const table = await TableFile.create(target, types.map(String), api);
    try {
      let accepts = true;
      for await (const batch of reader) {
        const read = columns.map((column, at) => {
          const data = batch.data.children[at]!;
          const value = column.read(data);
          return (row: number) => (hasArrowValue(data, row) ? value(row) : null);
        });
        for (let from = 0; accepts && from < batch.numRows; from += CHUNK_ROWS) {
          signal.throwIfAborted();
          const count = Math.min(CHUNK_ROWS, batch.numRows - from);
          const chunk = api.DuckDBDataChunk.create(types, count);
          for (const [at, value] of read.entries())
            chunk.setColumnValues(
              at,
              Array.from({ length: count }, (_, row) => value(from + row)),
            );
          accepts = table.append(chunk);
        }
        if (!accepts) break;
      }
    } catch (error) {
      table.discard();
      throw error;
    }
    const written = await table.finish();
    const writer = new RecordBatchStreamWriter();
    writer.reset(undefined, schema);
    return { ...written, schema: writer.finish().toUint8Array(true) };
  });
}
