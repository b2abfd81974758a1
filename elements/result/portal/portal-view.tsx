import type { ColumnType } from '@tiding/client/model';
import { runNow } from '@tiding/client/model';
import {
  type FunctionComponent,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useSyncExternalStore,
} from 'react';
import { type Portal, portal, portalAuthor } from '../../portal/bus.ts';
import { HostContext, useStableValue } from '../../runtime/hooks.ts';
import { useSheets } from '../../runtime/use-sheets.ts';
import type { RowFilter } from '../rows/arrangement.ts';
import { pushedArrangement } from '../rows/pushed-query.ts';
import { orderRows, rowsInOrder } from '../rows/row-order.ts';
import type { RowSource } from '../rows/row-source.ts';
import { viewTable } from '../rows/view-table.ts';
import type { BuiltInVisualizationProps, Category } from '../visualizations/contract.ts';
import { useRemoteOrder } from '../visualizations/table/state/use-remote-order.ts';
import sheet from './portal.css';
import { SignalChips } from './signal-chips.tsx';
import { type RowSignal, rowSignals, signalFilters } from './signal-filters.ts';

const sheets = [sheet];
const noSorts: [] = [];
const noFilters: (readonly [number, RowFilter])[] = [];

interface PortalViewProps extends BuiltInVisualizationProps {
  /** Name of the portal. */
  portal: string;
  View: FunctionComponent<BuiltInVisualizationProps>;
  /** Whether the view filters rows itself, with the filters of its user. */
  isGrid: boolean;
}

/**
 * A table or chart in a portal: shows only the rows that match the signals about its columns, and
 * sends what the user selects in a chart.
 */
export default function PortalView({ portal: name, View, isGrid, ...props }: PortalViewProps) {
  useSheets(sheets);
  const { table, source, types, onShown } = props;
  const { columns } = source;
  const host = useContext(HostContext)!;
  const { bus, signals } = useRowSignals(name, columns);
  const { element } = portalAuthor(host);
  const isOwn = useCallback(({ by }: RowSignal) => by.element === element, [element]);
  const narrowing = useMemo(
    // A chart keeps the categories that its user can choose.
    () => signals.filter((each) => !isOwn(each)),
    [signals, isOwn],
  );
  const names = useStableValue(columns, [columns.map(({ name: column }) => column).join('\n')]);
  const narrow = useCallback<NonNullable<BuiltInVisualizationProps['narrow']>>(
    (typeOf) => signalFilters(narrowing, names, typeOf),
    [narrowing, names],
  );
  const filters = useMemo(
    () => (isGrid ? noFilters : narrow((column) => types[column] ?? 'string')),
    [isGrid, narrow, types],
  );
  const rows = useNarrowedRows(source, types, filters);
  const narrowedTable = useMemo(
    () => (rows === source ? table : viewTable(rows, table.comment)),
    [rows, source, table],
  );
  const shown = filters.length > 0 ? rows.length : undefined;
  useEffect(() => {
    if (!isGrid) onShown(shown);
    return isGrid ? undefined : () => onShown(undefined);
  }, [isGrid, onShown, shown]);

  const sent = signals.some(isOwn);
  const onCategories = (categories: readonly Category[]): void => {
    for (const own of bus.signals())
      if (own.by.element === element && own.signal !== 'cluster' && own.signal !== 'theme') {
        const { signal, value } = own;
        if (!categories.some((each) => each.column === value.column && signalOf(each) === signal))
          bus.clear(signal, { by: host, column: value.column });
      }
    for (const category of categories) bus.set(signalOf(category), category, { by: host });
  };
  return (
    <>
      <SignalChips
        signals={signals}
        isOwn={isOwn}
        onRemove={({ signal, value }) => bus.clear(signal, { by: host, column: value.column })}
      />
      <View
        {...props}
        {...(isGrid ? { narrow } : { table: narrowedTable, source: rows })}
        onCategories={onCategories}
        hasCategories={sent}
      />
    </>
  );
}

const signalOf = (category: Category): 'selection' | 'range' =>
  'values' in category ? 'selection' : 'range';

/** The signals of a portal about the columns of a table. Others cause no render. */
function useRowSignals(
  name: string,
  columns: readonly { readonly name: string }[],
): { bus: Portal; signals: readonly RowSignal[] } {
  const bus = useMemo(() => portal(name), [name]);
  const read = () => rowSignals(bus.signals(), columns);
  const key = useSyncExternalStore(bus.subscribe, () => JSON.stringify(read()));
  return { bus, signals: useStableValue(read(), [key]) };
}

/** The rows that pass the filters, for views that don't filter. */
function useNarrowedRows(
  source: RowSource,
  types: readonly ColumnType[],
  filters: readonly (readonly [number, RowFilter])[],
): RowSource {
  const narrowed = useMemo(() => {
    if (filters.length === 0 || source.remote) return source;
    const typeOf = (column: number) => types[column] ?? 'string';
    const order = runNow(orderRows(source, { sorts: noSorts, filters, typeOf }));
    return order ? rowsInOrder(source, order) : source;
  }, [source, types, filters]);
  const remote = useRemoteOrder({
    source: narrowed,
    sorts: noSorts,
    filters,
    types: useMemo(() => new Map(types.entries()), [types]),
    pushedArrangement,
  });
  // The error boundary around the view shows why rows on the server can't be filtered.
  if (remote.error) throw remote.error;
  return remote.source;
}
