import {
  type ScatterAxis,
  type ScatterGroup,
  type ScatterPoints,
  type Trend,
  trendOf,
} from '@tiding/client/model';
import type { EChartsCoreOption } from 'echarts/core';
import { formatTick } from '../../parts/numbers.ts';
import { axisTextStyle, boundsOf, cartesian, formatKey } from '../chart/axes.ts';
import type { DrawingState } from '../chart/chart-kind.ts';
import { marks } from '../chart/marks.ts';
import { type ChartPalette, seriesColor } from '../chart/palette.ts';
import { formatTime, timeGrain } from '../chart/time-labels.ts';

/** Number of points from which a canvas is used instead of SVG. */
export const CANVAS_FROM_POINTS = 1_500;
/** Number of points from which points are painted in bulk as dots. */
export const BULK_DOTS_FROM_POINTS = 5_000;

/** Diameters of points in px: without a size column, and the smallest and largest with one. */
const POINT_PX = 7;
const MIN_POINT_PX = 4;
const MAX_POINT_PX = 26;
/**
 * Diameters of bulk-painted dots in px, without and with a size column. From 4 px on, ECharts
 * paints paths instead of squares, which takes seconds.
 */
const DOT_PX = 2.4;
const DOT_RANGE_PX = [1.4, 3.8] as const;
/** Number of different diameters of bulk-painted dots. */
const DOT_STEPS = 6;

/** Number of points drawn. */
export function pointCount({ groups }: ScatterPoints): number {
  return groups.reduce((sum, { sizes }) => sum + sizes.length, 0);
}

/** Returns the label of a position on an axis. */
export function coordinateText({ kind, texts }: ScatterAxis, position: number): string {
  if (kind === 'text') return texts[position] ?? '';
  return kind === 'time' ? formatTime(position, timeGrain(position)) : formatKey(position);
}

/** The x coordinates of points. */
export const xOf = (coordinates: Float64Array): Float64Array =>
  coordinates.filter((_, at) => at % 2 === 0);

/** Groups that may have trends; more are not readable. */
const MAX_TRENDS = 8;

/** The trend of each group, if both axes are scales. */
export const scatterTrends = ({ x, y, groups }: ScatterPoints): readonly (Trend | undefined)[] =>
  x.kind === 'text' || y.kind === 'text' || groups.length > MAX_TRENDS
    ? []
    : groups.map(({ coordinates }) =>
        trendOf(
          xOf(coordinates),
          coordinates.filter((_, at) => at % 2 === 1),
        ),
      );

/** Returns the smallest and largest diameter in px; with more points the largest gets smaller. */
function diameters(count: number): readonly [number, number] {
  return [MIN_POINT_PX, Math.max(10, Math.min(MAX_POINT_PX, 260 / Math.sqrt(count)))];
}

/**
 * Returns the diameter for a size. The circle's area grows linearly with the size, between the two
 * bounds.
 */
function diameterOf(
  size: number,
  [low, high]: readonly [number, number],
  [from, to]: readonly [number, number],
): number {
  if (high <= low) return POINT_PX;
  return from + (to - from) * Math.sqrt((size - low) / (high - low));
}

/** The least and the greatest coordinate of points, on the x axis (0) or the y axis (1). */
export function coordinateBounds(
  groups: readonly ScatterGroup[],
  axis: 0 | 1,
): readonly [low: number, high: number] {
  const bounds = groups.map(({ coordinates }) =>
    boundsOf(coordinates.filter((_, at) => at % 2 === axis)),
  );
  return [Math.min(...bounds.map(([low]) => low)), Math.max(...bounds.map(([, high]) => high))];
}

/** Ends of an axis: the outermost points, and room for their circles. */
function endsOf(
  { kind }: ScatterAxis,
  groups: readonly ScatterGroup[],
  offset: 0 | 1,
): { min?: number; max?: number } {
  if (kind === 'text') return {};
  const [low, high] = coordinateBounds(groups, offset);
  const room = (high - low) * AXIS_ROOM;
  return room > 0 ? { min: low - room, max: high + room } : {};
}
/** Share of an axis around the points. */
const AXIS_ROOM = 0.04;

