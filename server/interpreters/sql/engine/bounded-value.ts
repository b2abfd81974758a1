/** Reads values of the engine up to a size, so that one value cannot fill the memory. */
import {
  DuckDBArrayValue,
  DuckDBArrayVector,
  DuckDBBlobValue,
  DuckDBBlobVector,
  DuckDBListValue,
  DuckDBListVector,
  DuckDBMapValue,
  DuckDBMapVector,
  DuckDBStructValue,
  DuckDBStructVector,
  type DuckDBValue,
  DuckDBVarCharVector,
  type DuckDBVector,
} from '@duckdb/node-api';
import { bytesOf, raw } from './columns/column.ts';

/** What may still be read, in characters; scalars count as {@link SCALAR_SIZE}. */
interface Budget {
  left: number;
  cut: boolean;
}

/** Size of a number, a date and the like. */
const SCALAR_SIZE = 8;
const decoder = new TextDecoder();

/**
 * Returns the value of a row. Texts, binary values and lists end where the budget ends; `cut` tells
 * that they did.
 */
export function boundedValue(vector: DuckDBVector, row: number, budget: Budget): DuckDBValue {
  budget.left -= 1;
  if (vector instanceof DuckDBVarCharVector || vector instanceof DuckDBBlobVector) {
    const text = vector instanceof DuckDBVarCharVector;
    const { dataView, validity } = raw(vector);
    if (!validity.itemValid(row)) return null;
    // A string starts with its length; see the engine's type string_t.
    const length = dataView!.getUint32(row * 16, true);
    if (length <= budget.left) {
      budget.left -= length;
      return vector.getItem(row);
    }
    const room = Math.max(0, budget.left);
    budget.left = 0;
    budget.cut = true;
    const bytes = firstBytes(vector, row, room);
    // A character that was cut in two is dropped.
    return text
      ? decoder.decode(bytes).replace(/\uFFFD$/, '')
      : new DuckDBBlobValue(Uint8Array.from(bytes));
  }
  if (vector instanceof DuckDBListVector) {
    if (!raw(vector).validity.itemValid(row)) return null;
    const start = vector.getEntryOffset(row);
    return new DuckDBListValue(
      items(vector.childVector, start, vector.getEntryLength(row), budget),
    );
  }
  if (vector instanceof DuckDBArrayVector) {
    if (!raw(vector).validity.itemValid(row)) return null;
    const { childData, arrayType } = vector as unknown as {
      childData: DuckDBVector;
      arrayType: { length: number };
    };
    const { length } = arrayType;
    return new DuckDBArrayValue(items(childData, row * length, length, budget));
  }
  if (vector instanceof DuckDBMapVector) {
    const { listVector } = vector as unknown as { listVector: DuckDBListVector };
    if (!raw(listVector).validity.itemValid(row)) return null;
    const pairs = listVector.childVector as DuckDBStructVector;
    const start = listVector.getEntryOffset(row);
    const entries = [];
    for (let at = 0; at < listVector.getEntryLength(row); at += 1) {
      if (isSpent(budget)) break;
      entries.push({
        key: boundedValue(pairs.entryVectorAt(0), start + at, budget),
        value: boundedValue(pairs.entryVectorAt(1), start + at, budget),
      });
    }
    return new DuckDBMapValue(entries);
  }
  if (vector instanceof DuckDBStructVector) {
    if (!raw(vector).validity.itemValid(row)) return null;
    const { entryNames } = vector.type;
    return new DuckDBStructValue(
      Object.fromEntries(
        entryNames.map((name, at) => [name, boundedValue(vector.entryVectorAt(at), row, budget)]),
      ),
    );
  }
  budget.left -= SCALAR_SIZE;
  return vector.getItem(row) as DuckDBValue;
}

function items(vector: DuckDBVector, start: number, length: number, budget: Budget): DuckDBValue[] {
  const values: DuckDBValue[] = [];
  for (let at = 0; at < length && !isSpent(budget); at += 1)
    values.push(boundedValue(vector, start + at, budget));
  return values;
}

function isSpent(budget: Budget): boolean {
  if (budget.left > 0) return false;
  budget.cut = true;
  return true;
}

/** A string of the engine that is at least this long is a pointer; shorter ones have no pointer. */
const LONG_STRING = 13;

/** Returns the first `count` bytes of a text or binary value. Copies no more than these. */
function firstBytes(vector: DuckDBVector, row: number, count: number): Uint8Array {
  const { dataView, validity } = raw(vector);
  const start = dataView!.byteOffset + row * 16;
  const head = new DataView(dataView!.buffer.slice(start, start + 16));
  const length = head.getUint32(0, true);
  if (length >= LONG_STRING)
    head.setUint32(0, Math.min(length, Math.max(LONG_STRING, count)), true);
  const own = new DuckDBBlobVector(head, validity.slice(row, 1), undefined as never, 0, 1);
  return own.getItemBytes(0)!.subarray(0, count);
}

/** Returns the size of all values of a vector in bytes, without reading them. */
export function sizeOf(vector: DuckDBVector): number {
  if (vector instanceof DuckDBVarCharVector || vector instanceof DuckDBBlobVector) {
    const { dataView, validity } = raw(vector);
    let size = 0;
    for (let row = 0; row < vector.itemCount; row += 1)
      if (validity.itemValid(row)) size += dataView!.getUint32(row * 16, true);
    return size;
  }
  if (vector instanceof DuckDBListVector) return sizeOf(vector.childVector);
  if (vector instanceof DuckDBMapVector)
    return sizeOf((vector as unknown as { listVector: DuckDBListVector }).listVector);
  if (vector instanceof DuckDBArrayVector)
    return sizeOf((vector as unknown as { childData: DuckDBVector }).childData);
  if (vector instanceof DuckDBStructVector) {
    let size = 0;
    for (let entry = 0; entry < vector.type.entryCount; entry += 1)
      size += sizeOf(vector.entryVectorAt(entry));
    return size;
  }
  const { items, dataView } = raw(vector);
  return items || dataView ? bytesOf(vector).byteLength : vector.itemCount * SCALAR_SIZE;
}
