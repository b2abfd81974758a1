import type { EChartsCoreOption } from 'echarts/core';
import type { Pivot } from 'tiding/model';
import {
  cartesian,
  dateKey,
  formatKey,
  isNumeric,
  isWhole,
  movement,
  textOf,
  xLabelsOf,
  type Setting,
  type XLabels,
} from '../chart/axes.ts';
import { seriesColor, type Palette } from '../chart/palette.ts';
import type { Shown } from '../chart/pivot-chart.tsx';
import { endNames, roomForNames } from './end-names.ts';

/** How lines are drawn; `model` of the stored setting. */
export interface LineSetting {
  readonly labels: XLabels;
  /** The y axis begins at 0. */
  readonly forceY: boolean;
  /** A strip below chooses a part of the x axis. */
  readonly zoom: boolean;
  readonly format: (key: string | number) => string;
}

/** Reads the stored setting. */
export function lineSetting(setting: Setting): LineSetting {
  const pattern = setting['dateFormat'];
  return {
    labels: xLabelsOf(setting),
    forceY: setting['forceY'] === true,
    zoom: setting['lineWithFocus'] === true,
    format:
      setting['isDateFormat'] === true
        ? dateKey(typeof pattern === 'string' ? pattern : '')
        : formatKey,
  };
}

/** The place of each point on the x axis: numbers in their distances, else one after the other. */
export function coordinates(x: Pivot['x']): readonly number[] {
  return isNumeric(x) ? x : x.map((_, point) => point);
}

/** Points in the order of the x axis: a line that comes back on itself is no line over numbers. */
export function pointOrder(x: Pivot['x']): number[] {
  const order = x.map((_, point) => point);
  return isNumeric(x) ? order.sort((a, b) => x[a]! - x[b]!) : order;
}

const lineWidth = 1.75;
/** Lines from this one on are dashed. */
const dashedFrom = 4;

/** The lines of a pivot; what has no value is a gap. */
export function lineOption(
  pivot: Pivot,
  { labels, forceY, zoom, format }: LineSetting,
  { hidden, picked, ends }: Shown,
  palette: Palette,
): EChartsCoreOption {
  const { x, series } = pivot;
  const numeric = isNumeric(x);
  const place = coordinates(x);
  const order = pointOrder(x);
  const axes = cartesian(
    palette,
    numeric
      ? { format: (value) => format(value), whole: isWhole(x) }
      : { names: x.map(format), edge: true },
    labels,
  );
  const shown = series
    .map(({ name }, at) => ({ name, at }))
    .filter(({ name }) => !hidden.has(name));
  const room = ends
    ? roomForNames(
        shown.map(({ name }) => name),
        palette,
      )
    : 8;
  return {
    ...axes,
    ...movement(x.length),
    grid: { ...axes.grid, right: room, ...(zoom && { bottom: 40 }) },
    yAxis: { ...axes.yAxis, scale: !forceY },
    ...(zoom && {
      dataZoom: [
        zoomStrip(
          palette,
          room,
          numeric ? (value: number) => format(value) : (_: number, text: string) => text,
        ),
      ],
    }),
    series: shown
      .map(({ name, at }): object => {
        const { values } = series[at]!;
        const color = seriesColor(palette, at, series.length);
        const alone = (point: number): boolean =>
          values[order[point - 1] ?? -1] == null && values[order[point + 1] ?? -1] == null;
        const chosen = (point: number): boolean => picked?.series === at && picked.point === point;
        return {
          id: String(at),
          type: 'line',
          name,
          data: order.map((point, position) => {
            const value = [place[point]!, values[point] ?? null];
            if (values[point] == null) return value;
            // Between gaps there is no line to be seen.
            return chosen(point)
              ? { value, symbol: 'circle', symbolSize: 11 }
              : alone(position)
                ? { value, symbol: 'circle', symbolSize: 6 }
                : value;
          }),
          symbol: 'none',
          showSymbol: true,
          showAllSymbol: true,
          connectNulls: false,
          ...(order.length > 4_000 && { sampling: 'lttb' }),
          lineStyle: {
            width: lineWidth,
            color,
            opacity: picked && picked.series !== at ? 0.35 : 1,
            ...(at >= dashedFrom && { type: [6, 3] }),
          },
          itemStyle: { color, opacity: picked && picked.series !== at ? 0.35 : 1 },
          emphasis: { disabled: true },
        };
      })
      .concat(
        ends
          ? [
              endNames(
                shown.map(({ at }) => ({
                  color: seriesColor(palette, at, series.length),
                  name: series[at]!.name,
                  line: order.flatMap((point) =>
                    series[at]!.values[point] == null
                      ? []
                      : [[place[point]!, series[at]!.values[point]!] as const],
                  ),
                })),
                palette,
              ),
            ]
          : [],
      ),
  };
}

/** A resolved colour through which the strip's line is seen. */
const translucent = (color: string): string =>
  color.startsWith('rgb(') ? color.replace('rgb(', 'rgba(').replace(')', ', 0.25)') : 'transparent';

function zoomStrip(
  palette: Palette,
  right: number,
  labelFormatter: (value: number, text: string) => string,
): Record<string, unknown> {
  return {
    type: 'slider',
    left: 40,
    right: Math.max(right, 40),
    height: 22,
    bottom: 4,
    filterMode: 'none',
    borderColor: palette.grid,
    backgroundColor: 'transparent',
    fillerColor: translucent(palette.axis),
    handleStyle: { color: palette.raised, borderColor: palette.border },
    moveHandleStyle: { color: palette.axis },
    dataBackground: {
      lineStyle: { color: palette.axis, width: 1 },
      areaStyle: { color: palette.grid, opacity: 1 },
    },
    selectedDataBackground: {
      lineStyle: { color: palette.axis, width: 1 },
      areaStyle: { color: palette.axis, opacity: 0.6 },
    },
    textStyle: textOf(palette),
    brushSelect: false,
    emphasis: {
      handleStyle: { color: palette.raised, borderColor: palette.text },
      moveHandleStyle: { color: palette.border },
    },
    labelFormatter,
  };
}
