import {
  formatDate,
  jsonObjectOf,
  type Pivot,
  parseDate,
  type TimeGrain,
} from '@tiding/client/model';
import { formatTick, numberFormat, withMinus } from '../../parts/numbers.ts';
import type { ChartPalette } from './palette.ts';
import { formatTime, labelledTimes, tickDistance } from './time-labels.ts';

export const fontSize = 11;
/** Zeppelin's default date pattern. */
const datePattern = 'YYYY-MM-DD HH:mm:ss';

/** Appearance of the x axis labels, as stored in the settings of bar, area and line charts. */
export interface XLabels {
  readonly show: boolean;
  readonly rotate: number;
}

/**
 * A view's stored settings. They may come from other versions or programs, so nothing can be
 * assumed about their fields.
 */
export type ViewSetting = Readonly<Record<string, unknown>>;

/** Returns the stored text of `rotate.degree`. */
export function degreeOf({ rotate }: ViewSetting): string {
  const { degree } = jsonObjectOf(rotate);
  return typeof degree === 'string' || typeof degree === 'number' ? String(degree) : '-45';
}

/** Reads `xLabelStatus` and `rotate.degree`. */
export function xLabelsOf(setting: ViewSetting): XLabels {
  const status = setting['xLabelStatus'];
  const degree = Number(degreeOf(setting));
  // Zeppelin's degrees turn clockwise. Beyond 90 degrees the text would be upside down, so
  // normalize them.
  const turned = -(degree - 180 * Math.round(degree / 180)) || 0;
  return {
    show: status !== 'hide',
    rotate: status === 'rotate' && Number.isFinite(degree) ? turned : 0,
  };
}

/** Digits after the decimal point of a key. */
const KEY_DIGITS = 6;
const keyNumbers = numberFormat({
  maximumFractionDigits: KEY_DIGITS,
  useGrouping: 'min2',
} as Intl.NumberFormatOptions);

/** Formats a key for display. Four-digit numbers are not grouped because most of them are years. */
export function formatKey(key: string | number): string {
  return typeof key === 'number' ? withMinus(keyNumbers.format(key)) : key;
}

const isShort = (key: string | number): boolean =>
  typeof key === 'string' || key === Number(key.toFixed(KEY_DIGITS));

/** Returns a function that formats the keys of a pivot. Different keys have different labels. */
export function keyFormat({ x, time }: Pivot): (key: string | number) => string {
  if (time) return (key) => (typeof key === 'number' ? formatTime(key, time) : key);
  return x.every(isShort) ? formatKey : (key) => withMinus(String(key));
}

/**
 * Returns a function that formats keys with a date pattern; keys that aren't dates are kept.
 *
 * @param utc whether numbers are times on a time axis
 */
export function dateKey(pattern: string, utc = false): (key: string | number) => string {
  return (key) => {
    const date = parseDate(key) ?? new Date(key);
    return Number.isNaN(date.getTime())
      ? formatKey(key)
      : formatDate(date, pattern === '' ? datePattern : pattern, { utc });
  };
}

/**
 * The x axis of a chart: categories, or a scale of numbers or times. With `whole`, ticks are placed
 * only at integers, such as years.
 */
export type XAxis =
  | { readonly names: readonly string[]; readonly edge?: boolean }
  | {
      readonly format: (value: number) => string;
      readonly whole?: boolean;
      readonly time?: TimeGrain | undefined;
      /** The times that have a label. Default: round ones. */
      readonly labelled?: readonly number[] | undefined;
    };

/** Space in px for values and the gap beside them, and for a character of a label. */
const VALUES_PX = 56;
const CHARACTER_PX = 6.5;
const LABEL_GAP_PX = 24;
const MAX_LABELS = 10;

/**
 * The x axis of lines and areas.
 *
 * @param room width of the chart in px, without what is beside the axis
 */
export function scaleOf(
  { x, time }: Pivot,
  format: (key: string | number) => string,
  room: number,
): XAxis {
  if (!isNumeric(x)) return { names: x.map(format), edge: true };
  const longest = Math.max(format(x[0]!).length, format(x.at(-1)!).length);
  const most = Math.floor((room - VALUES_PX) / (longest * CHARACTER_PX + LABEL_GAP_PX));
  const labelled = time && room > 0 ? labelledTimes(x, Math.min(MAX_LABELS, most)) : undefined;
  return { format, time, labelled, whole: x.every(Number.isInteger) };
}

/** Returns the x coordinate of each point: the number itself, or the index of a category. */
export const xCoordinates = (x: Pivot['x']): readonly number[] =>
  isNumeric(x) ? x : x.map((_, point) => point);

/** Whether all keys are numbers, so that the x axis is a numeric scale. */
export function isNumeric(x: Pivot['x']): x is readonly number[] {
  return x.length > 0 && x.every((key) => typeof key === 'number');
}

/** Text style of axis labels. */
export const axisTextStyle = (palette: ChartPalette): Record<string, unknown> => ({
  color: palette.label,
  fontSize,
  fontFamily: palette.fontFamily,
});

