import { BarChart } from 'echarts/charts';
import { MarkLineComponent } from 'echarts/components';
import { use } from 'echarts/core';
import { cartesian, formatKey, type ViewSetting, xLabelsOf } from '../chart/axes.ts';
import { axesOf } from '../chart/axis-settings.ts';
import type { ChartKind } from '../chart/chart-kind.ts';
import { legendEntries } from '../chart/chart-parts.tsx';
import { cartesianPointing } from '../chart/chart-pointing.ts';
import { valueLabels } from '../chart/marks.ts';
import { seriesColor, textOn } from '../chart/palette.ts';
import { pointTip } from '../chart/point-tip.ts';
import { distributedColumn } from '../chart/prepared-pivot.ts';
import { chartTexts } from '../chart/texts.ts';
import { SegmentedControl } from '../fields/controls.tsx';

use([BarChart, MarkLineComponent]);

/** Numbers of intervals to choose from. Rounded widths can make fewer. */
const BINS = ['10', '20', '50', '100'] as const;
const binsOf = ({ bins }: ViewSetting) => BINS.find((each) => each === bins) ?? '20';

/** Bars of the number of rows in intervals of the first value; groups are stacked. */
export default {
  id: 'histogram',
  pivot: { scale: true, gather: false, maxSeries: 20, maxValues: 20_000 },
  measures: 1,
  offers: ['labels', 'xLabels', 'xTitle', 'yTitle', 'numbers'],
  options: (setting) => ({ bins: Number(binsOf(setting)) }),
  config(chosen, _columns, types) {
    const { groups } = chosen;
    const value = distributedColumn(chosen, types);
    return {
      keys: value ? [value] : [],
      groups,
      values: value ? [{ ...value, aggr: 'count' }] : [],
    };
  },
  draw(pivot, setting) {
    const { x, series, width = 1 } = pivot;
    const { axes, settings } = axesOf(setting, pivot);
    const format = (start: string | number): string =>
      typeof start === 'number'
        ? chartTexts.interval(formatKey(start), formatKey(start + width))
        : start;
    const middles = x.map((start) => Number(start) + width / 2);
    return {
      entries: legendEntries(series.map(({ name }) => name)),
      format,
      option(palette, { hidden, picked }) {
        const [low, high] = [Number(x[0]), Number(x.at(-1)) + width];
        const drawn = cartesian(palette, { format: formatKey }, xLabelsOf(setting), axes);
        return {
          ...drawn,
          xAxis: {
            ...drawn.xAxis,
            min: low,
            max: high,
            // A single tick would say nothing about the width.
            ...(x.length <= 10 && { interval: width }),
          },
          series: series
            .map(({ name, values }, at) => ({
              id: String(at),
              type: 'bar',
              name,
              stack: 'all',
              // The bars of neighbouring intervals touch, as on a scale.
              barWidth: '99%',
              data: values.map((value, point) => ({
                value: [middles[point]!, value],
                ...(picked &&
                  !(picked.series === at && picked.point === point) && {
                    itemStyle: { opacity: 0.35 },
                  }),
              })),
              itemStyle: {
                color: seriesColor(palette, at, series.length),
                borderColor: palette.surface,
                borderWidth: 0.5,
              },
              ...valueLabels(
                settings.labels === true,
                x.length * series.length,
                series.length > 1 ? 'inside' : 'top',
                series.length > 1
                  ? textOn(seriesColor(palette, at, series.length), palette)
                  : palette.text,
                palette,
                (point) => (values[point] ? axes.format(values[point]) : ''),
              ),
              emphasis: { disabled: true },
            }))
            .filter(({ name }) => !hidden.has(name)),
        };
      },
      pointing(hidden) {
        const shown = series.flatMap(({ name }, at) => (hidden.has(name) ? [] : [at]));
        return cartesianPointing({
          x: middles,
          series: shown,
          top: (at, point) =>
            shown
              .filter((each) => each <= at)
              .reduce((sum, each) => sum + (series[each]!.values[point] ?? 0), 0),
          found: true,
        });
      },
      tip: ({ point }, hidden) => pointTip(pivot, hidden, point, format, undefined, axes.format),
    };
  },
  settings: (setting, save) => (
    <SegmentedControl
      label={chartTexts.bins}
      value={binsOf(setting)}
      options={BINS.map((each) => [each, each] as const)}
      onValue={(bins) => save({ bins })}
    />
  ),
} satisfies ChartKind;
