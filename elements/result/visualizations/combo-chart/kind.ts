import type { Pivot } from '@tiding/client/model';
import { BarChart, LineChart } from 'echarts/charts';
import { MarkLineComponent } from 'echarts/components';
import { use } from 'echarts/core';
import { animationOf, axisTextStyle, cartesian, keyFormat, xLabelsOf } from '../chart/axes.ts';
import { axesOf } from '../chart/axis-settings.ts';
import type { ChartKind } from '../chart/chart-kind.ts';
import { legendEntries } from '../chart/chart-parts.tsx';
import { cartesianPointing } from '../chart/chart-pointing.ts';
import { marks, valueLabels } from '../chart/marks.ts';
import { seriesColor } from '../chart/palette.ts';
import { pointTip } from '../chart/point-tip.ts';

use([BarChart, LineChart, MarkLineComponent]);

/** Bars belong to the first value and the left axis, lines to the others and the right axis. */
const isBar = ({ series }: Pivot, at: number): boolean => series[at]?.value === 0;

/** The title of an axis: the names of its measures. */
const titleOf = (names: readonly string[]): string => names.join(', ');

/** Bars of the first value, and lines of the others with an axis of their own. */
export default {
  id: 'comboChart',
  pivot: { gather: false, maxSeries: 40, maxValues: 20_000 },
  isOneAxis: false,
  measures: 2,
  offers: ['sort', 'grain', 'running', 'labels', 'xLabels', 'xTitle', 'yTitle', 'numbers', 'lines'],
  draw(pivot, setting) {
    const { x, series, measures } = pivot;
    const { axes, settings } = axesOf(setting, pivot);
    const format = keyFormat(pivot);
    return {
      entries: legendEntries(series.map(({ name }) => name)),
      option(palette, { hidden, picked }) {
        const drawn = cartesian(palette, { names: x.map(format) }, xLabelsOf(setting), {
          ...axes,
          yTitle: settings.yTitle || titleOf(measures.slice(0, 1)),
        });
        const right = cartesian(
          palette,
          { names: [] },
          { show: true, rotate: 0 },
          { ...axes, yTitle: titleOf(measures.slice(1)) },
        ).yAxis;
        const first = series.findIndex(({ name }) => !hidden.has(name));
        return {
          ...drawn,
          ...animationOf(x.length),
          yAxis: [
            drawn.yAxis,
            {
              ...right,
              position: 'right',
              show: measures.length > 1,
              // Two grids of lines would cross.
              splitLine: { show: false },
              axisLabel: { ...(right['axisLabel'] as object), ...axisTextStyle(palette) },
            },
          ],
          series: series
            .map(({ name, values }, at) => {
              const color = seriesColor(palette, at, series.length);
              const isFaint = picked && picked.series !== at;
              return {
                id: String(at),
                name,
                data: values,
                ...(isBar(pivot, at)
                  ? { type: 'bar', yAxisIndex: 0, barMaxWidth: 96, barCategoryGap: '33%' }
                  : {
                      type: 'line',
                      yAxisIndex: 1,
                      symbol: 'circle',
                      symbolSize: x.length > 60 ? 0 : 5,
                      showAllSymbol: true,
                      lineStyle: { width: 2, color, opacity: isFaint ? 0.35 : 1 },
                      z: 3,
                    }),
                itemStyle: { color, opacity: isFaint ? 0.35 : 1 },
                ...marks(at === first ? settings.lines : [], undefined, axes.format, palette),
                ...valueLabels(
                  settings.labels === true,
                  x.length * series.length,
                  'top',
                  palette.text,
                  palette,
                  (point) => (values[point] == null ? '' : axes.format(values[point])),
                ),
                emphasis: { disabled: true },
              };
            })
            .filter(({ name }) => !hidden.has(name)),
        };
      },
      pointing: (hidden) =>
        cartesianPointing({
          x: x.map((_, point) => point),
          series: series.flatMap(({ name }, at) => (hidden.has(name) ? [] : [at])),
          top: (at, point) => series[at]?.values[point] ?? null,
          yAxis: (at) => (isBar(pivot, at) ? 0 : 1),
          found: true,
        }),
      tip: ({ point }, hidden) => pointTip(pivot, hidden, point, format, undefined, axes.format),
    };
  },
} satisfies ChartKind;
