/** Small multiples: each series in a panel of its own, all with the same scales. */
import { intervalWidth, type Pivot, type PivotOptions } from '@tiding/client/model';
import type { EChartsCoreOption } from 'echarts/core';
import { boundsOf, type ViewSetting } from './axes.ts';
import { type AxisSettings, axisSettings } from './axis-settings.ts';
import type { ChartDrawing } from './chart-kind.ts';
import { legendEntries } from './chart-parts.tsx';

/** Maximum number of panels. */
const MAX_PANELS = 12;
const MAX_COLUMNS = 4;
/** Least size of a panel, and the width of a chart whose own is not known, in px. */
const [PANEL_WIDTH_PX, PANEL_HEIGHT_PX, WIDTH_PX] = [200, 120, 720];
/** Space between panels, in percent. */
const GAP = 2;

type Part = Readonly<Record<string, unknown>>;

/** Returns the number of panels beside and above each other. */
export function panelRows(count: number, width = WIDTH_PX): { columns: number; rows: number } {
  const most = Math.min(MAX_COLUMNS, Math.floor((width || WIDTH_PX) / PANEL_WIDTH_PX));
  const columns = Math.max(1, Math.min(count, most));
  return { columns, rows: Math.ceil(count / columns) };
}

/** Limits the series to those that have a panel. */
export const facetOptions = (setting: ViewSetting): PivotOptions =>
  axisSettings(setting).facets ? { maxSeries: MAX_PANELS } : {};

/** The legend of a chart; panels have names instead, and need more height. */
export const facetEntries = (
  { facets }: AxisSettings,
  { series }: Pivot,
): Pick<ChartDrawing, 'entries' | 'leastHeight'> =>
  facets
    ? {
        entries: [],
        leastHeight: (width) => panelRows(series.length, width).rows * PANEL_HEIGHT_PX,
      }
    : { entries: legendEntries(series.map(({ name }) => name)) };

/** The values of a series as ECharts takes them. */
function numbersOf({ data }: Part): number[] {
  return (data as readonly unknown[]).flatMap((item) => {
    const value = typeof item === 'object' && item && 'value' in item ? item.value : item;
    const y: unknown = Array.isArray(value) ? value[1] : value;
    return typeof y === 'number' && Number.isFinite(y) ? [y] : [];
  });
}

/** Ends of an axis for some values, at round numbers. */
function scaleFor(values: readonly number[], { type, scale }: Part): Part {
  const [low, high] = boundsOf(scale || type === 'log' ? values : [0, ...values]);
  if (!(high > low)) return {};
  if (type === 'log')
    return { min: 10 ** Math.floor(Math.log10(low)), max: 10 ** Math.ceil(Math.log10(high)) };
  const step = intervalWidth(low, high, 4, false);
  return { min: Math.floor(low / step) * step, max: Math.ceil(high / step) * step };
}

/**
 * Divides an option with one x and one y axis into a panel for each series.
 *
 * @param width of the chart in px, 0 if it is unknown
 */
export function panels(option: EChartsCoreOption, width: number | undefined): EChartsCoreOption {
  const [grid, x, y] = ['grid', 'xAxis', 'yAxis'].map((name) => option[name] as Part);
  const series = option['series'] as readonly Part[];
  const { columns, rows } = panelRows(series.length, width);
  const scale = scaleFor(series.flatMap(numbersOf), y!);
  return {
    ...option,
    grid: series.map((_, at) => ({
      ...grid,
      left: `${((at % columns) * 100) / columns}%`,
      top: `${(Math.floor(at / columns) * 100) / rows}%`,
      width: `${100 / columns - GAP}%`,
      height: `${100 / rows - GAP}%`,
      right: undefined,
      bottom: undefined,
      outerBoundsContain: 'all',
    })),
    xAxis: [
      ...series.map((_, at) => ({ ...x, gridIndex: at })),
      // The names of the panels: axes without anything else.
      ...series.map(({ name }, at) => ({
        gridIndex: at,
        type: 'category',
        data: [],
        position: 'top',
        name: y!['name'] ? `${String(name)}, ${String(y!['name'])}` : name,
        nameLocation: 'middle',
        nameGap: 4,
        nameTextStyle: { ...(x!['axisLabel'] as object), fontWeight: 500 },
        axisLine: { show: false },
        axisTick: { show: false },
        axisLabel: { show: false },
      })),
    ],
    yAxis: series.map((_, at) => ({ ...y, ...scale, name: '', gridIndex: at })),
    series: series.map((one, at) => ({ ...one, xAxisIndex: at, yAxisIndex: at })),
  };
}
