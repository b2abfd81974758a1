/** Columns of booleans, numbers, dates and times. */
import type { DuckDBDecimalType, DuckDBVector } from '@duckdb/node-api';
import { Bool, type DataType, Decimal, IntervalMonthDayNano, makeData } from 'apache-arrow';
import { bytesOf, type Kind, type Numbers, nullsOf, raw } from './column.ts';

/** Creates a converter for values with the same memory layout in the engine and in Arrow. */
export function flat(
  type: DataType,
  numbers: Numbers,
  width: number = numbers.BYTES_PER_ELEMENT,
): Kind {
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
      // Values that consist of several numbers may be unaligned in the engine's memory.
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

/** Creates a converter that converts values one by one. `fill` gets the source and target index. */
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

export const booleans: Kind = made(
  new Bool(),
  (count) => new Uint8Array((count + 7) >> 3),
  (vector) => {
    const bytes = bytesOf(vector);
    return (target, from, to) => {
      if (bytes[from]) target.setUint8(to >> 3, target.getUint8(to >> 3) | (1 << (to & 7)));
    };
  },
);

/** Arrow's decimals have 128 bits. The engine stores small ones in fewer. */
export function decimal({ width, scale }: DuckDBDecimalType): Kind {
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
/** Largest number of microseconds whose nanoseconds fit into 64 bits. */
const MOST = 9_223_372_036_854_775n;
export const intervals: Kind = made(
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
