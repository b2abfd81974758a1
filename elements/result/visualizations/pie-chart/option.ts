import type { EChartsCoreOption } from 'echarts/core';
import { animationOf, axisTextStyle } from '../chart/axes.ts';
import type { DrawingState } from '../chart/chart-kind.ts';
import { type ChartPalette, seriesColor } from '../chart/palette.ts';
import type { Slices } from './slices.ts';

/**
 * Builds the ECharts option of a pie chart: slices clockwise from the top.
 *
 * @param text the name and the share of a slice, if they are written beside it
 */
export function pieOption(
  { slices }: Slices,
  { hidden, picked }: DrawingState,
  palette: ChartPalette,
  text?: (slice: number) => string,
): EChartsCoreOption {
  return {
    ...animationOf(slices.length),
    series: [
      {
        id: 'pie',
        type: 'pie',
        radius: ['0%', text ? '78%' : '94%'],
        center: ['50%', '50%'],
        label: {
          ...axisTextStyle(palette),
          show: text !== undefined,
          color: palette.text,
          formatter: ({ data }: { readonly data: { readonly at: number } }) => text?.(data.at),
        },
        labelLine: { show: text !== undefined, length: 8, length2: 8 },
        emphasis: { disabled: true },
        stillShowZeroSum: false,
        itemStyle: { borderColor: palette.surface, borderWidth: slices.length > 60 ? 0 : 1 },
        data: slices
          .map(({ name, value, series }, at) => ({
            name,
            value,
            at,
            itemStyle: {
              color: series < 0 ? palette.other : seriesColor(palette, at, slices.length),
              opacity: picked && picked.series !== at ? 0.35 : 1,
            },
          }))
          .filter(({ name }) => !hidden.has(name)),
      },
    ],
  };
}
