/** Hooks for pages that draw results with components of their own. */
import type { ArrowTable, TidingError } from '@tiding/client';
import type { Pivot } from '@tiding/client/model';
import { isRunning, pivot, runNow } from '@tiding/client/pivot';
import { useMemo, useSyncExternalStore } from 'react';
import { asTidingError, useStableValue } from '../runtime/hooks.ts';
import { type LoadState, loadState, type RetryableState, useTask } from './load-state.ts';
import { type PivotDescription, pivotConfig } from './pivot-description.ts';
import {
  FollowedRows,
  NO_ROWS,
  originOf,
  type ResultRows,
  type ResultText,
} from './result-rows.ts';
import { useConnectionSettings } from './use-client.ts';

/** Result of {@link useRows}. */
export interface UseRowsResult extends RetryableState {
  /** Last table of the result; the previous one until a run has ended. */
  readonly table: ResultRows | undefined;
  /** The outputs that are no tables, such as texts and HTML. */
  readonly texts: readonly ResultText[];
  /** Status of the last run, such as `FINISHED` or `ERROR`. */
  readonly runStatus: string | undefined;
  /** Whether the paragraph is running or waiting to run. */
  readonly isRunning: boolean;
}

const never = () => () => {};

/**
 * Reads the result of a paragraph for components of your own, and again within five seconds after
 * it has changed. It opens no note, so a page that only imports this hook stays small. Tiding
 * servers only.
 *
 * @example
 * const { table, error } = useRows('2XAB9NJRE', '20261121-070135_35893072');
 * return <ul>{table?.rows.map((row, at) => <li key={at}>{row['region']}</li>)}</ul>;
 */
export function useRows(
  noteId: string | undefined,
  paragraphId: string | undefined,
): UseRowsResult {
  const settings = useConnectionSettings();
  const rows = useMemo(
    () =>
      noteId === undefined || paragraphId === undefined
        ? undefined
        : new FollowedRows(settings, noteId, paragraphId),
    [settings, noteId, paragraphId],
  );
  const { error, ...state } = useSyncExternalStore(
    rows?.subscribe ?? never,
    () => rows?.state ?? NO_ROWS,
    () => NO_ROWS,
  );
  const { runStatus } = state;
  return {
    ...state,
    isRunning: isRunning(runStatus),
    ...loadState(error, runStatus !== undefined, rows !== undefined),
    retry: () => void rows?.ask(),
  };
}

/** Result of {@link usePivot}. */
export interface UsePivotResult extends LoadState {
  /** Points and series; the previous ones until those of a new table are computed. */
  readonly pivot: Pivot | undefined;
}

/**
 * Adds up a table as the charts do, for charts of your own. Missing values are left out and groups
 * without values are `null`, as in SQL; integers and decimals are added exactly. A table that the
 * page has in part is computed on the server, or read as a whole, whichever a chart does.
 *
 * @param table that of {@link useRows}, or an Arrow table, such as that of {@link useResult}
 *
 * @example
 * const { pivot } = usePivot(table, { keys: ['region'], values: [{ column: 'sales' }] });
 * // pivot.x: ['north', 'south'], pivot.series: [{ name: 'sum of sales', values: [12, 7.5], … }]
 */
export function usePivot(
  table: ResultRows | ArrowTable | undefined,
  description: PivotDescription,
): UsePivotResult {
  const wanted = useStableValue(description, [JSON.stringify(description)]);
  const origin = table && originOf(table);
  const isHere = origin && 'total' in table! && origin.source.length === table.total;
  const here = useMemo((): { value?: Pivot; error?: TidingError } => {
    if (!isHere) return {};
    const { source } = origin;
    try {
      return { value: runNow(pivot(source, pivotConfig(source.columns, wanted), wanted)) };
    } catch (caught) {
      return { error: asTidingError(caught) };
    }
  }, [isHere, origin, wanted]);
  const away = useTask(
    table && !isHere
      ? async (signal) => (await import('./far-pivot.ts')).farPivot(table, wanted, signal)
      : undefined,
    [table, wanted],
  );
  const { value: made, error } = isHere ? here : away;
  return { pivot: made, ...loadState(error, made !== undefined, table !== undefined) };
}
