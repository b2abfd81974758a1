import { useCallback, useMemo, useRef } from 'react';
import { useEvent } from '../../../runtime/hooks.ts';
import type { OwnVisualizationProps } from '../contract.ts';
import type { RowColumn } from './row-source.ts';
import { readSettings, storeSettings, type TableState } from './settings.ts';

export type ChangeState = (
  change: Partial<TableState> | ((old: TableState) => Partial<TableState>),
) => void;

/** What is configured of the table, and how that changes. */
export function useTableState(
  { graph, onGraph }: Pick<OwnVisualizationProps, 'graph' | 'onGraph'>,
  columns: readonly RowColumn[],
): { state: TableState; change: ChangeState; reset: () => void } {
  const stored = graph.setting['table'];
  const names = columns.map(({ name }) => name).join('\n');
  // eslint-disable-next-line react-hooks/exhaustive-deps -- a growing table has new columns of the same names
  const state = useMemo(() => readSettings(stored, columns), [stored, names]);
  // Several changes may come before the settings are there again.
  const newest = useRef({ setting: graph.setting, of: stored });
  if (newest.current.of !== stored) newest.current = { setting: graph.setting, of: stored };
  const change = useEvent<Parameters<ChangeState>, void>((wanted) => {
    const base = newest.current.setting['table'];
    const old = readSettings(base, columns);
    const next = { ...old, ...(typeof wanted === 'function' ? wanted(old) : wanted) };
    const setting = { ...newest.current.setting, table: storeSettings(base, next, columns) };
    newest.current = { setting, of: newest.current.of };
    onGraph({ setting });
  });
  const reset = useCallback(() => {
    change({ ...readSettings(undefined, columns) });
  }, [change, columns]);
  return { state, change, reset };
}
