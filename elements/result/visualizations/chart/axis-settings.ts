/**
 * Settings that charts share. They are stored in the view's setting under `axes`, which Zeppelin's
 * charts ignore.
 */
import { dateGrains, jsonObjectOf, type Pivot } from '@tiding/client/model';
import { formatTick, withMinus } from '../../parts/numbers.ts';
import type { DrawnAxes, ViewSetting } from './axes.ts';
import { chartTexts } from './texts.ts';

/** How the numbers of the y axis are written. */
export const numberFormats = ['auto', 'full', 'percent', 'currency', 'si'] as const;

/** Orders of categories. */
export const sortOrders = ['none', 'largest', 'smallest', 'name'] as const;
/** Order of categories; `none` keeps the order of the table. */
export type SortOrder = (typeof sortOrders)[number];

/** Places of a legend; `auto` is above the chart, or beside its lines. */
export const legendPlaces = ['auto', 'top', 'right', 'bottom', 'none'] as const;

/** A line across the chart at a value. */
export interface ReferenceLine {
  readonly value: number;
  /** What the value is; `''` for none. */
  readonly name: string;
}

const one = <Value extends string>(values: readonly Value[], given: unknown): Value | undefined =>
  values.find((value) => value === given);
const text = (given: unknown): string => (typeof given === 'string' ? given : '');
const isNumber = (given: unknown): given is number => Number.isFinite(given);
const whole = (given: unknown, least: number, most: number): number | undefined =>
  Number.isInteger(given) && Number(given) >= least && Number(given) <= most
    ? Number(given)
    : undefined;

/** Number of colours to choose from. */
export const COLOR_COUNT = 8;
const MAX_LINES = 10;
const MAX_TOP = 1_000;

/** Reads lines that are written as `Target: 100; 50`; `null` if one has no number. */
export function parseLines(words: string): ReferenceLine[] | null {
  const lines = words
    .split(';')
    .filter((part) => part.trim() !== '')
    .map((part) => {
      const [, name = '', value = ''] =
        /^(?:(.*):)?([^:]*)$/.exec(part.replace('\u2212', '-')) ?? [];
      return { value: value.trim() === '' ? Number.NaN : Number(value), name: name.trim() };
    });
  return lines.every(({ value }) => isNumber(value)) ? lines.slice(0, MAX_LINES) : null;
}

/** Writes lines as {@link parseLines} reads them. */
export const linesText = (lines: readonly ReferenceLine[]): string =>
  lines.map(({ name, value }) => (name === '' ? `${value}` : `${name}: ${value}`)).join('; ');

function linesOf({ lines, line }: Readonly<Record<string, unknown>>): ReferenceLine[] {
  // One line without a name is how older charts are stored.
  if (!Array.isArray(lines)) return isNumber(line) ? [{ value: line, name: '' }] : [];
  return lines
    .slice(0, MAX_LINES)
    .flatMap((each: Partial<ReferenceLine> | null) =>
      isNumber(each?.value) ? [{ value: each.value, name: text(each.name) }] : [],
    );
}

function colorsOf(stored: unknown): Record<string, number> {
  const pairs = typeof stored === 'object' && stored !== null ? Object.entries(stored) : [];
  return Object.fromEntries(
    pairs.filter(([, color]) => whole(color, 0, COLOR_COUNT - 1) !== undefined),
  );
}

/** Reads the stored settings. They may come from another program. */
export function axisSettings(setting: ViewSetting) {
  const axes = jsonObjectOf(setting['axes']);
  return {
    /** Heading above the chart; `''` for none. */
    title: text(axes['title']),
    subtitle: text(axes['subtitle']),
    legend: one(legendPlaces, axes['legend']) ?? 'auto',
    /** Whether values are written beside bars, points and slices; undefined until chosen. */
    labels: typeof axes['labels'] === 'boolean' ? axes['labels'] : undefined,
    /** Whether a line of least squares is drawn through each series. */
    trend: axes['trend'] === true,
    /** Whether each series has a panel of its own. */
    facets: axes['facets'] === true,
    /** Number of categories that are kept; by default as many as fit. */
    top: whole(axes['top'], 1, MAX_TOP),
    /** Whether the other categories are combined into one. */
    others: axes['others'] !== false,
    /** Number of the theme's colour, from 0, of series by name. */
    colors: colorsOf(axes['colors']),
    /** Titles; `''` for none, and for the name of the measure on the y axis. */
    xTitle: text(axes['xTitle']),
    yTitle: text(axes['yTitle']),
    format: one(numberFormats, axes['format']) ?? 'auto',
    /** Unit after each number, or the code of a currency such as `EUR`. */
    unit: text(axes['unit']),
    sort: one(sortOrders, axes['sort']) ?? 'none',
    log: axes['log'] === true,
    lines: linesOf(axes),
    grain: one(dateGrains, axes['grain']),
  };
}

/** Settings that charts share. */
export type AxisSettings = ReturnType<typeof axisSettings>;

const isCurrency = (code: string): boolean => /^[A-Za-z]{3}$/.test(code);

/** Returns a function that formats numbers of the y axis, in ticks and tooltips. */
export function numberFormatter({
  format,
  unit,
}: Pick<AxisSettings, 'format' | 'unit'>): (value: number) => string {
  const suffix = unit === '' || format === 'currency' ? '' : `\u00a0${unit}`;
  const formats: Readonly<Record<typeof format, Intl.NumberFormatOptions | undefined>> = {
    auto: undefined,
    full: { maximumFractionDigits: 3 },
    percent: { style: 'percent', maximumFractionDigits: 1 },
    si: { notation: 'compact', maximumFractionDigits: 2 },
    currency: {
      style: 'currency',
      currency: isCurrency(unit) ? unit.toUpperCase() : 'USD',
      maximumFractionDigits: 2,
      trailingZeroDisplay: 'stripIfInteger',
    },
  };
  const options = formats[format];
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
  const sums = pivot.x.map((_, point) => {
    const values = pivot.series.flatMap((series) => series.values[point] ?? []);
    return values.length > 0 ? values.reduce((sum, value) => sum + value, 0) : undefined;
  });
  const names = new Intl.Collator(undefined, { numeric: true });
  // As in SQL, what has no value is last in each order.
  const by =
    <Key>(keyOf: (point: number) => Key | undefined, compare: (a: Key, b: Key) => number) =>
    (one: number, other: number): number => {
      const [a, b] = [keyOf(one), keyOf(other)];
      if (a === undefined || b === undefined)
        return Number(a === undefined) - Number(b === undefined);
      return compare(a, b);
    };
  const order = {
    largest: by(
      (point) => sums[point],
      (a, b) => b - a,
    ),
    smallest: by(
      (point) => sums[point],
      (a, b) => a - b,
    ),
    name: by(
      (point) => {
        const [x, [cell, ...more] = []] = [pivot.x[point], pivot.keys[point]];
        if (cell === null && more.every((each) => each === null)) return undefined;
        return typeof cell === 'number' && more.length === 0 && !pivot.time ? cell : x;
      },
      (a, b) =>
        typeof a === 'number' && typeof b === 'number'
          ? a - b
          : names.compare(String(a), String(b)),
    ),
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
