import { inSlices } from '../../../runtime/slices.ts';
import { filterRows, isIdle, type Filter } from './filter.ts';
import type { RowSource } from './row-source.ts';
import { sortRows, type Sort } from './sort.ts';
import type { ReadAs } from './sort-keys.ts';

/** Which rows a view shows, and in what order. */
export interface Arrangement {
  readonly sorts: readonly Sort[];
  readonly filters: ReadonlyMap<number, Filter>;
  readonly typeOf: (column: number) => ReadAs;
}

/** Numbers of the rows shown, in their order; null where that is simply all rows. */
export type Order = Uint32Array | null;

/** Finds the order, with pauses. */
export function* arrange(
  source: RowSource,
  { sorts, filters, typeOf }: Arrangement,
): Generator<void, Order> {
  const known = sorts.filter(({ column }) => source.columns[column]);
  const filtering = [...filters].some(
    ([column, filter]) => source.columns[column] && !isIdle(filter),
  );
  if (known.length === 0 && !filtering) return null;
  const all = new Uint32Array(source.length);
  for (let row = 0; row < all.length; row++) all[row] = row;
  const kept = yield* filterRows(source, all, filters, typeOf);
  return yield* sortRows(source, kept, known, typeOf);
}

/** Runs work with pauses to its end, here and now. */
export function runNow<T>(work: Generator<unknown, T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value as T;
  }
}

/** Runs work with pauses between frames. Returns what stops it. */
export function runInSlices<T>(
  work: Generator<unknown, T>,
  onDone: (result: T) => void,
  onError: (error: unknown) => void = reportError,
): () => void {
  return inSlices(() => {
    try {
      const { done, value } = work.next();
      if (!done) return true;
      onDone(value as T);
    } catch (error) {
      onError(error);
    }
    return false;
  });
}
