import { BarChart } from 'echarts/charts';
import { use } from 'echarts/core';
import { resultText } from '../../text.ts';
import { xLabelsOf } from '../chart/axes.ts';
import { entriesOf } from '../chart/chart-parts.tsx';
import { mannerPause, PivotChart, type ChartKind } from '../chart/pivot-chart.tsx';
import { cartesianPointing } from '../chart/pointing.ts';
import { pointTip } from '../chart/tips.ts';
import type { OwnVisualizationProps } from '../contract.ts';
import { Segments, XLabelControl } from '../fields/controls.tsx';
import { barOption } from './option.ts';

use([BarChart]);

/** Bars beyond this are more than a window has columns of pixels, and more than SVG draws in time. */
const mostValues = 4_000;
const mostSeries = 400;

const kind: ChartKind = {
  id: 'multiBarChart',
  label: () => resultText.views.multiBarChart,
  pivot: { fill: 0, gather: true, mostValues, mostSeries },
  draw(pivot, setting) {
    const stacked = setting['stacked'] === true;
    const labels = xLabelsOf(setting);
    const { x, series } = pivot;
    return {
      entries: entriesOf(series.map(({ name }) => name)),
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
      <Segments
        label={resultText.chart.layout}
        value={setting['stacked'] === true ? 'stacked' : 'grouped'}
        options={[
          ['grouped', resultText.chart.grouped],
          ['stacked', resultText.chart.stacked],
        ]}
        onValue={(value) => save({ stacked: value === 'stacked' }, mannerPause)}
      />
      <XLabelControl setting={setting} save={save} />
    </>
  ),
};

/** Grouped or stacked bars of a pivot. */
export default function BarView(props: OwnVisualizationProps) {
  return <PivotChart {...props} kind={kind} />;
}
