import type { Data } from 'apache-arrow';
import type { ArrowColumns } from '../tables/arrow.ts';

/** The part of a column that belongs to one record batch. */
export interface Chunk {
  /** Index of its first row in the table. */
  readonly start: number;
  /** The values. */
  readonly data: Data<ArrowColumns[string]>;
}

/** Finds the last position whose start is not greater than `row`, by binary search. */
export function lastStart(count: number, startAt: (at: number) => number, row: number): number {
  let low = 0;
  let high = count - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (startAt(middle) <= row) low = middle;
    else high = middle - 1;
  }
  return low;
}

/**
 * Returns a function that finds the chunk of a row. It remembers the last chunk, so access in
 * ascending order is cheap.
 */
export function chunkFinder(chunks: readonly Chunk[]): (row: number) => Chunk {
  let current = chunks[0]!;
  return (row) => {
    if (row >= current.start && row < current.start + current.data.length) return current;
    current = chunks[lastStart(chunks.length, (at) => chunks[at]!.start, row)]!;
    return current;
  };
}
