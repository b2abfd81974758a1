import type { EChartsCoreOption } from 'echarts/core';
import type { Pivot } from 'tiding/model';
import { cartesian, formatKey, isNumeric, isWhole, movement, type XLabels } from '../chart/axes.ts';
import { seriesColor, type Palette } from '../chart/palette.ts';
import type { Shown } from '../chart/pivot-chart.tsx';
import { coordinates, pointOrder } from '../line-chart/option.ts';
import { layersOf, type AreaStyle, type Layers } from './layers.ts';

const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 0 });

/** The areas of the series that are shown, by their numbers in the pivot. */
export function areaLayers(
  { x, series }: Pivot,
  style: AreaStyle,
  hidden: ReadonlySet<string>,
): Layers & { readonly series: readonly number[] } {
  const shown = series.flatMap(({ name }, at) => (hidden.has(name) ? [] : [at]));
  // The stream follows the x axis.
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

/** The areas of a pivot, upon each other. */
export function areaOption(
  pivot: Pivot,
  style: AreaStyle,
  labels: XLabels,
  { hidden, picked }: Shown,
  palette: Palette,
): EChartsCoreOption {
  const { x, series } = pivot;
  const layers = areaLayers(pivot, style, hidden);
  const place = coordinates(x);
  const order = pointOrder(x);
  const axes = cartesian(
    palette,
    isNumeric(x)
      ? { format: formatKey, whole: isWhole(x) }
      : { names: x.map(formatKey), edge: true },
    labels,
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
    ...movement(x.length),
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
          // A single point has no area.
          ...(order.length === 1 && { symbol: 'circle', symbolSize: 7 }),
          color: seriesColor(palette, at, series.length),
          // The surface parts one area from the next.
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
