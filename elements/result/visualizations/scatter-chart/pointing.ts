import type { ScatterPoints } from '@tiding/client/model';
import type { EChartsType } from 'echarts/core';
import { type ChartPointing, type ChartSpot, stepIn } from '../chart/chart-pointing.ts';
import { coordinateBounds } from './option.ts';

/** Radius in px around a point within which the pointer selects it. */
const reach = 12;

/**
 * Finds the point nearest to the pointer among all visible points. ECharts' own hit test doesn't
 * work for bulk-painted dots.
 */
export function scatterPointing(
  { groups }: ScatterPoints,
  hidden: ReadonlySet<string>,
  finder: object,
): ChartPointing {
  const shown = groups.flatMap(({ name }, at) => (hidden.has(name) ? [] : [at]));
  const pixel = (chart: EChartsType, x: number, y: number): [number, number] => {
    const place = chart.convertToPixel(finder, [x, y]) as unknown as number[];
    return [Number(place[0]), Number(place[1])];
  };
  // Two points determine the mapping from data to pixels, because both axes are linear. They are
  // at the edges of the data: times differ little from each other compared with 1970.
  const spans = ([0, 1] as const).map((axis) => {
    const [low, high] = coordinateBounds(groups, axis);
    return high > low ? ([low, high] as const) : ([low, low + 1] as const);
  });
  const nearest = (chart: EChartsType, px: number, py: number): ChartSpot | null => {
    if (!chart.containPixel(finder, [px, py])) return null;
    const [[lowX, highX], [lowY, highY]] = spans as [
      readonly [number, number],
      readonly [number, number],
    ];
    const [x0, y0] = pixel(chart, lowX, lowY);
    const [x1, y1] = pixel(chart, highX, highY);
    const [sx, sy] = [(x1 - x0) / (highX - lowX), (y1 - y0) / (highY - lowY)];
    let best: ChartSpot | null = null;
    let least = reach * reach;
    for (const at of shown) {
      const { coordinates } = groups[at]!;
      for (let place = 0; place < coordinates.length; place += 2) {
        const dx = x0 + sx * (coordinates[place]! - lowX) - px;
        const dy = y0 + sy * (coordinates[place + 1]! - lowY) - py;
        const distance = dx * dx + dy * dy;
        if (distance < least) [best, least] = [{ series: at, point: place / 2 }, distance];
      }
    }
    return best;
  };
  return {
    hover: nearest,
    hit: nearest,
    place(chart, { series, point }) {
      const { coordinates } = groups[series]!;
      return pixel(chart, coordinates[2 * point]!, coordinates[2 * point + 1]!);
    },
    step(from, key) {
      if (shown.length === 0) return null;
      if (!from) return { series: shown[0]!, point: 0 };
      const next = stepIn(
        from.point,
        groups[from.series]!.sizes.length,
        key,
        'ArrowLeft',
        'ArrowRight',
      );
      if (next !== null) return { series: from.series, point: next };
      const other = stepIn(
        Math.max(0, shown.indexOf(from.series)),
        shown.length,
        key,
        'ArrowUp',
        'ArrowDown',
      );
      if (other === null) return null;
      const series = shown[other]!;
      return { series, point: Math.min(from.point, groups[series]!.sizes.length - 1) };
    },
  };
}
