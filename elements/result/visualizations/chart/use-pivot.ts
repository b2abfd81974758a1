import {
  type Pivot,
  type PivotConfig,
  type PivotOptions,
  pivotCells,
  type TableData,
} from '@tiding/client/model';
import { useMemo } from 'react';
import {
  type ChartComputation,
  chartWorker,
  useChartComputation,
} from './use-chart-computation.ts';

/** Tables with up to this many rows are aggregated synchronously. */
const small = 20_000;

interface PivotWork extends ChartComputation<Pivot> {
  readonly config: PivotConfig;
}

/** A pivot with the column selection it was computed from. */
export interface ShownPivot {
  readonly pivot: Pivot;
  readonly config: PivotConfig;
}

/**
 * Computes the pivot of a table; in a worker if it has many rows.
 *
 * @param config must be a new object whenever it changes
 * @param options must always be the same object
 */
export function usePivot(
  table: TableData,
  config: PivotConfig,
  options: PivotOptions,
): { shown: ShownPivot | null; busy: boolean } {
  const work = useMemo<PivotWork>(
    () => ({
      config,
      indexes: [...config.keys, ...config.groups, ...config.values].map(({ index }) => index),
      compute: (source) => pivotCells(source, config, options),
      computeInWorker: (columns, length, transfer) =>
        chartWorker.call('pivot', { columns, length, config, options }, transfer),
    }),
    [config, options],
  );
  const { shown, busy } = useChartComputation<Pivot, PivotWork>(table, work, small);
  return {
    shown: useMemo(() => shown && { pivot: shown.value, config: shown.work.config }, [shown]),
    busy,
  };
}
