import { useCallback, useEffect, useRef, useState } from 'react';
import type { Filter } from './filter.ts';

/** Rows are filtered this long after the last key, ms. */
const debounce = 300;

/** What stands in the filter fields; a moment later, what rows are filtered by. */
export function useFilters(
  applied: ReadonlyMap<number, Filter>,
  apply: (filters: ReadonlyMap<number, Filter>) => void,
) {
  const [typed, setTyped] = useState<ReadonlyMap<number, Filter> | null>(null);
  const last = useRef(apply);
  last.current = apply;
  useEffect(() => {
    if (!typed) return undefined;
    const timer = setTimeout(() => {
      last.current(typed);
      setTyped(null);
    }, debounce);
    return () => clearTimeout(timer);
  }, [typed]);
  const now = useRef(applied);
  now.current = typed ?? applied;
  const change = useCallback(
    (column: number, filter: Filter) => setTyped(new Map(now.current).set(column, filter)),
    [],
  );
  return { typed: typed ?? applied, change };
}
