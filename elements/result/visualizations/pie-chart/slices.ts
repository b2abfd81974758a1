import type { Pivot } from 'tiding/model';
import { chartTexts } from '../../../text/charts.ts';
import { formatInteger } from '../../numbers.ts';
import { formatKey } from '../chart/axes.ts';

/** A part of the whole: one value of a pivot, or all that are too many to be drawn one by one. */
export interface Slice {
  readonly name: string;
  readonly value: number;
  /** Where it is from; -1 for the rest. */
  readonly series: number;
  readonly point: number;
}

/** The slices of a pie. */
export interface Slices {
  readonly slices: readonly Slice[];
  /** Values below zero, of which there is no part. */
  readonly below: number;
  /** How many are drawn as one. */
  readonly folded: number;
}

/** More cannot be told apart; the rest is one slice. */
const mostSlices = 200;

/** A slice for every value that is there, series by series; with several series, or groups, named `series.key`. */
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
