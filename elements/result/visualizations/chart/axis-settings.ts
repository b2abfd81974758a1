/**
 * Settings of the axes that bar, area and line charts share. They are stored in the view's setting
 * under `axes`, which Zeppelin's charts ignore.
 */
import { type DateGrain, dateGrains, type Pivot } from '@tiding/client/model';
import { chartTexts } from '../../../text/results/charts.ts';
import { formatTick, withMinus } from '../../parts/numbers.ts';
import type { DrawnAxes, ViewSetting } from './axes.ts';
import type { ChartPalette } from './palette.ts';

/** How the numbers of the y axis are written. */
export const numberFormats = ['auto', 'full', 'percent', 'currency', 'si'] as const;
/** How the numbers of the y axis are written. */
export type NumberFormat = (typeof numberFormats)[number];

/** Orders of categories. */
export const sortOrders = ['none', 'largest', 'smallest', 'name'] as const;
/** Order of categories; `none` keeps the order of the table. */
export type SortOrder = (typeof sortOrders)[number];

/** Settings of the axes of a chart. */
export interface AxisSettings {
  /** Titles; `''` for none, and for the name of the measure on the y axis. */
  readonly xTitle: string;
  readonly yTitle: string;
  readonly format: NumberFormat;
  /** Unit after each number, or the code of a currency such as `EUR`. */
  readonly unit: string;
  readonly sort: SortOrder;
  readonly log: boolean;
  /** Value of a line across the chart. */
  readonly line: number | undefined;
  readonly grain: DateGrain | undefined;
}

const one = <Value extends string>(values: readonly Value[], given: unknown): Value | undefined =>
  values.find((value) => value === given);
const text = (given: unknown): string => (typeof given === 'string' ? given : '');

/** Reads the stored settings. They may come from another program. */
export function axisSettings(setting: ViewSetting): AxisSettings {
  const stored = setting['axes'];
  const axes = (typeof stored === 'object' && stored !== null ? stored : {}) as Record<
    string,
    unknown
  >;
  return {
    xTitle: text(axes['xTitle']),
    yTitle: text(axes['yTitle']),
    format: one(numberFormats, axes['format']) ?? 'auto',
    unit: text(axes['unit']),
    sort: one(sortOrders, axes['sort']) ?? 'none',
    log: axes['log'] === true,
    line:
      typeof axes['line'] === 'number' && Number.isFinite(axes['line']) ? axes['line'] : undefined,
    grain: one(dateGrains, axes['grain']),
  };
}

const isCurrency = (code: string): boolean => /^[A-Za-z]{3}$/.test(code);
const short = { notation: 'compact', maximumFractionDigits: 2 } as const;

/** Returns a function that formats numbers of the y axis, in ticks and tooltips. */
export function numberFormatter({
  format,
  unit,
}: Pick<AxisSettings, 'format' | 'unit'>): (value: number) => string {
  const suffix = unit === '' || format === 'currency' ? '' : `\u00a0${unit}`;
  const options: Intl.NumberFormatOptions | undefined =
    format === 'full'
      ? { maximumFractionDigits: 3 }
      : format === 'percent'
        ? { style: 'percent', maximumFractionDigits: 1 }
        : format === 'si'
          ? short
          : format === 'currency'
            ? {
                style: 'currency',
                currency: isCurrency(unit) ? unit.toUpperCase() : 'USD',
                maximumFractionDigits: 2,
                trailingZeroDisplay: 'stripIfInteger',
              }
            : undefined;
  if (!options) return (value) => formatTick(value) + suffix;
  const numbers = new Intl.NumberFormat(undefined, options);
  return (value) => withMinus(numbers.format(value)) + suffix;
}

/** A pivot in the chosen order. */
export interface ArrangedPivot {
  readonly pivot: Pivot;
  /** Places of its points in the given pivot; -1 for a point that combines several. */
  readonly points: readonly number[] | undefined;
  /** What was combined or left out. */
  readonly note?: string;
}

/** Sorts the categories of a pivot by the sum of their series, or by name. */
export function arranged(pivot: Pivot, sort: SortOrder): ArrangedPivot {
  if (sort === 'none' || pivot.x.length < 2) return { pivot, points: undefined };
  const sums = pivot.x.map((_, point) =>
    pivot.series.reduce((sum, { values }) => sum + (values[point] ?? 0), 0),
  );
  const names = new Intl.Collator(undefined, { numeric: true });
  const order = {
    largest: (a: number, b: number) => sums[b]! - sums[a]!,
    smallest: (a: number, b: number) => sums[a]! - sums[b]!,
    name: (a: number, b: number) => names.compare(String(pivot.x[a]), String(pivot.x[b])),
  }[sort];
  // Missing periods say nothing among bars in another order.
  const points = pivot.x
    .map((_, point) => point)
    .filter((point) => !pivot.time || pivot.series.some(({ values }) => values[point] !== null))
    .sort(order);
  const inOrder = <Item>(items: readonly Item[]): Item[] => points.map((point) => items[point]!);
  return {
    points,
    pivot: {
      ...pivot,
      x: inOrder(pivot.x),
      keys: inOrder(pivot.keys),
      series: pivot.series.map((series) => ({ ...series, values: inOrder(series.values) })),
      ...(pivot.gathered ? { gathered: inOrder(pivot.gathered) } : {}),
    },
  };
}

/** Whether a logarithmic axis can show all values: it has no place for zero and below. */
export const allPositive = ({ series }: Pivot): boolean =>
  series.every(({ values }) => values.every((value) => value === null || value > 0));

/** Shares of each point's sum, from 0 to 1, for bars of 100 %. */
export function shares(pivot: Pivot, hidden: ReadonlySet<string>): Pivot {
  const sums = pivot.x.map((_, point) =>
    pivot.series.reduce(
      (sum, { name, values }) => (hidden.has(name) ? sum : sum + Math.abs(values[point] ?? 0)),
      0,
    ),
  );
  return {
    ...pivot,
    series: pivot.series.map((series) => ({
      ...series,
      values: series.values.map((value, point) =>
        value === null ? null : sums[point] ? value / sums[point] : 0,
      ),
    })),
  };
}

/** What the settings change in a drawing of a pivot, and why a setting has no effect. */
export function axesOf(
  setting: ViewSetting,
  pivot: Pivot,
): { axes: DrawnAxes; settings: AxisSettings; notes: string[] } {
  const settings = axisSettings(setting);
  const { xTitle } = settings;
  const yTitle = settings.yTitle || (pivot.measures.length === 1 ? pivot.measures[0]! : '');
  const log = settings.log && allPositive(pivot);
  return {
    settings,
    axes: { xTitle, yTitle, log, format: numberFormatter(settings) },
    notes: settings.log && !log ? [chartTexts.axisSettings.logRefused] : [],
  };
}

/** A line across the chart at a value, with the value at its end; part of one series. */
export const referenceLine = (
  value: number | undefined,
  format: (value: number) => string,
  palette: ChartPalette,
): object =>
  value === undefined
    ? {}
    : {
        markLine: {
          silent: true,
          symbol: 'none',
          animation: false,
          data: [{ yAxis: value }],
          lineStyle: { color: palette.text, width: 1, type: [4, 3] },
          label: {
            position: 'insideEndTop',
            formatter: format(value),
            color: palette.text,
            fontSize: 11,
            fontFamily: palette.fontFamily,
          },
        },
      };
