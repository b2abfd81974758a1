/** Turns a large table in an Arrow stream into a database file. */
import { createReadStream } from 'node:fs';
import * as api from '@duckdb/node-api';
import { arrowBoolean, arrowBytes, arrowDecimal, hasArrowValue } from '@tiding/client/model';
import {
  type Data,
  DataType,
  DateUnit,
  type Field,
  RecordBatchReader,
  TimeUnit,
} from 'apache-arrow';
import type { DatabaseTarget } from '../../../contract.ts';
import { enumOrder } from '../../../table-text.ts';
import { streamOf } from '../arrow.ts';
import { slots } from '../database.ts';
import type { ImportedTable } from '../messages.ts';
import { TableFile } from './table-file.ts';

/** Rows of a chunk of the engine. */
const CHUNK_ROWS = 2_048;

/** A column: its type in the engine, and how its values get into a chunk. */
interface ImportedColumn {
  readonly type: api.DuckDBType;
  /** Fills a column of a chunk with the rows from `from` on. */
  fill(data: Data, from: number, chunk: api.DuckDBDataChunk, column: number): void;
}

/** Fields of vectors, which their public types do not declare. */
interface FlatVector {
  readonly items: { set(values: ArrayLike<number> | ArrayLike<bigint>): void };
  readonly validity: { setItemValid(row: number, isValid: boolean): void };
  flush(): void;
}

/** A column whose values have the same memory layout in Arrow and in the engine. */
const flat = (type: api.DuckDBType): ImportedColumn => ({
  type,
  fill(data, from, chunk, column) {
    const vector = chunk.getColumnVector(column) as unknown as FlatVector;
    const count = chunk.rowCount;
    vector.items.set((data.values as Int32Array).subarray(from, from + count));
    if (data.nullCount > 0)
      for (let row = 0; row < count; row += 1)
        if (!hasArrowValue(data, from + row)) vector.validity.setItemValid(row, false);
    vector.flush();
  },
});

/** A column whose values are converted one by one. */
const converted = (
  type: api.DuckDBType,
  read: (data: Data, row: number) => api.DuckDBValue,
): ImportedColumn => ({
  type,
  fill(data, from, chunk, column) {
    const values = Array.from({ length: chunk.rowCount }, (_, row) =>
      hasArrowValue(data, from + row) ? read(data, from + row) : null,
    );
    chunk.setColumnValues(column, values);
  },
});

const decoder = new TextDecoder();
const integers = {
  signed: { 8: api.TINYINT, 16: api.SMALLINT, 32: api.INTEGER, 64: api.BIGINT },
  unsigned: { 8: api.UTINYINT, 16: api.USMALLINT, 32: api.UINTEGER, 64: api.UBIGINT },
};

/** Returns the column of the engine for an Arrow type. Throws for types that no caller writes. */
function columnOf({ type, metadata }: Field): ImportedColumn {
  if (DataType.isBool(type)) return converted(api.BOOLEAN, arrowBoolean);
  if (DataType.isInt(type))
    return flat(integers[type.isSigned ? 'signed' : 'unsigned'][type.bitWidth]);
  if (DataType.isFloat(type)) return flat(type.ArrayType === Float32Array ? api.FLOAT : api.DOUBLE);
  if (DataType.isDecimal(type)) {
    const { precision, scale } = type;
    return converted(
      api.DECIMAL(precision, scale),
      (data, row) => new api.DuckDBDecimalValue(arrowDecimal(data, row), precision, scale),
    );
  }
  if (DataType.isDate(type) && type.unit === DateUnit.DAY) return flat(api.DATE);
  if (DataType.isTime(type) && type.unit === TimeUnit.MICROSECOND) return flat(api.TIME);
  if (DataType.isTimestamp(type) && type.unit === TimeUnit.MICROSECOND)
    return flat(type.timezone ? api.TIMESTAMPTZ : api.TIMESTAMP);
  if (DataType.isUtf8(type)) {
    const order = enumOrder(metadata);
    return converted(order ? api.ENUM(order) : api.VARCHAR, (data, row) =>
      decoder.decode(arrowBytes(data, row)),
    );
  }
  if (DataType.isBinary(type))
    return converted(api.BLOB, (data, row) => new api.DuckDBBlobValue(arrowBytes(data, row)));
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
    const columns = schema.fields.map(columnOf);
    const types = columns.map(({ type }) => type);
    const table = await TableFile.create(target, types.map(String));
    try {
      let accepts = true;
      for await (const batch of reader) {
        for (let from = 0; accepts && from < batch.numRows; from += CHUNK_ROWS) {
          signal.throwIfAborted();
          const count = Math.min(CHUNK_ROWS, batch.numRows - from);
          const chunk = api.DuckDBDataChunk.create(types, count);
          for (const [at, column] of columns.entries())
            column.fill(batch.data.children[at]!, from, chunk, at);
          accepts = table.append(chunk);
        }
        if (!accepts) break;
      }
    } catch (error) {
      table.discard();
      throw error;
    }
    return { ...(await table.finish()), schema: streamOf(schema) };
  });
}
