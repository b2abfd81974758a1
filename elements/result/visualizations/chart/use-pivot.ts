import { useMemo } from 'react';
import {
  pivotOf,
  type Pivot,
  type PivotConfig,
  type PivotOptions,
  type TableData,
} from 'tiding/model';
import { chartWork, useAggregate, type Work } from './use-aggregate.ts';

/** Tables of up to so many rows are aggregated here and at once. */
const small = 20_000;

interface PivotWork extends Work<Pivot> {
  readonly config: PivotConfig;
}

/** A pivot as it is drawn, with the columns it was made of. */
export interface ShownPivot {
  readonly pivot: Pivot;
  readonly config: PivotConfig;
}

/**
 * The pivot of a table; off this thread where there are many rows.
 *
 * @param config a new object where it has changed
 * @param options always the same object
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
      here: (source) => pivotOf(source, config, options),
      away: (columns, length, transfer) =>
        chartWork.call('pivot', { columns, length, config, options }, transfer),
    }),
    [config, options],
  );
  const { shown, busy } = useAggregate<Pivot, PivotWork>(table, work, small);
  return {
    shown: useMemo(() => shown && { pivot: shown.made, config: shown.work.config }, [shown]),
    busy,
  };
}
