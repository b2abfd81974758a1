/** Columns of texts and binary values, and of values that Arrow has no type for. */
import {
  DuckDBBlobVector,
  type DuckDBType,
  type DuckDBValue,
  type DuckDBVector,
} from '@duckdb/node-api';
import { type Binary, type Data, type DataType, makeData, Utf8 } from 'apache-arrow';
import { formatterOf } from '../format.ts';
import { checkBytes, type Kind, nullsOf, type Rows, raw } from './column.ts';

/** Concatenates byte strings. `each` returns those of a row. */
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
      checkBytes(end + bytes.length);
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

/** Creates a converter for text and binary values, whose bytes are taken from the engine. */
export const strings = (type: Utf8 | Binary): Kind => ({
  type,
  data(vector, count, rows) {
    const { dataView, validity } = raw(vector);
    const { itemCount } = vector;
    const bytes = new DuckDBBlobVector(dataView!, validity, undefined as never, 0, itemCount);
    return texts(type, vector, count, rows, (from) => {
      if (!validity.itemValid(from)) return undefined;
      // A string starts with its length. Longer ones are not copied from the engine at all.
      checkBytes(dataView!.getUint32(from * 16, true));
      return bytes.getItemBytes(from) ?? undefined;
    });
  },
});

const encoder = new TextEncoder();
/** Creates a converter for types that Arrow lacks. The values become text, as shown in tables. */
export function shown(columnType: DuckDBType, zone: string): Kind {
  const format = formatterOf(columnType, zone);
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
