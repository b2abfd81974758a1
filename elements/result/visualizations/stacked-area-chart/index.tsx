import { LineChart } from 'echarts/charts';
import { use } from 'echarts/core';
import { chartTexts } from '../../../text/charts.ts';
import { formatTick } from '../../numbers.ts';
import { resultText } from '../../text.ts';
import { xLabelsOf, type Setting } from '../chart/axes.ts';
import { entriesOf } from '../chart/chart-parts.tsx';
import { mannerPause, PivotChart, type ChartKind } from '../chart/pivot-chart.tsx';
import { cartesianPointing } from '../chart/pointing.ts';
import { pointTip } from '../chart/tips.ts';
import type { OwnVisualizationProps } from '../contract.ts';
import { Segments, XLabelControl } from '../fields/controls.tsx';
import { coordinates } from '../line-chart/option.ts';
import { areaLayers, areaOption } from './option.ts';

use([LineChart]);

const styles = ['stack', 'stream', 'expand'] as const;
const styleOf = (setting: Setting) => styles.find((one) => one === setting['style']) ?? 'stack';
const share = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 });

const kind: ChartKind = {
  id: 'stackedAreaChart',
  label: () => resultText.views.stackedAreaChart,
  pivot: { fill: 0, gather: false, mostSeries: 200, mostValues: 100_000 },
  draw(pivot, setting) {
    const style = styleOf(setting);
    const { x, series } = pivot;
    const labels = xLabelsOf(setting);
    return {
      entries: entriesOf(series.map(({ name }) => name)),
      option: (palette, shown) => areaOption(pivot, style, labels, shown, palette),
      pointing(hidden) {
        const layers = areaLayers(pivot, style, hidden);
        const above = layers.order.map((position) => layers.series[position]!);
        const edge = (at: number, point: number, itself: boolean): number => {
          const until = above.indexOf(at) + (itself ? 1 : 0);
          return layers.order
            .slice(0, until)
            .reduce(
              (sum, position) => sum + layers.heights[position]![point]!,
              layers.floor[point]!,
            );
        };
        // Up goes to the area above.
        return cartesianPointing({
          x: coordinates(x),
          series: above.toReversed(),
          top: (at, point) => edge(at, point, true),
          base: (at, point) => edge(at, point, false),
        });
      },
      tip(spot, hidden) {
        const total = series.reduce(
          (sum, { name, values }) => (hidden.has(name) ? sum : sum + (values[spot.point] ?? 0)),
          0,
        );
        return pointTip(pivot, hidden, spot.point, undefined, (at, point) => {
          const value = series[at]!.values[point] ?? 0;
          return style === 'expand' && total
            ? chartTexts.share(formatTick(value), share.format(value / total))
            : null;
        });
      },
    };
  },
  settings: (setting, save) => (
    <>
      <Segments
        label={chartTexts.style}
        value={styleOf(setting)}
        options={styles.map((one) => [one, chartTexts.styles[one]] as const)}
        onValue={(style) => save({ style }, mannerPause)}
      />
      <XLabelControl setting={setting} save={save} />
    </>
  ),
};

/** Areas of a pivot upon each other. */
export default function AreaView(props: OwnVisualizationProps) {
  return <PivotChart {...props} kind={kind} />;
}
