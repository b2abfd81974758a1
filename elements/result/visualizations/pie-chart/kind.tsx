import { PieChart } from 'echarts/charts';
import { type EChartsType, use } from 'echarts/core';
import { formatInteger, numberFormat } from '../../parts/numbers.ts';
import { axisSettings, numberFormatter } from '../chart/axis-settings.ts';
import type { ChartKind } from '../chart/chart-kind.ts';
import { legendEntries, omittedNotes } from '../chart/chart-parts.tsx';
import { type ChartPointing, stepIn } from '../chart/chart-pointing.ts';
import { chartTexts } from '../chart/texts.ts';
import { pieOption } from './option.ts';
import { type Slice, slicesOf } from './slices.ts';

use([PieChart]);

const share = numberFormat({
  style: 'percent',
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});

/** Maps pointer and keys to slices; each slice counts as a series with one point. */
function piePointing(slices: readonly Slice[], hidden: ReadonlySet<string>): ChartPointing {
  const shown = slices.flatMap(({ name }, at) => (hidden.has(name) ? [] : [at]));
  const total = shown.reduce((sum, at) => sum + slices[at]!.value, 0);
  return {
    hover: (_chart, _x, _y, found) => found,
    hit: (_chart, _x, _y, found) => found,
    place(chart: EChartsType, { series }) {
      const before = shown
        .slice(0, shown.indexOf(series))
        .reduce((sum, at) => sum + slices[at]!.value, 0);
      const angle =
        ((before + slices[series]!.value / 2) / (total || 1)) * 2 * Math.PI - Math.PI / 2;
      const radius = Math.min(chart.getWidth(), chart.getHeight()) * 0.3;
      return [
        chart.getWidth() / 2 + radius * Math.cos(angle),
        chart.getHeight() / 2 + radius * Math.sin(angle),
      ];
    },
    step(from, key) {
      if (shown.length === 0) return null;
      if (!from) return { series: shown[0]!, point: 0 };
      const at = shown.indexOf(from.series);
      const next =
        stepIn(at, shown.length, key, 'ArrowLeft', 'ArrowRight') ??
        stepIn(at, shown.length, key, 'ArrowUp', 'ArrowDown');
      return next === null ? null : { series: shown[next]!, point: 0 };
    },
  };
}

/** Slices of a pivot. */
export default {
  id: 'pieChart',
  pivot: { gather: false, maxSeries: 2_000, maxValues: 100_000 },
  measures: 1,
  offers: ['top', 'labels', 'numbers'],
  draw(pivot, setting) {
    const settings = axisSettings(setting);
    const format = numberFormatter(settings);
    const made = slicesOf(pivot, settings.top);
    const { slices, below, folded } = made;
    const left = omittedNotes(pivot.omitted);
    const totalOf = (hidden: ReadonlySet<string>): number =>
      slices.reduce((sum, { name, value }) => (hidden.has(name) ? sum : sum + value), 0);
    return {
      entries: legendEntries(slices.map(({ name }) => name)),
      named: settings.labels ?? true,
      option(palette, shown) {
        const total = totalOf(shown.hidden);
        const text = (at: number): string =>
          `${slices[at]!.name} ${share.format(total ? slices[at]!.value / total : 0)}`;
        return pieOption(made, shown, palette, shown.ends ? text : undefined);
      },
      pointing: (hidden) => piePointing(slices, hidden),
      tip({ series: at }, hidden) {
        const slice = slices[at];
        if (!slice) return null;
        const total = totalOf(hidden);
        return {
          head: pivot.measures.length === 1 ? pivot.measures[0]! : '',
          lines: [
            {
              at,
              count: slices.length,
              name: slice.name,
              value: chartTexts.share(
                format(slice.value),
                share.format(total ? slice.value / total : 0),
              ),
            },
          ],
        };
      },
      origin: ({ series: at }) =>
        slices[at] && slices[at].series >= 0
          ? { series: slices[at].series, point: slices[at].point }
          : null,
      notes: [
        ...(below > 0 ? [chartTexts.belowZero(formatInteger(below), below === 1)] : []),
        ...(folded > 0 ? [chartTexts.folded.slices(formatInteger(folded))] : []),
        ...(left.length > 0 ? [...left, chartTexts.sharesOfDrawn] : []),
      ],
    };
  },
} satisfies ChartKind;
