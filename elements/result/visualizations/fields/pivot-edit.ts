import type { PivotConfig } from '@tiding/client/model';
import type { StoredColumn } from '../../view-settings.ts';

/** The drop areas of a pivot chart. */
export type PivotWell = 'keys' | 'groups' | 'values';

/**
 * Adds a column. It can occur once among the keys and once among the groups, but several times
 * among the values, each with its own aggregation.
 */
export function addToWell(
  pivot: PivotConfig,
  well: PivotWell,
  { name, index, aggr = 'sum' }: StoredColumn,
): PivotConfig {
  if (well !== 'values' && pivot[well].some((column) => column.index === index)) return pivot;
  return { ...pivot, [well]: [...pivot[well], { name, index, aggr }] };
}

export function removeFromWell(pivot: PivotConfig, well: PivotWell, at: number): PivotConfig {
  return { ...pivot, [well]: pivot[well].filter((_, position) => position !== at) };
}

/** Moves a column from one drop area to another. */
export function moveToWell(
  pivot: PivotConfig,
  from: PivotWell,
  at: number,
  to: PivotWell,
): PivotConfig {
  const column = pivot[from][at];
  if (!column || from === to) return pivot;
  return addToWell(removeFromWell(pivot, from, at), to, column);
}

/** Changes the aggregation of a value, or how it runs along the axis. */
export function changeValue(
  pivot: PivotConfig,
  at: number,
  patch: Pick<Partial<StoredColumn>, 'aggr' | 'running' | 'window'>,
): PivotConfig {
  return {
    ...pivot,
    values: pivot.values.map((column, position) =>
      position === at ? { ...column, ...patch } : column,
    ),
  };
}
