import type { EChartsCoreOption, EChartsType } from 'echarts/core';
import type { KeyboardEvent } from 'react';

interface Zoom {
  readonly start?: number;
  readonly end?: number;
}

const zoomOf = (chart: EChartsType): Zoom | undefined =>
  (chart.getOption() as { dataZoom?: Zoom[] } | undefined)?.dataZoom?.[0];

/** The part of the earth that a map shows. */
const geoOf = (chart: EChartsType): { center?: unknown; zoom?: number } | undefined =>
  (chart.getOption() as { geo?: { center?: unknown; zoom?: number }[] } | undefined)?.geo?.[0];

/** Copies the current zoom range of the x axis, or of the map, to a new option. */
export function withCurrentZoom(chart: EChartsType, option: EChartsCoreOption): EChartsCoreOption {
  const { center, zoom } = geoOf(chart) ?? {};
  if (option['geo'] && zoom !== undefined)
    return { ...option, geo: { ...option['geo'], center, zoom } };
  const now = zoomOf(chart);
  const next = option['dataZoom'];
  if (!now || !Array.isArray(next)) return option;
  return {
    ...option,
    dataZoom: (next as object[]).map((one) => ({ ...one, start: now.start, end: now.end })),
  };
}

/** Px by which a key moves a map. */
const MOVE_PX = 40;
const moves: Readonly<Record<string, object>> = {
  ArrowLeft: { dx: MOVE_PX, dy: 0 },
  ArrowRight: { dx: -MOVE_PX, dy: 0 },
  ArrowUp: { dx: 0, dy: MOVE_PX },
  ArrowDown: { dx: 0, dy: -MOVE_PX },
};

function moveMap(chart: EChartsType, key: string, shiftKey: boolean): boolean {
  const [originX, originY] = [chart.getWidth() / 2, chart.getHeight() / 2];
  const change =
    key === '+' || key === '='
      ? { zoom: 1.5, originX, originY }
      : key === '-'
        ? { zoom: 1 / 1.5, originX, originY }
        : shiftKey && moves[key];
  if (!change) return false;
  chart.dispatchAction({ type: 'geoRoam', componentType: 'geo', geoIndex: 0, ...change });
  return true;
}

/**
 * Handles zoom keys: `+` and `-` zoom, Shift with an arrow key pans. Returns whether the key was
 * handled.
 */
export function zoomByKey(chart: EChartsType, { key, shiftKey }: KeyboardEvent): boolean {
  if (geoOf(chart)) return moveMap(chart, key, shiftKey);
  const { start, end } = zoomOf(chart) ?? {};
  if (start === undefined || end === undefined) return false;
  const width = end - start;
  const middle = (start + end) / 2;
  let next: [number, number];
  if (key === '+' || key === '=') next = [middle - width / 4, middle + width / 4];
  else if (key === '-') next = [middle - width, middle + width];
  else if (shiftKey && key === 'ArrowLeft')
    next = [start - Math.min(start, width / 4), end - Math.min(start, width / 4)];
  else if (shiftKey && key === 'ArrowRight')
    next = [start + Math.min(100 - end, width / 4), end + Math.min(100 - end, width / 4)];
  else return false;
  chart.dispatchAction({
    type: 'dataZoom',
    start: Math.max(0, next[0]),
    end: Math.min(100, next[1]),
  });
  return true;
}

/** Disables animation and progressive rendering, so that everything is drawn at once. */
export function still(option: EChartsCoreOption): EChartsCoreOption {
  const series = (Array.isArray(option['series']) ? option['series'] : []) as object[];
  return { ...option, animation: false, series: series.map((one) => ({ ...one, progressive: 0 })) };
}
