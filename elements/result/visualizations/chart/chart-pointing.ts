import type { EChartsType } from 'echarts/core';

/** A drawn element: a bar, a slice or a point of a line. */
export interface ChartSpot {
  readonly series: number;
  readonly point: number;
}

/** Maps between pixels, keys and drawn elements of a chart. */
export interface ChartPointing {
  /** Returns the element to show a tooltip for. */
  hover(chart: EChartsType, x: number, y: number, found: ChartSpot | null): ChartSpot | null;
  /** Returns the element that a click selects. */
  hit(chart: EChartsType, x: number, y: number, found: ChartSpot | null): ChartSpot | null;
  /** Returns the position of an element, in px. */
  place(chart: EChartsType, spot: ChartSpot): [number, number] | null;
  /**
   * Returns the next element for an arrow key, Home or End, or the first element if there is no
   * current one. Returns null for other keys.
   */
  step(from: ChartSpot | null, key: string): ChartSpot | null;
}

/** Applies a navigation key to an index of a list; null for other keys. */
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

/** A chart with series over an x axis. */
export interface Cartesian {
  /** X coordinate of each point. */
  readonly x: readonly number[];
  /** Indices of the visible series. */
  readonly series: readonly number[];
  /** Y value at which a point is drawn; null for a gap. */
  readonly top: (series: number, point: number) => number | null;
  /** Y value at which the point's area begins, for area charts. */
  readonly base?: (series: number, point: number) => number;
  /** Index of the y axis of a series; default 0. */
  readonly yAxis?: (series: number) => number;
  /** Whether each of the series has a panel of its own. */
  readonly facets?: boolean;
  /** Whether ECharts' own hit test works, as it does for bars. */
  readonly found?: boolean;
}

/** Radius in px around a point of a line within which a click selects it. */
const reach = 16;

/** Creates the pointer and key mapping for bar, line and area charts. */
export function cartesianPointing({
  x,
  series,
  top,
  base,
  yAxis = () => 0,
  facets = false,
  found: asks,
}: Cartesian): ChartPointing {
  const order = x.map((_, point) => point).sort((a, b) => x[a]! - x[b]!);
  const panelOf = (one: number): number => (facets ? series.indexOf(one) : 0);
  const panelAt = (chart: EChartsType, px: number, py: number): number =>
    (facets ? series : [0]).findIndex((_, gridIndex) =>
      chart.containPixel({ gridIndex }, [px, py]),
    );
  const nearest = (chart: EChartsType, px: number, py: number): number | null => {
    const panel = panelAt(chart, px, py);
    if (panel < 0) return null;
    const at = Number(chart.convertFromPixel({ xAxisIndex: panel }, px));
    let best: number | null = null;
    for (const point of order)
      if (best === null || Math.abs(x[point]! - at) < Math.abs(x[best]! - at)) best = point;
    return best;
  };
  const pixel = (
    chart: EChartsType,
    { series: one, point }: ChartSpot,
  ): [number, number] | null => {
    const y = top(one, point);
    const panel = panelOf(one);
    const axes = { xAxisIndex: panel, yAxisIndex: panel + yAxis(one) };
    const place = chart.convertToPixel(axes, [x[point]!, y ?? 0]) as unknown;
    return Array.isArray(place) ? [Number(place[0]), Number(place[1])] : null;
  };
  const closest = (chart: EChartsType, px: number, py: number, point: number): ChartSpot | null => {
    let best: ChartSpot | null = null;
    let least = Infinity;
    const panel = panelAt(chart, px, py);
    for (const one of series) {
      if (top(one, point) === null || panelOf(one) !== panel) continue;
      const distance = Math.abs((pixel(chart, { series: one, point })?.[1] ?? Infinity) - py);
      if (distance < least) [best, least] = [{ series: one, point }, distance];
    }
    return best;
  };
  const inside = (chart: EChartsType, px: number, py: number, point: number): ChartSpot | null => {
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
