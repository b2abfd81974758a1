import type { EChartsCoreOption } from 'echarts/core';
import type { Pivot } from 'tiding/model';
import { cartesian, formatKey, movement, type XLabels } from '../chart/axes.ts';
import { seriesColor, type Palette } from '../chart/palette.ts';
import type { Shown } from '../chart/pivot-chart.tsx';

/** How bars are drawn. */
export interface BarSetting {
  readonly stacked: boolean;
  readonly labels: XLabels;
}

/** The bars of a pivot. Series that are taken out keep their colour for the others' sake. */
export function barOption(
  { x, series }: Pivot,
  { stacked, labels }: BarSetting,
  { hidden, picked }: Shown,
  palette: Palette,
): EChartsCoreOption {
  return {
    ...cartesian(palette, { names: x.map(formatKey) }, labels),
    ...movement(x.length),
    series: series
      .map(({ name, values }, at) => ({
        id: String(at),
        type: 'bar',
        name,
        data: picked
          ? values.map((value, point) =>
              picked.series === at && picked.point === point
                ? value
                : { value, itemStyle: { opacity: 0.35 } },
            )
          : values,
        stack: stacked ? 'all' : undefined,
        barCategoryGap: '33%',
        barGap: '4%',
        barMaxWidth: 96,
        itemStyle: {
          color: seriesColor(palette, at, series.length),
          // Two halves of a pixel part one stacked bar from the next.
          ...(stacked && series.length > 1 && { borderColor: palette.surface, borderWidth: 0.5 }),
        },
        emphasis: { disabled: true },
      }))
      .filter(({ name }) => !hidden.has(name)),
  };
}
