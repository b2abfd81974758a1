import type { Pivot } from '@tiding/client/model';
import type { EChartsCoreOption } from 'echarts/core';
import { formatTick } from '../../parts/numbers.ts';
import { animationOf, cartesian, type DrawnAxes, formatKey, type XLabels } from '../chart/axes.ts';
import { referenceLine } from '../chart/axis-settings.ts';
import type { DrawingState } from '../chart/chart-kind.ts';
import { type ChartPalette, seriesColor } from '../chart/palette.ts';

/** Settings of a bar chart. */
export interface BarSetting {
  readonly stacked: boolean;
  readonly labels: XLabels;
  /** Whether bars show shares of 100 %; `pivot` then has shares. */
  readonly full?: boolean;
  readonly axes?: DrawnAxes;
  /** Value of a line across the chart. */
  readonly line?: number | undefined;
}

/**
 * Builds the ECharts option of a bar chart. Hidden series keep their colour index, so the others
 * don't change colour.
 */
export function barOption(
  { x, series }: Pivot,
  { stacked, labels, full, axes, line }: BarSetting,
  { hidden, picked }: DrawingState,
  palette: ChartPalette,
): EChartsCoreOption {
  const drawn = cartesian(palette, { names: x.map(formatKey) }, labels, axes);
  const first = series.findIndex(({ name }) => !hidden.has(name));
  return {
    ...drawn,
    ...(full && { yAxis: { ...drawn.yAxis, max: 1 } }),
    ...animationOf(x.length),
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
        ...(at === first && referenceLine(line, axes?.format ?? formatTick, palette)),
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
}
