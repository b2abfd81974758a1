import type { RowColumn } from '@tiding/client/model';
import { useCallback, useMemo, useRef } from 'react';
import { useEvent, useStableValue } from '../../../../runtime/hooks.ts';
import type { BuiltInVisualizationProps } from '../../contract.ts';
import { readTableSettings, storeTableSettings, type TableState } from './table-settings.ts';

export type ChangeState = (
  change: Partial<TableState> | ((old: TableState) => Partial<TableState>),
) => void;

/** Reads the table's settings from the graph configuration and stores changes. */
export function useTableState(
  { graph, onGraph }: Pick<BuiltInVisualizationProps, 'graph' | 'onGraph'>,
  columns: readonly RowColumn[],
) {
  const stored = graph.setting['table'];
  // The objects of the columns are new whenever the table grows.
  const named = useStableValue(columns, [columns.map(({ name }) => name).join('\n')]);
  const state = useMemo(() => readTableSettings(stored, named), [stored, named]);
  // Several changes may be made before the new settings come back as props.
  const newest = useRef({ setting: graph.setting, of: stored });
  if (newest.current.of !== stored) newest.current = { setting: graph.setting, of: stored };
  const change: ChangeState = useEvent<Parameters<ChangeState>, void>((wanted) => {
    const base = newest.current.setting['table'];
    const old = readTableSettings(base, columns);
    const next = { ...old, ...(typeof wanted === 'function' ? wanted(old) : wanted) };
    const setting = { ...newest.current.setting, table: storeTableSettings(base, next, columns) };
    newest.current = { setting, of: newest.current.of };
    onGraph({ setting });
  });
  const reset = useCallback(() => {
    change({ ...readTableSettings(undefined, columns) });
  }, [change, columns]);
  return { state, change, reset };
}

/** The settings of a table, and functions that change them. */
export type TableSettings = ReturnType<typeof useTableState>;
