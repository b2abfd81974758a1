import { useEffect, useState, useSyncExternalStore } from 'react';
import { useStableValue } from '../../../../runtime/hooks.ts';
import type { pushedArrangement } from '../../../rows/pushed-query.ts';
import type { RowArrangement } from '../../../rows/row-order.ts';
import type { ReadAs, RemoteTable, RowSource } from '../../../rows/row-source.ts';
import { runRequest } from '../../../rows/run-generator.ts';

interface Wanted extends Omit<RowArrangement, 'typeOf'> {
  source: RowSource;
  types: ReadonlyMap<number, ReadAs>;
  /** The code that describes an arrangement to the server, if there is any. */
  pushedArrangement: typeof pushedArrangement | undefined;
}

const noSubscription = () => () => {};

/**
 * Filters and sorts rows on the server; meanwhile the previous rows stay. Other sources are
 * returned as they are.
 */
export function useRemoteOrder({ source, sorts, filters, types, pushedArrangement }: Wanted): {
  source: RowSource;
  busy: boolean;
  error: Error | undefined;
} {
  const { remote } = source;
  const conditions =
    (remote &&
      pushedArrangement?.(source.columns, {
        sorts,
        filters,
        typeOf: (column) => types.get(column) ?? 'string',
      })) ??
    {};
  const key = JSON.stringify(conditions);
  const isIdle = !conditions.filters?.length && !conditions.sorts?.length;
  const wanted = useStableValue(conditions, [key]);
  const [arranged, setArranged] = useState<{ of: RemoteTable; key: string; rows: RemoteTable }>();
  const [failure, setFailure] = useState<{ key: string; error: Error }>();
  useEffect(() => {
    if (!remote || isIdle) return undefined;
    setFailure(undefined);
    return runRequest(
      (signal) => remote.arrange(wanted, signal),
      (rows) => setArranged({ of: remote, key, rows }),
      (error) => setFailure({ key, error }),
    );
  }, [remote, wanted, key, isIdle]);
  const kept = arranged && arranged.of === remote ? arranged : undefined;
  const rows = isIdle ? remote : (kept?.rows ?? remote);
  const shown = useSyncExternalStore(
    rows?.subscribe ?? noSubscription,
    () => rows?.source() ?? source,
  );
  const failed = failure?.key === key ? failure.error : undefined;
  return {
    source: remote ? shown : source,
    busy: remote !== undefined && !isIdle && kept?.key !== key && !failed,
    error: failed ?? rows?.error,
  };
}
