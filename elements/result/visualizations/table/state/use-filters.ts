import { useEffect, useState } from 'react';
import { useEvent } from '../../../../runtime/hooks.ts';
import type { ColumnFilter } from '../../../rows/arrangement.ts';

/** Delay between the last key press and filtering, in ms. */
const debounce = 300;

/** State of the filter fields; the typed filters are applied after a short delay. */
export function useFilters(
  applied: ReadonlyMap<number, ColumnFilter>,
  apply: (filters: ReadonlyMap<number, ColumnFilter>) => void,
) {
  const [typed, setTyped] = useState<ReadonlyMap<number, ColumnFilter> | null>(null);
  const applyNow = useEvent(apply);
  useEffect(() => {
    if (!typed) return undefined;
    const timer = setTimeout(() => {
      applyNow(typed);
      setTyped(null);
    }, debounce);
    return () => clearTimeout(timer);
  }, [typed, applyNow]);
  const change = useEvent((column: number, filter: ColumnFilter) =>
    setTyped(new Map(typed ?? applied).set(column, filter)),
  );
  return { typed: typed ?? applied, change };
}
