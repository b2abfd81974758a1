import type { Pivot, Trend } from '@tiding/client/model';
import type { EChartsCoreOption } from 'echarts/core';
import { formatTick } from '../../parts/numbers.ts';
import {
  animationOf,
  axisTextStyle,
  cartesian,
  type DrawnAxes,
  dateKey,
  keyFormat,
  scaleOf,
  type ViewSetting,
  type XLabels,
  xCoordinates,
  xLabelsOf,
} from '../chart/axes.ts';
import type { ReferenceLine } from '../chart/axis-settings.ts';
import type { DrawingState } from '../chart/chart-kind.ts';
import { panelRows, panels } from '../chart/facets.ts';
import { marks, valueLabels } from '../chart/marks.ts';
import { type ChartPalette, seriesColor } from '../chart/palette.ts';
import { endNames, roomForNames } from './end-names.ts';

interface LineSetting {
  readonly labels: XLabels;
  /** Whether the y axis starts at 0. */
  readonly forceY: boolean;
  /** Whether a strip below the chart selects a range of the x axis. */
  readonly zoom: boolean;
  readonly format: (key: string | number) => string;
  readonly drawn: DrawnAxes | undefined;
  readonly lines: readonly ReferenceLine[];
  /** The trend of each series. */
  readonly trends: readonly (Trend | undefined)[];
  /** Whether each line has a panel of its own. */
  readonly facets: boolean;
  /** Whether values are written beside the points. */
  readonly values: boolean;
}

/** Reads the stored settings. */
export function lineSetting(
  setting: ViewSetting,
  pivot: Pivot,
  drawn?: DrawnAxes,
  extras: Partial<Pick<LineSetting, 'lines' | 'trends' | 'values' | 'facets'>> = {},
): LineSetting {
  const pattern = setting['dateFormat'];
  return {
    labels: xLabelsOf(setting),
    drawn,
    lines: [],
    trends: [],
    values: false,
    facets: false,
    ...extras,
    forceY: setting['forceY'] === true,
    zoom: setting['lineWithFocus'] === true && !extras.facets,
    format:
      setting['isDateFormat'] === true
        ? dateKey(typeof pattern === 'string' ? pattern : '', pivot.time !== undefined)
        : keyFormat(pivot),
  };
}

const lineWidth = 1.75;
/** Index of the first series drawn with a dashed line. */
const dashedFrom = 4;

/** Builds the ECharts option of a line chart. Missing values are gaps. */
export function lineOption(
  pivot: Pivot,
  { labels, forceY, zoom, format, drawn, lines, trends, facets, values: isLabelled }: LineSetting,
  { hidden, picked, ends, width = 0 }: DrawingState,
  palette: ChartPalette,
): EChartsCoreOption {
  const { x, series } = pivot;
  const place = xCoordinates(x);
  const shown = series
    .map(({ name }, at) => ({ name, at }))
    .filter(({ name }) => !hidden.has(name));
  const room = ends
    ? roomForNames(
        shown.map(({ name }) => name),
        palette,
      )
    : 8;
  // A part of the axis has labels of its own.
  const part = facets ? panelRows(shown.length, width).columns : 1;
  const scale = scaleOf(pivot, format, zoom ? 0 : width / part - room);
  const axes = cartesian(palette, scale, labels, drawn);
  const option = {
    ...axes,
    ...animationOf(x.length),
    grid: { ...axes.grid, right: room, ...(zoom && { bottom: 40 }) },
    yAxis: { ...axes.yAxis, scale: !forceY },
    ...(zoom && {
      dataZoom: [
        zoomStrip(
          palette,
          room,
          'names' in scale ? (_: number, text: string) => text : scale.format,
        ),
      ],
    }),
    series: shown
      .map(({ name, at }): object => {
        const { values } = series[at]!;
        const color = seriesColor(palette, at, series.length);
        const alone = (point: number): boolean =>
          values[point - 1] == null && values[point + 1] == null;
        const chosen = (point: number): boolean => picked?.series === at && picked.point === point;
        return {
          id: String(at),
          type: 'line',
          name,
          data: place.map((at, point) => {
            const value = [at, values[point] ?? null];
            if (values[point] == null) return value;
            // A point between two gaps has no line, so draw a circle.
            return chosen(point)
              ? { value, symbol: 'circle', symbolSize: 11 }
              : alone(point)
                ? { value, symbol: 'circle', symbolSize: 6 }
                : value;
          }),
          symbol: isLabelled ? 'circle' : 'none',
          symbolSize: 4,
          ...valueLabels(
            isLabelled,
            place.length * shown.length,
            'top',
            palette.text,
            palette,
            (point) => (values[point] == null ? '' : (drawn?.format ?? formatTick)(values[point])),
          ),
          showSymbol: true,
          showAllSymbol: true,
          connectNulls: false,
          ...(place.length > 4_000 && { sampling: 'lttb' }),
          lineStyle: {
            width: lineWidth,
            color,
            opacity: picked && picked.series !== at ? 0.35 : 1,
            ...(at >= dashedFrom && { type: [6, 3] }),
          },
          itemStyle: { color, opacity: picked && picked.series !== at ? 0.35 : 1 },
          ...marks(
            facets || at === shown[0]!.at ? lines : [],
            trends[at] && { of: trends[at], x: place, color },
            drawn?.format ?? formatTick,
            palette,
          ),
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
                  line: place.flatMap((x, point) => {
                    const value = series[at]!.values[point] ?? null;
                    return value === null ? [] : [[x, value] as const];
                  }),
                })),
                palette,
              ),
            ]
          : [],
      ),
  };
  return facets ? panels(option, width) : option;
}

/** Makes a resolved colour translucent, so that the data behind the selection stays visible. */
const translucent = (color: string): string =>
  color.startsWith('rgb(') ? color.replace('rgb(', 'rgba(').replace(')', ', 0.25)') : 'transparent';

function zoomStrip(
  palette: ChartPalette,
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
    textStyle: axisTextStyle(palette),
    brushSelect: false,
    emphasis: {
      handleStyle: { color: palette.raised, borderColor: palette.text },
      moveHandleStyle: { color: palette.border },
    },
    labelFormatter,
  };
}
