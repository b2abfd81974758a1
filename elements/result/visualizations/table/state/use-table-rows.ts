import { use, useEffect, useMemo, useState } from 'react';
import { useStableValue } from '../../../../runtime/hooks.ts';
import { createLazyValue } from '../../../../runtime/lazy-value.ts';
import { isIdle, type RowFilters } from '../../../rows/arrangement.ts';
import type { RowSource } from '../../../rows/row-source.ts';
import type { BuiltInVisualizationProps } from '../../contract.ts';
import { growColumns, growthStep, type ReadColumn, readColumns } from '../layout/columns.ts';
import type { TableState } from './table-settings.ts';
import { usePaging } from './use-paging.ts';
import { useRemoteOrder } from './use-remote-order.ts';
import { useRowOrder } from './use-row-order.ts';

const ordering = createLazyValue(() => import('./ordering.ts'));
/** Loads the code that sorts and filters before the user does. */
export const preloadOrdering = (): void => void ordering.load().catch(() => {});

const noSorts: TableState['sorts'] = [];
const noFilters: RowFilters = [];

/**
 * Describes the columns, and sorts, filters and pages the rows as configured, unless they are
 * pending. `all` is the number of rows that pass the filters.
 */
export function useTableRows(
  given: RowSource,
  state: TableState,
  {
    optionOpen,
    onShown,
    narrow,
    pending,
  }: Pick<BuiltInVisualizationProps, 'optionOpen' | 'onShown' | 'narrow' | 'pending'>,
) {
  // A growing table is not analysed again for each row.
  const sampled = useStableValue({ source: given }, [
    given.columns,
    growthStep(given.length),
    given.remote,
  ]);
  const read = useMemo(
    () =>
      readColumns(sampled.source, (column) => ({
        type: state.types.get(column),
        format: state.formats.get(column),
      })),
    [sampled, state.types, state.formats],
  );
  const types = useMemo(() => new Map(read.map(({ index, type }) => [index, type])), [read]);
  const filters = useMemo(
    () => [
      ...((!pending && narrow?.((column) => types.get(column) ?? 'string')) || noFilters),
      ...(optionOpen && !pending ? state.filters : noFilters),
    ],
    [narrow, types, optionOpen, pending, state.filters],
  );
  const sorts = pending ? noSorts : state.sorts;
  const idle = sorts.length === 0 && filters.every(([, filter]) => isIdle(filter));
  // A table whose settings sort or filter it suspends: it would show other rows first.
  const code = idle ? undefined : (ordering.now() ?? use(ordering.load()));
  const remote = useRemoteOrder({
    source: given,
    sorts,
    filters,
    types,
    pushedArrangement: code?.pushedArrangement,
  });
  const local = useRowOrder({
    source: given,
    sorts: given.remote ? noSorts : sorts,
    filters: given.remote ? noFilters : filters,
    types,
    orderRows: code?.orderRows,
  });
  const { source } = remote;
  const { order } = local;
  const busy = local.busy || remote.busy;
  const all = order ? order.length : source.length;

  const filtered = filters.some(([, filter]) => !isIdle(filter)) ? all : undefined;
  useEffect(() => {
    onShown(filtered);
  }, [filtered, onShown]);
  useEffect(() => () => onShown(undefined), [onShown]);
  return {
    read: useGrownColumns(read, source),
    source,
    order,
    busy,
    error: remote.error,
    all,
    ...usePaging(order, all, state),
  };
}

/** The rows of a table as shown. */
export type TableRows = ReturnType<typeof useTableRows>;

/** Returns the columns with room for what was loaded since; see {@link growColumns}. */
function useGrownColumns(read: readonly ReadColumn[], source: RowSource): readonly ReadColumn[] {
  const [last, setLast] = useState({ read, source, columns: read });
  if (last.read === read && last.source === source) return last.columns;
  const columns = growColumns(last.read === read ? last.columns : read, source);
  setLast({ read, source, columns });
  return columns;
}
