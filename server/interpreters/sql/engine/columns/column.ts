/** A kind of column: how its values in the SQL engine become values of Arrow. */
import type { DuckDBBlobVector, DuckDBVector } from '@duckdb/node-api';
import type { Data, DataType } from 'apache-arrow';

type DuckDBValidity = ConstructorParameters<typeof DuckDBBlobVector>[1];
/** Maximum size of the texts of a column in one batch, in bytes. */
const MAX_TEXT_BYTES = 64 * 2 ** 20;
/** Maximum number of elements of the lists of a column in one batch. */
const MAX_ITEMS = 4 * 2 ** 20;

/** Throws if a batch with so many bytes of text would be too large. */
export function checkBytes(bytes: number): void {
  if (bytes > MAX_TEXT_BYTES) throw new Error('The texts are too large to be stored.');
}

/** Throws if a batch with so many elements of lists would be too large. */
export function checkItems(count: number): void {
  if (count > MAX_ITEMS) throw new Error('The lists are too large to be stored.');
}

/** Indexes of the rows to convert; undefined: the first `count` rows. */
export type Rows = Int32Array | undefined;
/**
 * Converter for a column type. `data` converts the first `count` values, or those at `rows`, to an
 * Arrow column.
 */
export interface Kind {
  readonly type: DataType;
  data(vector: DuckDBVector, count: number, rows: Rows): Data;
}
/** Internal fields of vectors, which their public types do not declare. */
interface Raw {
  readonly items?: ArrayBufferView<ArrayBuffer>;
  readonly dataView?: DataView<ArrayBuffer>;
  readonly validity: DuckDBValidity;
}
interface RawValidity {
  readonly data: BigUint64Array<ArrayBuffer> | null;
  readonly offset: number;
}
export type Numbers = {
  new (
    buffer: ArrayBuffer,
    offset: number,
    length: number,
  ): ArrayLike<number | bigint> & ArrayBufferView<ArrayBuffer>;
  readonly BYTES_PER_ELEMENT: number;
};

export const raw = (vector: DuckDBVector) => vector as unknown as Raw;

/** Returns the bytes of a vector's values. */
export function bytesOf(vector: DuckDBVector): Uint8Array<ArrayBuffer> {
  const { items, dataView } = raw(vector);
  const view = (items ?? dataView)!;
  return new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
}

/** Returns the validity bitmap in Arrow's format, and the number of nulls. */
export function nullsOf(
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
