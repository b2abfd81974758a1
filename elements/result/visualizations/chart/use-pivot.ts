import {
  type Pivot,
  type PivotConfig,
  type PivotOptions,
  pivot,
  type TypedRows,
} from '@tiding/client/model';
import { useMemo } from 'react';
import { useChartComputation } from './use-chart-computation.ts';

/** A pivot with the column selection it was computed from. */
export interface ShownPivot {
  readonly pivot: Pivot;
  readonly config: PivotConfig;
}

/**
 * Computes the pivot of a table.
 *
 * @param source undefined computes nothing
 * @param config must be a new object whenever it changes
 * @param options must be a new object whenever they change
 */
export function usePivot(
  source: TypedRows | undefined,
  config: PivotConfig,
  options: PivotOptions,
): { shown: ShownPivot | null; busy: boolean } {
  const work = useMemo(
    () =>
      function* (rows: TypedRows): Generator<void, ShownPivot> {
        return { pivot: yield* pivot(rows, config, options), config };
      },
    [config, options],
  );
  const { shown, busy } = useChartComputation(source, work);
  return { shown: shown?.value ?? null, busy };
}
