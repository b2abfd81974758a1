import type { EChartsCoreOption } from 'echarts/core';
import type { ScatterAxis, ScatterGroup, ScatterPoints } from 'tiding/model';
import { formatTick } from '../../numbers.ts';
import { cartesian, formatKey, textOf } from '../chart/axes.ts';
import { seriesColor, type Palette } from '../chart/palette.ts';
import type { Shown } from '../chart/pivot-chart.tsx';

/** From so many points on they are drawn on a canvas, and from `many` on as dots that are painted together. */
export const canvasFrom = 1_500;
export const many = 5_000;

/** Diameters of points, px: without a size, the smallest and the largest with one. */
const diameter = 7;
const smallest = 4;
const largest = 26;
/** Diameters of dots, without a size and with one: from 4 on the library paints paths instead of squares, which takes seconds. */
const dot = 2.4;
const dots = [1.4, 3.8] as const;
const steps = 6;

/** Number of points that are drawn. */
export function pointCount({ groups }: ScatterPoints): number {
  return groups.reduce((sum, { sizes }) => sum + sizes.length, 0);
}

/** An axis of texts alone is one of names. */
export const isNamed = ({ texts, mixed }: ScatterAxis): boolean => texts.length > 0 && !mixed;

/** What stands at a place of an axis. */
export function placeText({ texts, mixed }: ScatterAxis, place: number): string {
  const text = texts[place];
  return text !== undefined && (!mixed || Number.isInteger(place)) ? text : formatKey(place);
}

/** Smallest and largest diameter among so many points: the more, the less room has each. */
export function diameters(count: number): readonly [number, number] {
  return [smallest, Math.max(10, Math.min(largest, 260 / Math.sqrt(count)))];
}

/** Diameter for a size; areas grow in proportion to sizes, between the two bounds. */
export function diameterOf(
  size: number,
  [low, high]: readonly [number, number],
  [from, to]: readonly [number, number],
): number {
  if (high <= low) return diameter;
  return from + (to - from) * Math.sqrt((size - low) / (high - low));
}

function axisOf(
  axis: ScatterAxis,
  shared: Record<string, unknown>,
  palette: Palette,
): Record<string, unknown> {
  const label = { ...(shared['axisLabel'] as object), ...textOf(palette) };
  const named = {
    name: axis.name,
    nameLocation: 'middle',
    nameTextStyle: { ...textOf(palette), fontWeight: 500 },
  };
  if (isNamed(axis))
    return {
      ...shared,
      ...named,
      type: 'category',
      data: axis.texts,
      boundaryGap: true,
      axisLabel: { ...label, formatter: undefined, hideOverlap: true },
    };
  return {
    ...shared,
    ...named,
    type: 'value',
    min: undefined,
    max: undefined,
    scale: true,
    boundaryGap: ['2%', '2%'],
    splitNumber: 5,
    axisLabel: {
      ...label,
      formatter: axis.mixed ? (value: number) => placeText(axis, value) : formatTick,
      hideOverlap: true,
    },
  };
}

/** The points of a scatter chart: single circles, or dots where there are very many. */
export function scatterOption(
  points: ScatterPoints,
  { hidden, picked }: Shown,
  palette: Palette,
): EChartsCoreOption {
  const { x, y, groups, sizeRange } = points;
  const base = cartesian(palette, { format: formatKey }, { show: true, rotate: 0 });
  const count = pointCount(points);
  const large = count >= many;
  const pointer = { show: false };
  const xAxis = axisOf(
    x,
    { ...base.xAxis, axisPointer: pointer, splitLine: { show: false } },
    palette,
  );
  const yAxis = axisOf(y, { ...base.yAxis, axisPointer: pointer }, palette);
  const shown = groups.flatMap((group, at) =>
    hidden.has(group.name) ? [] : [{ group, at, color: seriesColor(palette, at, groups.length) }],
  );
  const bounds = diameters(count);
  const opacity = count > 50_000 ? 0.4 : large ? 0.55 : 0.75;
  return {
    textStyle: { fontFamily: palette.fontFamily },
    animation: false,
    // Names of the axes are in it too.
    grid: {
      left: 2,
      right: 12,
      top: 10,
      bottom: 2,
      outerBoundsMode: 'same',
      outerBoundsContain: 'all',
    },
    xAxis: { ...xAxis, nameGap: 26 },
    yAxis: {
      ...yAxis,
      nameGap: 40,
      nameRotate: 90,
      nameMoveOverlap: true,
      axisTick: { show: false },
    },
    series: shown
      .flatMap(({ group, at, color }): object[] => {
        const series = {
          type: 'scatter',
          name: group.name,
          silent: true,
          symbol: 'circle',
          emphasis: { disabled: true },
          itemStyle: { color, opacity },
          cursor: 'default',
        };
        if (large)
          return layers(group, sizeRange).map(({ size, places }, layer) => ({
            ...series,
            id: `${at}/${layer}`,
            large: true,
            largeThreshold: 0,
            progressive: 50_000,
            symbolSize: size,
            data: places,
            dimensions: ['x', 'y'],
          }));
        return [
          {
            ...series,
            id: String(at),
            large: false,
            progressive: 0,
            data: Array.from(group.sizes, (size, point) => ({
              value: [group.places[2 * point]!, group.places[2 * point + 1]!],
              symbolSize: diameterOf(size, sizeRange, bounds),
            })),
          },
        ];
      })
      .concat(
        picked && groups[picked.series]
          ? [ring(groups[picked.series]!, picked.point, palette)]
          : [],
      ),
  };
}

/** Stands around the chosen point. */
function ring({ places }: ScatterGroup, point: number, palette: Palette): object {
  const place = [places[2 * point]!, places[2 * point + 1]!];
  return {
    id: 'picked',
    type: 'scatter',
    silent: true,
    symbol: 'circle',
    symbolSize: 14,
    data: [place],
    itemStyle: { color: 'transparent', borderColor: palette.text, borderWidth: 2 },
    z: 5,
  };
}

/** Dots of one diameter each: the library paints only such together. */
function layers(
  { places, sizes }: ScatterGroup,
  sizeRange: readonly [number, number],
): { size: number; places: Float64Array }[] {
  if (sizeRange[1] <= sizeRange[0]) return [{ size: dot, places }];
  const step = (dots[1] - dots[0]) / (steps - 1);
  const found = Array.from({ length: steps }, (): number[] => []);
  sizes.forEach((size, point) =>
    found[Math.round((diameterOf(size, sizeRange, dots) - dots[0]) / step)]!.push(
      places[2 * point]!,
      places[2 * point + 1]!,
    ),
  );
  return found.flatMap((each, at) =>
    each.length === 0 ? [] : [{ size: dots[0] + at * step, places: Float64Array.from(each) }],
  );
}
