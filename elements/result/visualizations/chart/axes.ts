import type { Palette } from './palette.ts';
import { formatTick } from '../../numbers.ts';

const fontSize = 11;

/** How the labels of the x axis stand, as stored in the settings of bar, area and line. */
export interface XLabels {
  readonly show: boolean;
  readonly rotate: number;
}

/** Reads `xLabelStatus` and `rotate.degree`. */
export function xLabelsOf(setting: Readonly<Record<string, unknown>>): XLabels {
  const status = setting['xLabelStatus'];
  const rotate = setting['rotate'];
  const degree = typeof rotate === 'object' && rotate !== null && 'degree' in rotate ? Number(rotate.degree) : -45;
  // Upstream's degrees turn clockwise.
  return { show: status !== 'hide', rotate: status === 'rotate' && Number.isFinite(degree) ? Math.max(-90, Math.min(90, -degree)) : 0 };
}

/** Grid and axes that charts with an x and a y axis share. */
export function cartesian(palette: Palette, x: readonly (string | number)[], labels: XLabels): Record<string, unknown> {
  const text = { color: palette.label, fontSize, fontFamily: palette.fontFamily };
  return {
    textStyle: { fontFamily: palette.fontFamily },
    grid: { left: 0, right: 0, top: 8, bottom: 2, outerBoundsMode: 'same', outerBoundsContain: 'axisLabel' },
    xAxis: {
      type: 'category',
      data: x.map(String),
      axisLine: { onZero: true, lineStyle: { color: palette.axis, width: 1 } },
      axisTick: { show: false },
      axisLabel: { ...text, show: labels.show, rotate: labels.rotate, hideOverlap: labels.rotate === 0, margin: 8 },
      axisPointer: { show: true, type: 'shadow', triggerTooltip: false, label: { show: false }, shadowStyle: { color: palette.hover, opacity: 0.7 }, z: -1 },
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
