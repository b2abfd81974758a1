import type { EChartsCoreOption } from 'echarts/core';
import type { Pivot } from 'tiding/model';
import { formatTick } from '../../numbers.ts';
import { cartesian, type XLabels } from '../chart/axes.ts';
import type { TipText } from '../chart/chart-tip.tsx';
import { seriesColor, type Palette } from '../chart/palette.ts';

/** Above so many points nothing moves. */
const animatedPoints = 150;
const animation = 300;

/** How bars are drawn. */
export interface BarSetting {
  readonly stacked: boolean;
  readonly labels: XLabels;
  /** Nothing moves, because the reader has asked for that. */
  readonly still: boolean;
}

/** The bars of a pivot. Series that are taken out keep their colour for the others' sake. */
export function barOption({ x, series }: Pivot, setting: BarSetting, hidden: ReadonlySet<string>, palette: Palette): EChartsCoreOption {
  const { stacked, labels, still } = setting;
  return {
    ...cartesian(palette, x, labels),
    animation: !still && x.length <= animatedPoints,
    animationDuration: animation,
    animationDurationUpdate: animation,
    series: series
      .map(({ name, values }, at) => ({
        id: String(at),
        type: 'bar',
        name,
        data: values,
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

/** What stands at one point of the x axis. */
export function barTip({ x, series }: Pivot, hidden: ReadonlySet<string>, index: number): TipText | null {
  if (x[index] === undefined) return null;
  const lines = series
    .map(({ name, values }, at) => ({ at, count: series.length, name, value: values[index] }))
    .filter(({ name }) => !hidden.has(name))
    .map(({ value, ...line }) => ({ ...line, value: value === null || value === undefined ? '' : formatTick(value) }));
  return { head: String(x[index]), lines };
}
