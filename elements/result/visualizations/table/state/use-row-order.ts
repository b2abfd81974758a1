import { runNow } from '@tiding/client/model';
import { useEffect, useMemo, useState } from 'react';
import { useStableValue } from '../../../../runtime/hooks.ts';
import { type ColumnSort, isIdle, type RowFilters } from '../../../rows/arrangement.ts';
import type { orderRows, RowOrder } from '../../../rows/row-order.ts';
import type { ReadAs, RowSource } from '../../../rows/row-source.ts';
import { runGenerator } from '../../../rows/run-generator.ts';
import { growthStep } from '../layout/columns.ts';

/** Tables up to this many rows are sorted synchronously during rendering. */
const atOnce = 5000;

interface Wanted {
  source: RowSource;
  sorts: readonly ColumnSort[];
  filters: RowFilters;
  types: ReadonlyMap<number, ReadAs>;
  /** The code that sorts and filters, if anything is sorted or filtered. */
  orderRows: typeof orderRows | undefined;
}

/**
 * Returns the rows to show, in order. Small tables are sorted synchronously, others between frames;
 * meanwhile the previous order stays. A growing table is sorted again each time it doubles and when
 * it is complete.
 */
export function useRowOrder({ source, sorts, filters, types, orderRows }: Wanted): {
  order: RowOrder;
  busy: boolean;
} {
  const active = [...filters].filter(([, filter]) => !isIdle(filter));
  const key = JSON.stringify([sorts, active, sorts.length + active.length > 0 ? [...types] : []]);
  const idle = sorts.length === 0 && active.length === 0;
  const small = source.length <= atOnce;
  const version = idle ? 0 : small || source.complete ? source : growthStep(source.length);
  // The key represents sorts, filters and types.
  const work = useStableValue(
    () =>
      orderRows!(source, {
        sorts,
        filters: active,
        typeOf: (column) => types.get(column) ?? 'string',
      }),
    [key, version, small],
  );
  const now = useMemo(() => (idle || !small ? null : runNow(work())), [work, idle, small]);
  const [done, setDone] = useState<{ order: RowOrder } | null>(null);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    if (idle || small) {
      setDone(null);
      setBusy(false);
      return undefined;
    }
    setBusy(true);
    return runGenerator(
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
  }, [work, idle, small]);
  if (idle) return { order: null, busy: false };
  return small ? { order: now, busy: false } : { order: done?.order ?? null, busy };
}
