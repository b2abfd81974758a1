import { LineChart } from 'echarts/charts';
import { MarkLineComponent } from 'echarts/components';
import { use } from 'echarts/core';
import { numberFormat } from '../../parts/numbers.ts';
import { type ViewSetting, xCoordinates, xLabelsOf } from '../chart/axes.ts';
import { axesOf } from '../chart/axis-settings.ts';
import { type ChartKind, SETTING_STORE_DELAY_MS } from '../chart/chart-kind.ts';
import { legendEntries } from '../chart/chart-parts.tsx';
import { cartesianPointing } from '../chart/chart-pointing.ts';
import { pointTip } from '../chart/point-tip.ts';
import { chartTexts } from '../chart/texts.ts';
import { SegmentedControl } from '../fields/controls.tsx';
import { areaLayers, areaOption } from './option.ts';

use([LineChart, MarkLineComponent]);

const styles = ['stack', 'stream', 'expand'] as const;
const styleOf = (setting: ViewSetting) => styles.find((one) => one === setting['style']) ?? 'stack';
const share = numberFormat({ style: 'percent', maximumFractionDigits: 1 });

/** Stacked areas of a pivot. */
export default {
  id: 'stackedAreaChart',
  pivot: { scale: true, gather: false, maxSeries: 200, maxValues: 100_000 },
  measures: 1,
  offers: ['grain', 'running', 'xLabels', 'xTitle', 'yTitle', 'numbers', 'lines'],
  draw(pivot, setting) {
    const style = styleOf(setting);
    const { x, series } = pivot;
    const labels = xLabelsOf(setting);
    const { axes, settings } = axesOf(setting, pivot);
    return {
      entries: legendEntries(series.map(({ name }) => name)),
      option: (palette, shown) =>
        areaOption(pivot, style, labels, shown, palette, axes, settings.lines),
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
        // Reversed so that Arrow Up moves to the area above.
        return cartesianPointing({
          x: xCoordinates(x),
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
        const tip = (at: number, point: number): string | null => {
          const value = series[at]!.values[point] ?? 0;
          return style === 'expand' && total
            ? chartTexts.share(axes.format(value), share.format(value / total))
            : null;
        };
        return pointTip(pivot, hidden, spot.point, undefined, tip, axes.format);
      },
    };
  },
  settings: (setting, save) => (
    <SegmentedControl
      label={chartTexts.style}
      value={styleOf(setting)}
      options={styles.map((one) => [one, chartTexts.styles[one]] as const)}
      onValue={(style) => save({ style }, SETTING_STORE_DELAY_MS)}
    />
  ),
} satisfies ChartKind;
