import { formatDate, parseDate, type Pivot } from 'tiding/model';
import { formatTick, withMinus } from '../../numbers.ts';
import type { Palette } from './palette.ts';

export const fontSize = 11;
/** Upstream's pattern where a reader has set none. */
const datePattern = 'YYYY-MM-DD HH:mm:ss';

/** How the labels of the x axis stand, as stored in the settings of bar, area and line. */
export interface XLabels {
  readonly show: boolean;
  readonly rotate: number;
}

/** A view's own settings as they are stored; of whatever version or hand. */
export type Setting = Readonly<Record<string, unknown>>;

/** The stored text of `rotate.degree`. */
export function degreeOf({ rotate }: Setting): string {
  const degree =
    typeof rotate === 'object' && rotate !== null && 'degree' in rotate ? rotate.degree : undefined;
  return typeof degree === 'string' || typeof degree === 'number' ? String(degree) : '-45';
}

/** Reads `xLabelStatus` and `rotate.degree`. */
export function xLabelsOf(setting: Setting): XLabels {
  const status = setting['xLabelStatus'];
  const degree = Number(degreeOf(setting));
  // Upstream's degrees turn clockwise, and beyond a right angle the text would stand on its head.
  const turned = -(degree - 180 * Math.round(degree / 180)) || 0;
  return {
    show: status !== 'hide',
    rotate: status === 'rotate' && Number.isFinite(degree) ? turned : 0,
  };
}

const keyNumbers = new Intl.NumberFormat(undefined, {
  maximumFractionDigits: 6,
  useGrouping: 'min2',
} as Intl.NumberFormatOptions);

/** A key in the reader's spelling; four digits stay together, they are years more often than not. */
export function formatKey(key: string | number): string {
  return typeof key === 'number' ? withMinus(keyNumbers.format(key)) : key;
}

/** A key as date by a pattern; what is no date stays as it is. */
export function dateKey(pattern: string): (key: string | number) => string {
  return (key) => {
    const date = parseDate(key) ?? new Date(key);
    return Number.isNaN(date.getTime())
      ? formatKey(key)
      : formatDate(date, pattern === '' ? datePattern : pattern);
  };
}

/** The x axis of a chart: names, or numbers in their distances; between whole numbers, such as years, nothing is marked. */
export type XAxis =
  | { readonly names: readonly string[]; readonly edge?: boolean }
  | { readonly format: (value: number) => string; readonly whole?: boolean };

/** Whether lines and areas stand over numbers. */
export function isNumeric(x: Pivot['x']): x is readonly number[] {
  return x.length > 0 && x.every((key) => typeof key === 'number');
}

/** Whether all keys of a numeric axis are whole. */
export const isWhole = (x: readonly number[]): boolean => x.every(Number.isInteger);

/** Text of an axis. */
export const textOf = (palette: Palette): Record<string, unknown> => ({
  color: palette.label,
  fontSize,
  fontFamily: palette.fontFamily,
});

/** Grid and axes that charts with an x and a y axis share. */
export function cartesian(
  palette: Palette,
  x: XAxis,
  labels: XLabels,
): {
  grid: Record<string, unknown>;
  xAxis: Record<string, unknown>;
  yAxis: Record<string, unknown>;
  [more: string]: unknown;
} {
  const text = textOf(palette);
  const names = 'names' in x;
  return {
    textStyle: { fontFamily: palette.fontFamily },
    grid: {
      left: 0,
      right: names && !x.edge ? 0 : 8,
      top: 8,
      bottom: 4,
      outerBoundsMode: 'same',
      outerBoundsContain: 'axisLabel',
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
      axisLine: { onZero: true, lineStyle: { color: palette.axis, width: 1 } },
      axisTick: { show: false },
      axisLabel: {
        ...text,
        show: labels.show,
        rotate: labels.rotate,
        hideOverlap: labels.rotate === 0,
        margin: 8,
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
      type: 'value',
      splitNumber: 4,
      axisLine: { show: false },
      axisTick: { show: false },
      axisLabel: { ...text, formatter: formatTick },
      splitLine: { lineStyle: { color: palette.grid, width: 1 } },
    },
  };
}

/** Above so many points nothing moves; else it takes 300 ms. */
const animatedPoints = 150;

/** How a chart of so many points comes. */
export function movement(points: number): Record<string, unknown> {
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
  return {
    animation: !still && points <= animatedPoints,
    animationDuration: 300,
    animationDurationUpdate: 300,
  };
}
