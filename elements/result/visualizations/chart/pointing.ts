import type { EChartsType } from 'echarts/core';

/** One drawn thing: a bar, a slice, a point of a line. */
export interface Spot {
  readonly series: number;
  readonly point: number;
}

/** How pixels, keys and drawn things belong together in a chart. */
export interface Pointing {
  /** What the pointer tells about. */
  hover(chart: EChartsType, x: number, y: number, found: Spot | null): Spot | null;
  /** What a click there chooses. */
  hit(chart: EChartsType, x: number, y: number, found: Spot | null): Spot | null;
  /** Where something stands. */
  place(chart: EChartsType, spot: Spot): [number, number] | null;
  /** The next by an arrow key, Home or End; the first from nothing. Null where a key means nothing. */
  step(from: Spot | null, key: string): Spot | null;
}

/** Next of a list of places. */
export function stepIn(
  from: number,
  count: number,
  key: string,
  back: string,
  forward: string,
): number | null {
  if (key === back) return Math.max(0, from - 1);
  if (key === forward) return Math.min(count - 1, from + 1);
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  return null;
}

/** A chart of series over an x axis. */
export interface Cartesian {
  /** Coordinate of each point on the x axis. */
  readonly x: readonly number[];
  /** Series that are shown, by their number. */
  readonly series: readonly number[];
  /** Where a point is drawn, in y; null for a gap. */
  readonly top: (series: number, point: number) => number | null;
  /** Where what belongs to the point begins, for areas. */
  readonly base?: (series: number, point: number) => number;
  /** The library knows what was hit: bars. */
  readonly found?: boolean;
}

/** Pixels around a point of a line that belong to it. */
const reach = 16;

/** Pointing at bars, lines and areas. */
export function cartesianPointing({ x, series, top, base, found: asks }: Cartesian): Pointing {
  const order = x.map((_, point) => point).sort((a, b) => x[a]! - x[b]!);
  const nearest = (chart: EChartsType, px: number, py: number): number | null => {
    if (!chart.containPixel('grid', [px, py])) return null;
    const at = Number(chart.convertFromPixel({ xAxisIndex: 0 }, px));
    let best: number | null = null;
    for (const point of order)
      if (best === null || Math.abs(x[point]! - at) < Math.abs(x[best]! - at)) best = point;
    return best;
  };
  const pixel = (chart: EChartsType, { series: one, point }: Spot): [number, number] | null => {
    const y = top(one, point);
    const place = chart.convertToPixel({ xAxisIndex: 0, yAxisIndex: 0 }, [
      x[point]!,
      y ?? 0,
    ]) as unknown;
    return Array.isArray(place) ? [Number(place[0]), Number(place[1])] : null;
  };
  const closest = (chart: EChartsType, px: number, py: number, point: number): Spot | null => {
    let best: Spot | null = null;
    let least = Infinity;
    for (const one of series) {
      if (top(one, point) === null) continue;
      const distance = Math.abs((pixel(chart, { series: one, point })?.[1] ?? Infinity) - py);
      if (distance < least) [best, least] = [{ series: one, point }, distance];
    }
    return best;
  };
  const inside = (chart: EChartsType, px: number, py: number, point: number): Spot | null => {
    const y = Number(
      (
        chart.convertFromPixel({ xAxisIndex: 0, yAxisIndex: 0 }, [px, py]) as unknown as number[]
      )[1],
    );
    const one = series.find((each) => {
      const [low, high] = [base!(each, point), top(each, point) ?? NaN].sort((a, b) => a - b);
      return y >= low! && y <= high!;
    });
    return one === undefined ? null : { series: one, point };
  };
  return {
    hover(chart, px, py, found) {
      if (asks && found) return found;
      const point = nearest(chart, px, py);
      if (point === null) return null;
      if (base) return inside(chart, px, py, point) ?? { series: -1, point };
      return asks
        ? { series: -1, point }
        : (closest(chart, px, py, point) ?? { series: -1, point });
    },
    hit(chart, px, py, found) {
      if (asks) return found;
      const point = nearest(chart, px, py);
      if (point === null) return null;
      if (base) return inside(chart, px, py, point);
      const spot = closest(chart, px, py, point);
      const place = spot && pixel(chart, spot);
      return place && Math.abs(place[1] - py) <= reach ? spot : null;
    },
    place: pixel,
    step(from, key) {
      if (order.length === 0 || series.length === 0) return null;
      if (!from) return { series: series[0]!, point: order[0]! };
      const row = Math.max(0, series.indexOf(from.series));
      const next = stepIn(order.indexOf(from.point), order.length, key, 'ArrowLeft', 'ArrowRight');
      if (next !== null) return { series: series[row]!, point: order[next]! };
      const other = stepIn(row, series.length, key, 'ArrowUp', 'ArrowDown');
      return other === null ? null : { series: series[other]!, point: from.point };
    },
  };
}
