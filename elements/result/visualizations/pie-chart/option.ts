import type { EChartsCoreOption } from 'echarts/core';
import { animationOf } from '../chart/axes.ts';
import type { DrawingState } from '../chart/chart-kind.ts';
import { type ChartPalette, seriesColor } from '../chart/palette.ts';
import type { Slices } from './slices.ts';

/** Builds the ECharts option of a pie chart: slices clockwise from the top, without labels. */
export function pieOption(
  { slices }: Slices,
  { hidden, picked }: DrawingState,
  palette: ChartPalette,
): EChartsCoreOption {
  return {
    ...animationOf(slices.length),
    series: [
      {
        id: 'pie',
        type: 'pie',
        radius: ['0%', '94%'],
        center: ['50%', '50%'],
        label: { show: false },
        labelLine: { show: false },
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
