import type { Pivot, Trend } from '@tiding/client/model';
import type { EChartsCoreOption } from 'echarts/core';
import { formatTick } from '../../parts/numbers.ts';
import {
  animationOf,
  axisTextStyle,
  cartesian,
  type DrawnAxes,
  keyFormat,
  type XLabels,
} from '../chart/axes.ts';
import type { ReferenceLine } from '../chart/axis-settings.ts';
import type { DrawingState } from '../chart/chart-kind.ts';
import { panels } from '../chart/facets.ts';
import { marks, valueLabels } from '../chart/marks.ts';
import { type ChartPalette, seriesColor, textOn } from '../chart/palette.ts';
import type { OtherBar } from './other-bar.ts';

interface BarSetting {
  readonly stacked: boolean;
  readonly labels: XLabels;
  /** Whether bars show shares of 100 %; `pivot` then has shares. */
  readonly full?: boolean;
  readonly axes?: DrawnAxes;
  /** Lines across the chart. */
  readonly lines?: readonly ReferenceLine[];
  /** The trend of each series. */
  readonly trends?: readonly (Trend | undefined)[];
  /** Text of each value beside its bar; by default there is none. */
  readonly text?: ((series: number, point: number) => string) | undefined;
  /** Whether each series has a panel of its own. */
  readonly facets?: boolean;
  /** The bar of the combined categories; `pivot` has its cut values. */
  readonly other?: OtherBar | undefined;
}

/**
 * Name and uncut value of the combined categories, and the index of the series whose bar has the
 * label; `undefined` if no bar is cut, or if several are next to each other.
 */
function cutLabel(
  pivot: Pivot,
  { stacked, other, axes }: BarSetting,
  hidden: ReadonlySet<string>,
): { readonly series: number; readonly text: string } | undefined {
  const { x, series } = pivot;
  const shown = series.flatMap(({ name }, at) => (hidden.has(name) ? [] : [at]));
  if (!other?.uncut || (!stacked && shown.length > 1)) return undefined;
  const sum = shown.reduce((all, at) => all + (other.uncut?.[at] ?? 0), 0);
  const value = (axes?.format ?? formatTick)(sum);
  return { series: shown.at(-1) ?? -1, text: `${x[other.point] ?? ''}: ${value}` };
}

/**
 * Builds the ECharts option of a bar chart. Hidden series keep their colour index, so the others
 * don't change colour.
 */
export function barOption(
  pivot: Pivot,
  setting: BarSetting,
  { hidden, picked, width }: DrawingState,
  palette: ChartPalette,
): EChartsCoreOption {
  const { stacked, labels, full, axes, lines = [], trends = [], text, other, facets } = setting;
  const { x, series } = pivot;
  const label = cutLabel(pivot, setting, hidden);
  // The label has the name of the combined categories.
  const format = keyFormat(pivot);
  const names = x.map((key, point) => (label && point === other?.point ? '' : format(key)));
  const drawn = cartesian(palette, { names }, labels, axes);
  const first = series.findIndex(({ name }) => !hidden.has(name));
  const option = {
    ...drawn,
    ...(full && { yAxis: { ...drawn.yAxis, max: 1, interval: 0.25 } }),
    ...animationOf(x.length),
    series: series
      .map(({ name, values }, at) => ({
        id: String(at),
        type: 'bar',
        name,
        ...valueLabels(
          text !== undefined,
          x.length * series.length,
          stacked && series.length > 1 ? 'inside' : 'top',
          text && stacked && series.length > 1
            ? textOn(seriesColor(palette, at, series.length), palette)
            : palette.text,
          palette,
          (point) => (values[point] === null ? '' : text!(at, point)),
        ),
        data: values.map((value, point) => {
          const isOther = point === other?.point;
          const isFaint = picked && !(picked.series === at && picked.point === point);
          const isBelow = text !== undefined && value !== null && value < 0 && !stacked;
          if (!isOther && !isFaint && !isBelow) return value;
          return {
            value,
            ...(isBelow && { label: { position: 'bottom' } }),
            itemStyle: {
              ...(isOther && series.length === 1 && { color: palette.other }),
              ...(isFaint && { opacity: 0.35 }),
            },
            ...(isOther &&
              label?.series === at && {
                label: {
                  ...axisTextStyle(palette),
                  show: true,
                  formatter: label.text,
                  color: palette.text,
                  // Ends at the edge of the last bar, which is the edge of the chart.
                  position: ['100%', -4],
                  align: 'right',
                  verticalAlign: 'bottom',
                },
              }),
          };
        }),
        ...marks(
          facets || at === first ? lines : [],
          trends[at] && {
            of: trends[at],
            x: x.map((_, point) => point),
            color: seriesColor(palette, at, series.length),
          },
          axes?.format ?? formatTick,
          palette,
        ),
        stack: stacked ? 'all' : undefined,
        barCategoryGap: '33%',
        barGap: '4%',
        barMaxWidth: 96,
        itemStyle: {
          color: seriesColor(palette, at, series.length),
          // Two borders of half a pixel separate neighbouring bars of a stack.
          ...(stacked && series.length > 1 && { borderColor: palette.surface, borderWidth: 0.5 }),
        },
        emphasis: { disabled: true },
      }))
      .filter(({ name }) => !hidden.has(name)),
  };
  return facets ? panels(option, width) : option;
}
