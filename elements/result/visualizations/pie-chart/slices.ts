import type { Pivot } from '@tiding/client/model';
import { chartTexts } from '../../../text/results/charts.ts';
import { formatInteger } from '../../parts/numbers.ts';
import { formatKey } from '../chart/axes.ts';

/** A slice of a pie: one value of a pivot, or the sum of the values beyond the limit. */
export interface Slice {
  readonly name: string;
  readonly value: number;
  /** Position in the pivot; -1 for the merged rest. */
  readonly series: number;
  readonly point: number;
}

/** All slices of a pie. */
export interface Slices {
  readonly slices: readonly Slice[];
  /** Number of negative values, which cannot be drawn. */
  readonly below: number;
  /** Number of values merged into one slice. */
  readonly folded: number;
}

/** Maximum number of slices; the rest is merged into one. */
const mostSlices = 200;

/**
 * Creates a slice for each value, series by series. With several series or groups, slices are named
 * `series.key`.
 */
export function slicesOf({ x, series, keys }: Pivot): Slices {
  const all: Slice[] = [];
  let below = 0;
  const keyed = (keys[0]?.length ?? 0) > 0;
  const split = series.length > 1 || (series[0]?.group.length ?? 0) > 0;
  for (const [at, { name, values }] of series.entries()) {
    for (const [point, value] of values.entries()) {
      if (value === null) continue;
      const key = formatKey(x[point]!);
      if (value < 0) below += 1;
      else
        all.push({
          name: !keyed ? name : split ? [name, key].filter((part) => part !== '').join('.') : key,
          value,
          series: at,
          point,
        });
    }
  }
  if (all.length <= mostSlices) return { slices: all, below, folded: 0 };
  const rest = all.slice(mostSlices - 1);
  const others = {
    name: chartTexts.others(formatInteger(rest.length)),
    value: rest.reduce((sum, { value }) => sum + value, 0),
    series: -1,
    point: -1,
  };
  return { slices: [...all.slice(0, mostSlices - 1), others], below, folded: rest.length };
}