function axisOf(
  axis: ScatterAxis,
  ends: ReturnType<typeof endsOf>,
  shared: Record<string, unknown>,
  palette: ChartPalette,
): Record<string, unknown> {
  const label = { ...(shared['axisLabel'] as object), ...axisTextStyle(palette) };
  const named = {
    name: axis.name,
    nameLocation: 'middle',
    nameTextStyle: { ...axisTextStyle(palette), fontWeight: 500 },
  };
  if (axis.kind === 'text')
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
    type: axis.kind === 'time' ? 'time' : 'value',
    min: ends.min,
    max: ends.max,
    minInterval: undefined,
    scale: true,
    splitNumber: 5,
    splitLine: { ...(shared['splitLine'] as object), showMinLine: false, showMaxLine: false },
    axisLabel: {
      ...label,
      // The ends are near the outermost points, and no round numbers.
      showMinLabel: false,
      showMaxLabel: false,
      alignMinLabel: undefined,
      alignMaxLabel: undefined,
      formatter: axis.kind === 'time' ? (value: number) => coordinateText(axis, value) : formatTick,
      hideOverlap: true,
    },
  };
}

/**
 * Builds the ECharts option of a scatter chart: single circles, or bulk-painted dots for very many
 * points.
 */
export function scatterOption(
  points: ScatterPoints,
  { hidden, picked }: DrawingState,
  palette: ChartPalette,
  trends: readonly (Trend | undefined)[] = [],
): EChartsCoreOption {
  const { x, y, groups, sizeRange } = points;
  const base = cartesian(palette, { format: formatKey }, { show: true, rotate: 0 });
  const count = pointCount(points);
  const large = count >= BULK_DOTS_FROM_POINTS;
  const pointer = { show: false };
  const xAxis = axisOf(
    x,
    endsOf(x, groups, 0),
    { ...base.xAxis, axisPointer: pointer, splitLine: { show: false } },
    palette,
  );
  const yAxis = axisOf(y, endsOf(y, groups, 1), { ...base.yAxis, axisPointer: pointer }, palette);
  const shown = groups.flatMap((group, at) =>
    hidden.has(group.name) ? [] : [{ group, at, color: seriesColor(palette, at, groups.length) }],
  );
  const bounds = diameters(count);
  const opacity = count > 50_000 ? 0.4 : large ? 0.55 : 0.75;
  return {
    textStyle: { fontFamily: palette.fontFamily },
    useUTC: true,
    animation: false,
    // Reserve space for axis names too.
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
          ...marks(
            [],
            trends[at] && { of: trends[at], x: xOf(group.coordinates), color: palette.text },
            formatTick,
            palette,
          ),
        };
        if (large)
          return layers(group, sizeRange).map(({ size, coordinates }, layer) => ({
            ...series,
            ...(layer > 0 && { markLine: undefined }),
            id: `${at}/${layer}`,
            large: true,
            largeThreshold: 0,
            progressive: 50_000,
            symbolSize: size,
            data: coordinates,
            dimensions: ['x', 'y'],
          }));
        return [
          {
            ...series,
            id: String(at),
            large: false,
            progressive: 0,
            data: Array.from(group.sizes, (size, point) => ({
              value: [group.coordinates[2 * point]!, group.coordinates[2 * point + 1]!],
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

/** Ring around the selected point. */
function ring({ coordinates }: ScatterGroup, point: number, palette: ChartPalette): object {
  const position = [coordinates[2 * point]!, coordinates[2 * point + 1]!];
  return {
    id: 'picked',
    type: 'scatter',
    silent: true,
    symbol: 'circle',
    symbolSize: 14,
    data: [position],
    itemStyle: { color: 'transparent', borderColor: palette.text, borderWidth: 2 },
    z: 5,
  };
}

/** Groups dots by diameter, because ECharts bulk-paints only dots of equal size. */
function layers(
  { coordinates, sizes }: ScatterGroup,
  sizeRange: readonly [number, number],
): { size: number; coordinates: Float64Array }[] {
  if (sizeRange[1] <= sizeRange[0]) return [{ size: DOT_PX, coordinates }];
  const step = (DOT_RANGE_PX[1] - DOT_RANGE_PX[0]) / (DOT_STEPS - 1);
  const layered = Array.from({ length: DOT_STEPS }, (): number[] => []);
  sizes.forEach((size, point) =>
    layered[Math.round((diameterOf(size, sizeRange, DOT_RANGE_PX) - DOT_RANGE_PX[0]) / step)]!.push(
      coordinates[2 * point]!,
      coordinates[2 * point + 1]!,
    ),
  );
  return layered.flatMap((each, at) =>
    each.length === 0
      ? []
      : [{ size: DOT_RANGE_PX[0] + at * step, coordinates: Float64Array.from(each) }],
  );
}
