import type { Pivot } from '@tiding/client/model';
import type { EChartsCoreOption } from 'echarts/core';
import { numberFormat } from '../../parts/numbers.ts';
import {
  animationOf,
  areIntegers,
  cartesian,
  type DrawnAxes,
  formatKey,
  isNumeric,
  type XLabels,
} from '../chart/axes.ts';
import type { DrawingState } from '../chart/chart-kind.ts';
import { type ChartPalette, seriesColor } from '../chart/palette.ts';
import { pointOrder, xCoordinates } from '../line-chart/option.ts';
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
  // A streamgraph depends on the order of the points along the x axis.
  const order = pointOrder(x);
  const inOrder = shown.map((at) => order.map((point) => series[at]!.values[point] ?? 0));
  const layers = layersOf(inOrder, style);
  const back = (values: readonly number[]): number[] => {
    const found: number[] = [];
    order.forEach((point, position) => (found[point] = values[position]!));
    return found;
  };
  return {
    order: layers.order,
    series: shown,
    floor: back(layers.floor),
    heights: layers.heights.map(back),
  };
}

/** Builds the ECharts option of a stacked area chart. */
export function areaOption(
  pivot: Pivot,
  style: AreaStyle,
  labels: XLabels,
  { hidden, picked }: DrawingState,
  palette: ChartPalette,
  drawn?: DrawnAxes,
): EChartsCoreOption {
  const { x, series } = pivot;
  const layers = areaLayers(pivot, style, hidden);
  const place = xCoordinates(x);
  const order = pointOrder(x);
  const axes = cartesian(
    palette,
    isNumeric(x)
      ? { format: formatKey, whole: areIntegers(x) }
      : { names: x.map(formatKey), edge: true },
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
  const line = (values: readonly number[]) => order.map((point) => [place[point]!, values[point]!]);
  return {
    ...axes,
    ...animationOf(x.length),
    yAxis: { ...axes.yAxis, ...y },
    series: [
      ...(style === 'stream'
        ? [
            {
              ...base,
              id: 'floor',
              data: line(layers.floor),
              lineStyle: { width: 0 },
              silent: true,
            },
          ]
        : []),
      ...layers.order.map((position) => {
        const at = layers.series[position]!;
        const faded = picked && picked.series !== at;
        return {
          ...base,
          id: String(at),
          name: series[at]!.name,
          data: line(layers.heights[position]!),
          // A single point has no area, so draw a circle.
          ...(order.length === 1 && { symbol: 'circle', symbolSize: 7 }),
          color: seriesColor(palette, at, series.length),
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
