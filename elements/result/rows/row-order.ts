import { type ColumnSort, isIdle, type RowFilters } from './arrangement.ts';
import { filterRows } from './filter.ts';
import type { ReadAs, RowSource } from './row-source.ts';
import { sortRows } from './sort.ts';

/** Sorting and filtering of a view. */
export interface RowArrangement {
  readonly sorts: readonly ColumnSort[];
  readonly filters: RowFilters;
  readonly typeOf: (column: number) => ReadAs;
}

/**
 * Indices of the rows to show, in display order; null if all rows are shown in their original
 * order.
 */
export type RowOrder = Uint32Array | null;

/** Filters and sorts the rows; yields regularly so that the page stays responsive. */
export function* orderRows(
  source: RowSource,
  { sorts, filters, typeOf }: RowArrangement,
): Generator<void, RowOrder> {
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

/** Returns some rows of a source as a source. */
export const rowsInOrder = (
  { columns, complete, nullText, isText, value }: RowSource,
  order: Uint32Array,
): RowSource => ({
  columns,
  length: order.length,
  complete,
  nullText,
  ...(isText && { isText }),
  value: (row, column, limit) => value(order[row] ?? -1, column, limit),
});
