import { useEffect, useMemo, useState } from 'react';

/** Rows are filtered this long after the last key. */
const debounce = 300;
const none: ReadonlyMap<number, string> = new Map();

/** What stands in the filter fields, and, a moment later, what the rows are filtered by. Closing the row lifts it. */
export function useFilters(open: boolean) {
  const [typed, setTyped] = useState<ReadonlyMap<number, string>>(none);
  const [applied, setApplied] = useState<ReadonlyMap<number, string>>(none);
  useEffect(() => {
    const timer = setTimeout(() => setApplied(typed), debounce);
    return () => clearTimeout(timer);
  }, [typed]);
  const active = useMemo(() => (open && [...applied.values()].some((text) => text.trim() !== '') ? applied : none), [open, applied]);
  const change = useMemo(() => (index: number, text: string) => setTyped((old) => new Map(old).set(index, text)), []);
  return { typed, applied: active, change };
}
