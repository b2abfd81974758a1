import { useCallback, useEffect, useRef, useState } from 'react';
import type { ColumnFilter } from '../../../rows/arrangement.ts';

/** Delay between the last key press and filtering, in ms. */
const debounce = 300;

/** State of the filter fields; the typed filters are applied after a short delay. */
export function useFilters(
  applied: ReadonlyMap<number, ColumnFilter>,
  apply: (filters: ReadonlyMap<number, ColumnFilter>) => void,
) {
  const [typed, setTyped] = useState<ReadonlyMap<number, ColumnFilter> | null>(null);
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
    (column: number, filter: ColumnFilter) => setTyped(new Map(now.current).set(column, filter)),
    [],
  );
  return { typed: typed ?? applied, change };
}
