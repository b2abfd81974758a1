import type { Pivot } from '@tiding/client/model';
import { BoxplotChart } from 'echarts/charts';
import { MarkLineComponent } from 'echarts/components';
import { use } from 'echarts/core';
import { animationOf, cartesian, keyFormat, xLabelsOf } from '../chart/axes.ts';
import { axesOf } from '../chart/axis-settings.ts';
import type { ChartKind } from '../chart/chart-kind.ts';
import { cartesianPointing } from '../chart/chart-pointing.ts';
import { marks } from '../chart/marks.ts';
import { tint } from '../chart/palette.ts';
import { distributedColumn } from '../chart/prepared-pivot.ts';
import { chartTexts } from '../chart/texts.ts';
import { fitCategories } from '../multi-bar-chart/categories.ts';

use([BoxplotChart, MarkLineComponent]);

/** The values of a box, from its lower whisker to its upper one. */
const PARTS = ['min', 'q1', 'median', 'q3', 'max'] as const;

/** The five values of a point; `undefined` if it has none. */
function boxOf({ series }: Pivot, point: number): number[] | undefined {
  const values = PARTS.map((_, part) => series[part]?.values[point]);
  return values.every((value) => typeof value === 'number') ? (values as number[]) : undefined;
}

/** A box for each key: the quartiles of the first value, with whiskers to its ends. */
export default {
  id: 'boxPlot',
  pivot: { gather: false, maxValues: 20_000 },
  isOneAxis: false,
  measures: 1,
  offers: ['sort', 'top', 'grain', 'xLabels', 'xTitle', 'yTitle', 'numbers', 'lines', 'log'],
  fit: (made, config, choice, width) => fitCategories(made, config, choice, width),
  config(chosen, _columns, types) {
    const value = distributedColumn(chosen, types);
    const keys = chosen.keys.filter(({ index }) => index !== value?.index);
    // The groups are keys of their own: five series for each would be no box.
    return { keys, groups: [], values: value ? PARTS.map((aggr) => ({ ...value, aggr })) : [] };
  },
  draw(pivot, setting) {
    const { axes, settings, notes } = axesOf(setting, pivot);
    const { x } = pivot;
    const format = keyFormat(pivot);
    const boxes = x.map((_, point) => boxOf(pivot, point));
    return {
      entries: [],
      notes: [...notes, chartTexts.box.meaning],
      option(palette, { picked }) {
        return {
          ...cartesian(palette, { names: x.map(format) }, xLabelsOf(setting), axes),
          ...animationOf(x.length),
          series: [
            {
              id: '0',
              type: 'boxplot',
              boxWidth: [8, 56],
              data: boxes.map((box, point) => ({
                value: box ?? [],
                itemStyle: {
                  color: tint(palette, 0.25),
                  borderColor: palette.mono,
                  borderWidth: 1.5,
                  opacity: picked && picked.point !== point ? 0.35 : 1,
                },
              })),
              ...marks(settings.lines, undefined, axes.format, palette),
              emphasis: { disabled: true },
            },
          ],
        };
      },
      pointing: () =>
        cartesianPointing({
          x: x.map((_, point) => point),
          series: [0],
          top: (_, point) => boxes[point]?.[2] ?? null,
          found: true,
        }),
      tip({ point }) {
        const box = boxes[point];
        if (!box || x[point] === undefined) return null;
        return {
          head: format(x[point]),
          lines: PARTS.map((part, at) => ({
            at: 0,
            count: 1,
            name: chartTexts.box.parts[part],
            value: axes.format(box[at]!),
          })).reverse(),
        };
      },
    };
  },
} satisfies ChartKind;
