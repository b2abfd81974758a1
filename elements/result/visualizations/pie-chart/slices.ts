import type { Pivot } from '@tiding/client/model';
import { formatInteger } from '../../parts/numbers.ts';
import { keyFormat } from '../chart/axes.ts';
import { chartTexts } from '../chart/texts.ts';

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

/** Slices with a name of their own, unless users choose: one for each colour of the palette. */
const MAX_SLICES = 8;

/**
 * Creates a slice for each value, series by series. With several series or groups, slices are named
 * `series.key`. Of more values than `most`, the largest have slices, and the rest is one slice.
 */
export function slicesOf(pivot: Pivot, most = MAX_SLICES): Slices {
  const { x, series, keys } = pivot;
  const format = keyFormat(pivot);
  const all: Slice[] = [];
  let below = 0;
  const keyed = (keys[0]?.length ?? 0) > 0;
  const split = series.length > 1 || (series[0]?.group.length ?? 0) > 0;
  for (const [at, { name, values }] of series.entries()) {
    for (const [point, value] of values.entries()) {
      if (value === null) continue;
      const key = format(x[point]!);
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
  if (all.length <= most) return { slices: all, below, folded: 0 };
  const largest = new Set([...all].sort((one, other) => other.value - one.value).slice(0, most));
  const rest = all.filter((slice) => !largest.has(slice));
  const others = {
    name: chartTexts.other(formatInteger(rest.length)),
    value: rest.reduce((sum, { value }) => sum + value, 0),
    series: -1,
    point: -1,
  };
  return {
    slices: [...all.filter((slice) => largest.has(slice)), others],
    below,
    folded: rest.length,
  };
}
