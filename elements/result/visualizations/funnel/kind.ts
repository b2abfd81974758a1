import { BarChart } from 'echarts/charts';
import { MarkLineComponent } from 'echarts/components';
import { use } from 'echarts/core';
import { numberFormat } from '../../parts/numbers.ts';
import { keyFormat, xLabelsOf } from '../chart/axes.ts';
import { axesOf } from '../chart/axis-settings.ts';
import type { ChartKind } from '../chart/chart-kind.ts';
import { cartesianPointing } from '../chart/chart-pointing.ts';
import { pointTip } from '../chart/point-tip.ts';
import { chartTexts } from '../chart/texts.ts';
import { barOption } from '../multi-bar-chart/option.ts';

use([BarChart, MarkLineComponent]);

const t = chartTexts.funnel;
/** Room above the bars for two lines of text, in px. */
const LABEL_PX = 36;
const percent = numberFormat({ style: 'percent', maximumFractionDigits: 1 });

/** A bar for each step of a process, with the share of the step before that reached it. */
export default {
  id: 'funnel',
  pivot: { gather: false, maxSeries: 1, maxValues: 50 },
  measures: 1,
  offers: ['sort', 'xLabels', 'xTitle', 'yTitle', 'numbers'],
  config: ({ keys, values }) => ({ keys, groups: [], values: values.slice(0, 1) }),
  draw(pivot, setting) {
    const { axes } = axesOf(setting, pivot);
    const format = keyFormat(pivot);
    const steps = pivot.x.map(format);
    const values = pivot.series[0]?.values ?? [];
    /** The share of a step that reached another one; `undefined` if it can't be computed. */
    const shareOf = (point: number, of: number): string | undefined => {
      const [value, base] = [values[point], values[of]];
      return value == null || !base ? undefined : percent.format(value / base);
    };
    const last = steps.length - 1;
    const total = shareOf(last, 0);
    return {
      entries: [],
      format,
      notes: last > 0 && total ? [t.total(steps[last]!, total, steps[0]!)] : [],
      option(palette, shown) {
        const text = (_: number, point: number): string =>
          [axes.format(values[point] ?? 0), point > 0 && shareOf(point, point - 1)]
            .filter(Boolean)
            .join('\n');
        const drawn = barOption(
          pivot,
          { stacked: false, labels: xLabelsOf(setting), axes, text },
          shown,
          palette,
        );
        return { ...drawn, grid: { ...(drawn['grid'] as object), top: LABEL_PX } };
      },
      pointing: () =>
        cartesianPointing({
          x: steps.map((_, point) => point),
          series: [0],
          top: (_, point) => values[point] ?? null,
          found: true,
        }),
      tip({ point }) {
        const tip = pointTip(pivot, new Set(), point, format, undefined, axes.format);
        const bases = point > 1 ? [point - 1, 0] : point > 0 ? [0] : [];
        const shares = bases.map((of) => ({
          at: 0,
          count: 1,
          name: t.of(steps[of]!),
          value: shareOf(point, of) ?? '',
        }));
        return tip && { ...tip, lines: [...tip.lines, ...shares] };
      },
    };
  },
} satisfies ChartKind;
