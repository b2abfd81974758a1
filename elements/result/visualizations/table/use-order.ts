import { useEffect, useMemo, useState } from 'react';
import { growthStep } from './columns.ts';
import { isIdle, type Filter } from './filter.ts';
import { arrange, runInSlices, runNow, type Order } from './order.ts';
import type { RowSource } from './row-source.ts';
import type { ReadAs } from './sort-keys.ts';
import type { Sort } from './sort.ts';

/** Tables of so many rows are ordered while they are drawn. */
const atOnce = 5000;

interface Wanted {
  source: RowSource;
  sorts: readonly Sort[];
  filters: ReadonlyMap<number, Filter>;
  types: ReadonlyMap<number, ReadAs>;
}

/**
 * The rows shown and their order. Small tables are ordered at once, others between frames; until that is done the order
 * before holds. A table that grows is ordered again when it has doubled, and when it is whole.
 */
export function useOrder({ source, sorts, filters, types }: Wanted): {
  order: Order;
  busy: boolean;
} {
  const active = [...filters].filter(([, filter]) => !isIdle(filter));
  const key = JSON.stringify([sorts, active, sorts.length + active.length > 0 ? [...types] : []]);
  const idle = sorts.length === 0 && active.length === 0;
  const small = source.length <= atOnce;
  const version = idle ? 0 : small || source.complete ? source : growthStep(source.length);
  const work = () =>
    arrange(source, {
      sorts,
      filters: new Map(active),
      typeOf: (column) => types.get(column) ?? 'string',
    });
  // eslint-disable-next-line react-hooks/exhaustive-deps -- the key tells what is wanted
  const now = useMemo(() => (idle || !small ? null : runNow(work())), [key, version, small]);
  const [done, setDone] = useState<{ order: Order } | null>(null);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    if (idle || small) {
      setDone(null);
      setBusy(false);
      return undefined;
    }
    setBusy(true);
    return runInSlices(
      work(),
      (order) => {
        setDone({ order });
        setBusy(false);
      },
      (error) => {
        setBusy(false);
        reportError(error);
      },
    );
    // eslint-disable-next-line react-hooks/exhaustive-deps -- as above
  }, [key, version, small]);
  if (idle) return { order: null, busy: false };
  return small ? { order: now, busy: false } : { order: done?.order ?? null, busy };
}
