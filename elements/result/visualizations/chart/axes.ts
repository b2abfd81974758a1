import { formatDate, type Pivot, parseDate } from '@tiding/client/model';
import { formatTick, numberFormat, withMinus } from '../../parts/numbers.ts';
import type { ChartPalette } from './palette.ts';

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
  const degree =
    typeof rotate === 'object' && rotate !== null && 'degree' in rotate ? rotate.degree : undefined;
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

const keyNumbers = numberFormat({
  maximumFractionDigits: 6,
  useGrouping: 'min2',
} as Intl.NumberFormatOptions);

/** Formats a key for display. Four-digit numbers are not grouped because most of them are years. */
export function formatKey(key: string | number): string {
  return typeof key === 'number' ? withMinus(keyNumbers.format(key)) : key;
}

/** Returns a function that formats keys with a date pattern; keys that aren't dates are kept. */
export function dateKey(pattern: string): (key: string | number) => string {
  return (key) => {
    const date = parseDate(key) ?? new Date(key);
    return Number.isNaN(date.getTime())
      ? formatKey(key)
      : formatDate(date, pattern === '' ? datePattern : pattern);
  };
}

/**
 * The x axis of a chart: categories, or a numeric scale. With `whole`, ticks are placed only at
 * integers, such as years.
 */
export type XAxis =
  | { readonly names: readonly string[]; readonly edge?: boolean }
  | { readonly format: (value: number) => string; readonly whole?: boolean };

/** Whether all keys are numbers, so that the x axis is a numeric scale. */
export function isNumeric(x: Pivot['x']): x is readonly number[] {
  return x.length > 0 && x.every((key) => typeof key === 'number');
}

/** Whether all keys of a numeric axis are integers. */
export const areIntegers = (x: readonly number[]): boolean => x.every(Number.isInteger);

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
            type: 'value',
            min: 'dataMin',
            max: 'dataMax',
            ...(x.whole && { minInterval: 1 }),
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
        ...(!names && { formatter: x.format }),
      },
      axisPointer:
        names && !x.edge
          ? {
              show: true,
              type: 'shadow',
              triggerTooltip: false,
              label: { show: false },
              shadowStyle: { color: palette.hover, opacity: 0.7 },
              z: -1,
            }
          : {
              show: true,
              type: 'line',
              snap: true,
              triggerTooltip: false,
              label: { show: false },
              lineStyle: { color: palette.border, width: 1, type: 'solid' },
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
