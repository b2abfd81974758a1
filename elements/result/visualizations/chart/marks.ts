/** Lines and values that are added to the series of a chart. */
import { type Pivot, type Trend, trendOf } from '@tiding/client/model';
import { use } from 'echarts/core';
import { LabelLayout } from 'echarts/features';
import { numberFormat } from '../../parts/numbers.ts';
import { boundsOf, fontSize } from './axes.ts';
import type { AxisSettings, ReferenceLine } from './axis-settings.ts';
import type { ChartPalette } from './palette.ts';
import { chartTexts } from './texts.ts';

use([LabelLayout]);

/** More points have no room for their values. */
const MAX_LABELS = 400;
/** Height of a line of text, in px. */
const LINE_HEIGHT = 13;
/** More trends are not readable. */
const MAX_TRENDS = 8;

/** The values beside the points of a series; those that would cover others are left out. */
export function valueLabels(
  isShown: boolean,
  points: number,
  position: string,
  color: string,
  palette: ChartPalette,
  text: (point: number) => string,
): object {
  if (!isShown || points > MAX_LABELS) return {};
  return {
    label: {
      show: true,
      position,
      // Less room between labels makes one of several numbers.
      minMargin: 6,
      color,
      fontSize,
      lineHeight: LINE_HEIGHT,
      fontFamily: palette.fontFamily,
      formatter: ({ dataIndex }: { readonly dataIndex: number }) => text(dataIndex),
    },
    labelLayout: { hideOverlap: true },
  };
}

/** The trend of each series; none if there are too many, or on a logarithmic axis. */
export function trendsOf(
  { trend }: AxisSettings,
  isLog: boolean,
  x: readonly number[],
  { series }: Pivot,
): readonly (Trend | undefined)[] {
  if (!trend || isLog || series.length > MAX_TRENDS) return [];
  return series.map(({ values }) => trendOf(x, values));
}

const share = numberFormat({ maximumFractionDigits: 2 });

/** Says of each trend where it starts and ends. `seriesOf` returns its series. */
export const trendNotes = (
  trends: readonly (Trend | undefined)[],
  seriesOf: (at: number) => { readonly name: string; readonly x: ArrayLike<number> },
  format: (value: number) => string,
): string[] =>
  trends.flatMap((trend, at) => {
    if (!trend) return [];
    const { name, x } = seriesOf(at);
    const [start, end] = boundsOf(x).map((place) => format(trend.intercept + trend.slope * place));
    return [chartTexts.trendOf(name, start!, end!, share.format(trend.r2))];
  });

/** Part of a series: a line across the chart at each value, and the trend between two places. */
export function marks(
  lines: readonly ReferenceLine[],
  trend: { readonly of: Trend; readonly x: ArrayLike<number>; readonly color: string } | undefined,
  format: (value: number) => string,
  palette: ChartPalette,
): object {
  const at = (place: number) => ({
    coord: [place, trend!.of.intercept + trend!.of.slope * place],
    symbol: 'none',
  });
  const data = [
    ...lines.map(({ value, name }) => ({
      yAxis: value,
      label: {
        position: 'insideEndTop',
        formatter: name === '' ? format(value) : `${name}: ${format(value)}`,
        color: palette.text,
        fontSize,
        fontFamily: palette.fontFamily,
      },
    })),
    ...(trend
      ? [
          [
            {
              ...at(boundsOf(trend.x)[0]),
              lineStyle: { color: trend.color, width: 1.5, type: [2, 3] },
              label: { show: false },
            },
            at(boundsOf(trend.x)[1]),
          ],
        ]
      : []),
  ];
  if (data.length === 0) return {};
  return {
    markLine: {
      silent: true,
      symbol: 'none',
      animation: false,
      data,
      lineStyle: { color: palette.text, width: 1, type: [4, 3] },
    },
  };
}
