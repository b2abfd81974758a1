import type { EChartsType } from 'echarts/core';
import type { ScatterPoints } from 'tiding/model';
import { stepIn, type Pointing, type Spot } from '../chart/pointing.ts';

/** Pixels around a point that belong to it. */
const reach = 12;

/** The point nearest to a place, of all that are shown; the library's own search goes through drawn things. */
export function scatterPointing({ groups }: ScatterPoints, hidden: ReadonlySet<string>): Pointing {
  const shown = groups.flatMap(({ name }, at) => (hidden.has(name) ? [] : [at]));
  const pixel = (chart: EChartsType, x: number, y: number): [number, number] => {
    const place = chart.convertToPixel({ xAxisIndex: 0, yAxisIndex: 0 }, [
      x,
      y,
    ]) as unknown as number[];
    return [Number(place[0]), Number(place[1])];
  };
  const nearest = (chart: EChartsType, px: number, py: number): Spot | null => {
    if (!chart.containPixel('grid', [px, py])) return null;
    // Axes are linear: two places say how data becomes pixels.
    const [x0, y0] = pixel(chart, 0, 0);
    const [x1, y1] = pixel(chart, 1, 1);
    const [sx, sy] = [x1 - x0, y1 - y0];
    let best: Spot | null = null;
    let least = reach * reach;
    for (const at of shown) {
      const { places } = groups[at]!;
      for (let place = 0; place < places.length; place += 2) {
        const dx = x0 + sx * places[place]! - px;
        const dy = y0 + sy * places[place + 1]! - py;
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
      const { places } = groups[series]!;
      return pixel(chart, places[2 * point]!, places[2 * point + 1]!);
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