/** Titles, scale and number format of the axes. */
export interface DrawnAxes {
  readonly xTitle: string;
  readonly yTitle: string;
  readonly log: boolean;
  readonly format: (value: number) => string;
}

/** Title in the middle of an axis. */
const titleOf = (name: string | undefined, palette: ChartPalette): object =>
  name
    ? {
        name,
        nameLocation: 'middle',
        nameTextStyle: { ...axisTextStyle(palette), fontWeight: 500 },
        nameTruncate: { maxWidth: 320 },
      }
    : {};

/** Builds the grid and axes shared by all charts with an x and a y axis. */
export function cartesian(
  palette: ChartPalette,
  x: XAxis,
  labels: XLabels,
  axes?: DrawnAxes,
): {
  grid: Record<string, unknown>;
  xAxis: Record<string, unknown>;
  yAxis: Record<string, unknown>;
  [more: string]: unknown;
} {
  const text = axisTextStyle(palette);
  const names = 'names' in x;
  return {
    textStyle: { fontFamily: palette.fontFamily },
    // Times are drawn as written, without a zone.
    useUTC: true,
    grid: {
      left: 0,
      right: names && !x.edge ? 0 : 8,
      top: 8,
      bottom: 4,
      outerBoundsMode: 'same',
      outerBoundsContain: axes?.xTitle || axes?.yTitle ? 'all' : 'axisLabel',
    },
    xAxis: {
      ...(names
        ? { type: 'category', data: x.names, boundaryGap: !x.edge }
        : {
            type: x.time ? 'time' : 'value',
            min: 'dataMin',
            max: 'dataMax',
            ...(x.time ? { minInterval: tickDistance[x.time] } : x.whole && { minInterval: 1 }),
            splitLine: { show: false },
          }),
      ...titleOf(axes?.xTitle, palette),
      axisLine: { onZero: true, lineStyle: { color: palette.axis, width: 1 } },
      axisTick: { show: false },
      axisLabel: {
        ...text,
        show: labels.show,
        rotate: labels.rotate,
        hideOverlap: labels.rotate === 0,
        margin: 8,
        // The first and the last label would be cut at the edges of the chart.
        ...((!names || x.edge) &&
          labels.rotate === 0 && { alignMinLabel: 'left', alignMaxLabel: 'right' }),
        ...(!names && {
          formatter: x.format,
          ...(x.labelled && labels.rotate === 0 && { customValues: x.labelled }),
        }),
      },
      axisPointer: {
        show: true,
        triggerTooltip: false,
        label: { show: false },
        ...(names && !x.edge
          ? { type: 'shadow', shadowStyle: { color: palette.hover, opacity: 0.7 }, z: -1 }
          : {
              type: 'line',
              snap: true,
              lineStyle: { color: palette.border, width: 1, type: 'solid' },
            }),
      },
    },
    yAxis: {
      type: axes?.log ? 'log' : 'value',
      ...titleOf(axes?.yTitle, palette),
      splitNumber: 4,
      axisLine: { show: false },
      axisTick: { show: false },
      axisLabel: { ...text, formatter: axes?.format ?? formatTick },
      splitLine: { lineStyle: { color: palette.grid, width: 1 } },
    },
  };
}

/** Turns the y axis of {@link cartesian} into rows with names, the first at the top. */
export const rowsOf = (
  yAxis: Record<string, unknown>,
  names: readonly string[],
): Record<string, unknown> => ({
  ...yAxis,
  type: 'category',
  inverse: true,
  data: names,
  splitLine: { show: false },
  axisLabel: {
    ...(yAxis['axisLabel'] as object),
    formatter: undefined,
    width: 140,
    overflow: 'truncate',
  },
});

/** Maps data of a drawn item to pixels, as ECharts gives it. */
export interface ItemApi {
  value(dimension: number): number;
  coord(point: readonly number[]): number[];
  size(range: readonly number[]): number[];
}

/** Charts with more points are not animated. */
const animatedPoints = 150;
/** Longer motion makes people wait. */
const ANIMATION_MS = 140;

/**
 * Animation settings for a chart with a number of points; disabled if the user prefers reduced
 * motion.
 */
export function animationOf(points: number): Record<string, unknown> {
  // Servers, which draw charts too, have no media.
  const still = globalThis.matchMedia?.('(prefers-reduced-motion: reduce)').matches ?? true;
  return {
    animation: !still && points <= animatedPoints,
    animationDuration: ANIMATION_MS,
    animationDurationUpdate: ANIMATION_MS,
  };
}

/** The least and the greatest of some numbers. */
export function boundsOf(numbers: ArrayLike<number>): readonly [low: number, high: number] {
  let [low, high] = [Infinity, -Infinity];
  for (let at = 0; at < numbers.length; at++) {
    low = Math.min(low, numbers[at]!);
    high = Math.max(high, numbers[at]!);
  }
  return [low, high];
}
