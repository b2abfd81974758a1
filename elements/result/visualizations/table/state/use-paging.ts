import { useCallback, useState } from 'react';
import type { RowOrder } from '../../../rows/row-order.ts';
import type { TableState } from './table-settings.ts';

/**
 * The rows of the current page, or all rows without pagination. Positions on the page start at 0.
 *
 * @param all number of rows that pass the filters
 */
export function usePaging(order: RowOrder, all: number, { options, pageSize }: TableState) {
  const [chosen, setPage] = useState(0);
  const paged = options.showPagination;
  // The page may have become invalid because rows were filtered out.
  const page = Math.min(chosen, paged ? Math.max(0, Math.ceil(all / pageSize) - 1) : 0);
  const start = paged ? page * pageSize : 0;
  const count = paged ? Math.min(pageSize, all - start) : all;
  const rowAt = useCallback(
    (position: number) => (order ? order[start + position]! : start + position),
    [order, start],
  );
  const allRowAt = useCallback(
    (position: number) => (order ? order[position]! : position),
    [order],
  );
  /** Opens the page of a position among all rows, and returns its position on that page. */
  const openPageOf = (position: number): number => {
    if (!paged) return position;
    const next = Math.floor(position / pageSize);
    setPage(next);
    return position - next * pageSize;
  };
  return { page, setPage, start, count, rowAt, allRowAt, openPageOf };
}
