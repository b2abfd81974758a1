import { BarChart } from 'echarts/charts';
import { use } from 'echarts/core';
import { resultText } from '../../../text/results/result.ts';
import { xLabelsOf } from '../chart/axes.ts';
import { legendEntries } from '../chart/chart-parts.tsx';
import { cartesianPointing } from '../chart/chart-pointing.ts';
import { type ChartKind, PivotChart, SETTING_STORE_DELAY_MS } from '../chart/pivot-chart.tsx';
import { pointTip } from '../chart/point-tip.ts';
import type { BuiltInVisualizationProps } from '../contract.ts';
import { SegmentedControl, XLabelControl } from '../fields/controls.tsx';
import { barOption } from './option.ts';

use([BarChart]);

/** More bars than a window has pixel columns, and more than SVG can draw quickly. */
const mostValues = 4_000;
const mostSeries = 400;

const kind: ChartKind = {
  id: 'multiBarChart',
  label: () => resultText.views.multiBarChart,
  pivot: { fill: 0, gather: true, maxValues: mostValues, maxSeries: mostSeries },
  draw(pivot, setting) {
    const stacked = setting['stacked'] === true;
    const labels = xLabelsOf(setting);
    const { x, series } = pivot;
    return {
      entries: legendEntries(series.map(({ name }) => name)),
      option: (palette, shown) => barOption(pivot, { stacked, labels }, shown, palette),
      pointing(hidden) {
        const shown = series.flatMap(({ name }, at) => (hidden.has(name) ? [] : [at]));
        const before = (at: number, point: number): number =>
          shown
            .filter((one) => stacked && one < at)
            .reduce((sum, one) => sum + (series[one]!.values[point] ?? 0), 0);
        return cartesianPointing({
          x: x.map((_, point) => point),
          series: shown,
          top: (at, point) => before(at, point) + (series[at]?.values[point] ?? 0),
          found: true,
        });
      },
      tip: ({ point }, hidden) => pointTip(pivot, hidden, point),
    };
  },
  settings: (setting, save) => (
    <>
      <SegmentedControl
        label={resultText.chart.layout}
        value={setting['stacked'] === true ? 'stacked' : 'grouped'}
        options={[
          ['grouped', resultText.chart.grouped],
          ['stacked', resultText.chart.stacked],
        ]}
        onValue={(value) => save({ stacked: value === 'stacked' }, SETTING_STORE_DELAY_MS)}
      />
      <XLabelControl setting={setting} save={save} />
    </>
  ),
};

/** Bar chart of a pivot, grouped or stacked. */
export default function BarView(props: BuiltInVisualizationProps) {
  return <PivotChart {...props} kind={kind} />;
}
