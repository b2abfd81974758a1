import type { EChartsCoreOption } from 'echarts/core';
import { movement } from '../chart/axes.ts';
import { seriesColor, type Palette } from '../chart/palette.ts';
import type { Shown } from '../chart/pivot-chart.tsx';
import type { Slices } from './slices.ts';

/** The slices of a pie, clockwise from the top, without labels. */
export function pieOption(
  { slices }: Slices,
  { hidden, picked }: Shown,
  palette: Palette,
): EChartsCoreOption {
  return {
    ...movement(slices.length),
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
