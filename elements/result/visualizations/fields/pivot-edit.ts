import type { PivotConfig } from 'tiding/model';
import type { GraphColumn } from '../../graph.ts';

/** The three places a column can be put. */
export type Well = 'keys' | 'groups' | 'values';

/** A column is once among keys and once among groups; among values as often as somebody wants it aggregated. */
export function addTo(
  pivot: PivotConfig,
  well: Well,
  { name, index, aggr = 'sum' }: GraphColumn,
): PivotConfig {
  if (well !== 'values' && pivot[well].some((column) => column.index === index)) return pivot;
  return { ...pivot, [well]: [...pivot[well], { name, index, aggr }] };
}

export function removeAt(pivot: PivotConfig, well: Well, at: number): PivotConfig {
  return { ...pivot, [well]: pivot[well].filter((_, position) => position !== at) };
}

/** Takes a chip from one well to another. */
export function moveTo(pivot: PivotConfig, from: Well, at: number, to: Well): PivotConfig {
  const column = pivot[from][at];
  if (!column || from === to) return pivot;
  return addTo(removeAt(pivot, from, at), to, column);
}

export function aggregateAs(pivot: PivotConfig, at: number, aggr: string): PivotConfig {
  return {
    ...pivot,
    values: pivot.values.map((column, position) =>
      position === at ? { ...column, aggr } : column,
    ),
  };
}
