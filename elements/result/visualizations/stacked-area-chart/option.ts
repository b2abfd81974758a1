import type { Pivot } from '@tiding/client/model';
import type { EChartsCoreOption } from 'echarts/core';
import { formatTick, numberFormat } from '../../parts/numbers.ts';
import {
  animationOf,
  cartesian,
  type DrawnAxes,
  keyFormat,
  scaleOf,
  type XLabels,
  xCoordinates,
} from '../chart/axes.ts';
import type { ReferenceLine } from '../chart/axis-settings.ts';
import type { DrawingState } from '../chart/chart-kind.ts';
import { marks } from '../chart/marks.ts';
import { type ChartPalette, seriesColor } from '../chart/palette.ts';
import { type AreaStyle, type Layers, layersOf } from './layers.ts';

const percent = numberFormat({ style: 'percent', maximumFractionDigits: 0 });

/**
 * Computes the stacked areas of the visible series; `series` contains their indices in the pivot.
 */
export function areaLayers(
  { x, series }: Pivot,
  style: AreaStyle,
  hidden: ReadonlySet<string>,
): Layers & { readonly series: readonly number[] } {
  const shown = series.flatMap(({ name }, at) => (hidden.has(name) ? [] : [at]));
  // Areas can only be stacked on what has a height.
  const heights = shown.map((at) => x.map((_, point) => series[at]!.values[point] ?? 0));
  return { ...layersOf(heights, style), series: shown };
}

/** Builds the ECharts option of a stacked area chart. */
export function areaOption(
  pivot: Pivot,
  style: AreaStyle,
  labels: XLabels,
  { hidden, picked, width = 0 }: DrawingState,
  palette: ChartPalette,
  drawn?: DrawnAxes,
  lines: readonly ReferenceLine[] = [],
): EChartsCoreOption {
  const { x, series } = pivot;
  const layers = areaLayers(pivot, style, hidden);
  const place = xCoordinates(x);
  const axes = cartesian(
    palette,
    scaleOf(pivot, keyFormat(pivot), width),
    labels,
    // Stacked areas have no logarithm.
    drawn && { ...drawn, log: false },
  );
  const label = axes.yAxis['axisLabel'] as object;
  const y =
    style === 'expand'
      ? {
          max: 1,
          interval: 0.25,
          axisLabel: { ...label, formatter: (value: number) => percent.format(value) },
        }
      : style === 'stream'
        ? { axisLabel: { show: false }, splitLine: { show: false } }
        : {};
  const base = {
    type: 'line',
    stack: 'all',
    stackStrategy: 'all',
    symbol: 'none',
    emphasis: { disabled: true },
  } as const;
  const isGap = x.map((_, point) =>
    layers.series.every((at) => series[at]!.values[point] === null),
  );
  const line = (values: readonly number[]) =>
    values.map((value, point) => [place[point]!, isGap[point] ? null : value]);
  const floor = {
    ...base,
    id: 'floor',
    silent: true,
    data: line(layers.floor),
    lineStyle: { width: 0 },
  };
  return {
    ...axes,
    ...animationOf(x.length),
    yAxis: { ...axes.yAxis, ...y },
    series: [
      ...(style === 'stream' ? [floor] : []),
      ...layers.order.map((position) => {
        const at = layers.series[position]!;
        const faded = picked && picked.series !== at;
        return {
          ...base,
          id: String(at),
          name: series[at]!.name,
          data: line(layers.heights[position]!),
          // A single point has no area, so draw a circle.
          ...(x.length === 1 && { symbol: 'circle', symbolSize: 7 }),
          color: seriesColor(palette, at, series.length),
          // Shares and streams have no scale of values.
          ...marks(
            style === 'stack' && position === 0 ? lines : [],
            undefined,
            drawn?.format ?? formatTick,
            palette,
          ),
          // A line in the surface colour separates neighbouring areas.
          lineStyle: {
            width: series.length > 1 ? 1 : 1.75,
            color: series.length > 1 ? palette.surface : seriesColor(palette, at, series.length),
          },
          areaStyle: {
            color: seriesColor(palette, at, series.length),
            opacity: faded ? 0.35 : series.length > 1 ? 0.9 : 0.4,
          },
        };
      }),
    ],
  };
}
