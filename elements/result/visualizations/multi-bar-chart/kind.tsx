import { BarChart } from 'echarts/charts';
import { MarkLineComponent } from 'echarts/components';
import { use } from 'echarts/core';
import { resultText } from '../../texts.ts';
import { type ViewSetting, xLabelsOf } from '../chart/axes.ts';
import { axesOf, axisSettings, numberFormatter, shares } from '../chart/axis-settings.ts';
import { type ChartKind, SETTING_STORE_DELAY_MS, seriesOptions } from '../chart/chart-kind.ts';
import { cartesianPointing } from '../chart/chart-pointing.ts';
import { facetEntries, facetOptions } from '../chart/facets.ts';
import { trendNotes, trendsOf } from '../chart/marks.ts';
import { pointTip } from '../chart/point-tip.ts';
import { chartTexts } from '../chart/texts.ts';
import { SegmentedControl } from '../fields/controls.tsx';
import { fitCategories } from './categories.ts';
import { barOption } from './option.ts';
import { cutOther } from './other-bar.ts';

use([BarChart, MarkLineComponent]);

/** Values from which those to draw are chosen. */
const mostValues = 200_000;
const mostSeries = 400;

/** Zeppelin knows `stacked`; bars of 100 % are stacked there. */
const layoutOf = (setting: ViewSetting): 'grouped' | 'stacked' | 'full' =>
  setting['stacked'] !== true ? 'grouped' : setting['full'] === true ? 'full' : 'stacked';

/** Bars of a pivot. */
export default {
  id: 'multiBarChart',
  pivot: { gather: true, maxValues: mostValues, maxSeries: mostSeries },
  measures: 2,
  offers: ['sort', 'top', ...seriesOptions],
  options: facetOptions,
  fit: fitCategories,
  draw(pivot, setting) {
    const { axes, settings, notes } = axesOf(setting, pivot);
    const { facets } = settings;
    const layout = facets ? 'grouped' : layoutOf(setting);
    const full = layout === 'full';
    const stacked = layout !== 'grouped';
    const labels = xLabelsOf(setting);
    // Shares of a whole are percentages on a linear axis, and stacked bars have no logarithm.
    const drawn = {
      ...axes,
      log: axes.log && !stacked,
      format: full ? numberFormatter({ format: 'percent', unit: '' }) : axes.format,
    };
    const { x } = pivot;
    const partsOf = (hidden: ReadonlySet<string>) =>
      full ? { pivot: shares(pivot, hidden), other: undefined } : cutOther(pivot, stacked, hidden);
    const places = x.map((_, point) => point);
    const trends = stacked ? [] : trendsOf(settings, drawn.log, places, pivot);
    const uncut = partsOf(new Set()).other?.uncut;
    return {
      notes: [
        ...notes,
        ...trendNotes(trends, (at) => ({ name: pivot.series[at]!.name, x: places }), axes.format),
        ...(uncut
          ? [
              uncut.length === 1
                ? chartTexts.folded.cut(axes.format(uncut[0] ?? 0))
                : chartTexts.folded.cutSeveral,
            ]
          : []),
      ],
      ...facetEntries(settings, pivot),
      option: (palette, shown) => {
        const { pivot: parts, other } = partsOf(shown.hidden);
        // Bars that are cut off have the label of their whole value.
        const labelled = full ? parts : pivot;
        const text = (at: number, point: number): string =>
          drawn.format(labelled.series[at]!.values[point] ?? 0);
        return barOption(
          parts,
          {
            stacked,
            labels,
            full,
            axes: drawn,
            lines: settings.lines,
            trends,
            other,
            text: settings.labels ? text : undefined,
            facets,
          },
          shown,
          palette,
        );
      },
      pointing(hidden) {
        const { series } = partsOf(hidden).pivot;
        const shown = series.flatMap(({ name }, at) => (hidden.has(name) ? [] : [at]));
        const before = (at: number, point: number): number =>
          shown
            .filter((one) => stacked && one < at)
            .reduce((sum, one) => sum + (series[one]!.values[point] ?? 0), 0);
        return cartesianPointing({
          x: x.map((_, point) => point),
          series: shown,
          facets,
          top: (at, point) => before(at, point) + (series[at]?.values[point] ?? 0),
          found: true,
        });
      },
      tip({ point }, hidden) {
        const { series } = partsOf(hidden).pivot;
        return pointTip(
          pivot,
          hidden,
          point,
          undefined,
          (at, place) =>
            full
              ? chartTexts.share(
                  axes.format(pivot.series[at]!.values[place] ?? 0),
                  drawn.format(series[at]!.values[place] ?? 0),
                )
              : null,
          axes.format,
        );
      },
    };
  },
  settings: (setting, save) =>
    axisSettings(setting).facets ? null : (
      <SegmentedControl
        label={resultText.chart.layout}
        value={layoutOf(setting)}
        options={[
          ['grouped', resultText.chart.grouped],
          ['stacked', resultText.chart.stacked],
          ['full', chartTexts.full],
        ]}
        onValue={(value) =>
          save(
            {
              stacked: value !== 'grouped',
              // Stored only where it says something, so that other settings are Zeppelin's.
              ...(value === 'full' || setting['full'] === true ? { full: value === 'full' } : {}),
            },
            SETTING_STORE_DELAY_MS,
          )
        }
      />
    ),
} satisfies ChartKind;
