import type { ColumnType, TableData } from '@tiding/client/model';
import { textRows } from '@tiding/client/model';
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
import type { RowFilter } from '../rows/filter.ts';
import { orderRows } from '../rows/row-order.ts';
import type { RowSource } from '../rows/row-source.ts';
import { runNow } from '../rows/run-generator.ts';
import type { BuiltInVisualizationProps, Category } from '../visualizations/contract.ts';
import { useRemoteOrder } from '../visualizations/table/state/use-remote-order.ts';
import sheet from './portal.css';
import { SignalChips } from './signal-chips.tsx';
import { type RowSignal, rowSignals, signalFilters } from './signal-filters.ts';

const sheets = [sheet];
const noSorts: [] = [];
const noFilters: (readonly [number, RowFilter])[] = [];
const noRows: RowSource = textRows({ columns: [], rows: [], comment: '' });

interface PortalViewProps extends BuiltInVisualizationProps {
  /** Name of the portal. */
  portal: string;
  types: readonly ColumnType[];
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
  const host = useContext(HostContext)!;
  const { bus, signals } = useRowSignals(name, source?.columns ?? table.columns);
  const { element } = portalAuthor(host);
  const isOwn = useCallback(({ by }: RowSignal) => by.element === element, [element]);
  const narrowing = useMemo(
    // A chart keeps the categories that its user can choose.
    () => signals.filter((each) => !isOwn(each)),
    [signals, isOwn],
  );
  const columns = source?.columns ?? table.columns;
  const names = useStableValue(columns, [columns.map(({ name: column }) => column).join('\n')]);
  const narrow = useCallback<NonNullable<BuiltInVisualizationProps['narrow']>>(
    (typeOf) => signalFilters(narrowing, names, typeOf),
    [narrowing, names],
  );
  const filters = useMemo(
    () => (isGrid ? noFilters : narrow((column) => types[column] ?? 'string')),
    [isGrid, narrow, types],
  );
  const rows = useNarrowedRows(table, source, types, filters);
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
        {...(isGrid ? { narrow } : { table: rows.table, source: rows.source })}
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

/** The rows of a table that pass the filters, for views that don't filter. */
function useNarrowedRows(
  table: TableData,
  source: RowSource | undefined,
  types: readonly ColumnType[],
  filters: readonly (readonly [number, RowFilter])[],
): { table: TableData; source: RowSource | undefined; length: number } {
  const narrowed = useMemo(() => {
    if (filters.length === 0) return table;
    const order = runNow(
      orderRows(textRows(table, types), {
        sorts: noSorts,
        filters,
        typeOf: (column) => types[column] ?? 'string',
      }),
    );
    return order ? { ...table, rows: Array.from(order, (row) => table.rows[row]!) } : table;
  }, [table, types, filters]);
  const remote = useRemoteOrder({
    source: source?.remote ? source : noRows,
    sorts: noSorts,
    filters,
    types: useMemo(() => new Map(types.entries()), [types]),
  });
  // The error boundary around the view shows why rows on the server can't be filtered.
  if (remote.error) throw remote.error;
  return source?.remote
    ? { table: narrowed, source: remote.source, length: remote.source.length }
    : { table: narrowed, source, length: narrowed.rows.length };
}
