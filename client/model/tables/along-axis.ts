/** Values along the x axis of a chart: running totals, moving averages and trends. */
import { ExactSum } from '../rows/aggregate.ts';

/** Points of a moving average, unless a measure says another number. */
const MOVING_POINTS = 7;
const MAX_MOVING_POINTS = 1_000;

/** How the values of a measure run along the axis. */
export type Running = { readonly how: 'total' } | { readonly how: 'mean'; readonly points: number };

/** Reads the options of a measure; `undefined` for a measure that is drawn as it is. */
export function runningOf(column: {
  readonly running?: unknown;
  readonly window?: unknown;
}): Running | undefined {
  const { running: how, window } = column;
  if (how === 'total') return { how };
  if (how !== 'mean') return undefined;
  const isKnown = typeof window === 'number' && Number.isInteger(window) && window > 0;
  return { how, points: isKnown ? Math.min(window, MAX_MOVING_POINTS) : MOVING_POINTS };
}

/**
 * Returns the total of all values up to each point, or the mean of the last values, as the window
 * functions of SQL: missing values are left out, and a window without values has none.
 */
export function runningValues(
  values: readonly (number | null)[],
  running: Running,
): (number | null)[] {
  if (running.how === 'total') {
    const sum = new ExactSum();
    let isEmpty = true;
    return values.map((value) => {
      if (value !== null) sum.add(value);
      isEmpty &&= value === null;
      return isEmpty ? null : Number(sum.exact ?? sum.float);
    });
  }
  return values.map((_, at) => {
    const sum = new ExactSum();
    let count = 0;
    for (const value of values.slice(Math.max(0, at - running.points + 1), at + 1)) {
      if (value === null) continue;
      sum.add(value);
      count += 1;
    }
    return count === 0 ? null : Number(sum.exact ?? sum.float) / count;
  });
}

/** A line through points by least squares. */
export interface Trend {
  /** Change of y for 1 on the x axis. */
  readonly slope: number;
  /** Value at 0 on the x axis. */
  readonly intercept: number;
  /** Share of the variance that the line explains, from 0 to 1. */
  readonly r2: number;
}

/** Fits a line; `undefined` for fewer than two different places. */
export function trendOf(x: ArrayLike<number>, y: ArrayLike<number | null>): Trend | undefined {
  const points = Array.from({ length: x.length }, (_, at) => at).filter((at) => y[at] !== null);
  const mean = (list: ArrayLike<number | null>): number =>
    points.reduce((sum, at) => sum + list[at]!, 0) / points.length;
  // Times are large: sums of squares are exact enough only around the mean.
  const [middle, level] = [mean(x), mean(y)];
  let [xx, xy, yy] = [0, 0, 0];
  for (const at of points) {
    const [dx, dy] = [x[at]! - middle, y[at]! - level];
    xx += dx * dx;
    xy += dx * dy;
    yy += dy * dy;
  }
  if (!(xx > 0)) return undefined;
  const slope = xy / xx;
  return { slope, intercept: level - slope * middle, r2: yy > 0 ? (xy * xy) / (xx * yy) : 1 };
}
