import { type Pivot, timeOf } from '@tiding/client/model';
import { CustomChart } from 'echarts/charts';
import { type EChartsType, use } from 'echarts/core';
import { numberFormat } from '../../parts/numbers.ts';
import {
  animationOf,
  cartesian,
  formatKey,
  type ItemApi,
  rowsOf,
  xLabelsOf,
} from '../chart/axes.ts';
import { axesOf } from '../chart/axis-settings.ts';
import type { ChartKind } from '../chart/chart-kind.ts';
import { legendEntries } from '../chart/chart-parts.tsx';
import { type ChartSpot, stepIn } from '../chart/chart-pointing.ts';
import { seriesColor } from '../chart/palette.ts';
import { chartTexts } from '../chart/texts.ts';
import { DAY_MS, formatTime, timeGrain } from '../chart/time-labels.ts';

use([CustomChart]);

const t = chartTexts.gantt;
/** Height of a row and of the time axis in px, and the rows that a chart grows by. */
const [ROW_PX, AXIS_PX, MAX_ROWS] = [22, 40, 200];
/** A milestone, whose end is its start, has this width in px. */
const LEAST_PX = 6;
const days = numberFormat({
  style: 'unit',
  unit: 'day',
  unitDisplay: 'long',
  maximumFractionDigits: 2,
});

/** A task with its start and end in ms since 1970 UTC, if they are known. */
interface Task {
  readonly name: string;
  readonly start: number | undefined;
  readonly end: number | undefined;
}

function taskOf(cells: Pivot['keys'][number]): Task {
  const [start, end] = cells.slice(-2).map((cell) => timeOf(String(cell)));
  const name = cells.slice(0, -2).map((cell) => formatKey(cell ?? 'null'));
  return { name: name.join(', '), start, end };
}

/** Bars of tasks from their start to their end, coloured by group. */
export default {
  id: 'gantt',
  pivot: { gather: false, maxSeries: 20, maxValues: 2_000 },
  measures: 1,
  offers: [],
  config({ keys, groups }, columns, types, isDefault) {
    const chosen = isDefault ? columns : keys;
    const dates = chosen.filter(({ index }) => types[index] === 'date').slice(0, 2);
    const names = chosen.filter((column) => !dates.includes(column));
    const tasks = isDefault ? names.slice(0, 1) : names;
    const counted = [...tasks, ...dates, ...columns].slice(0, 1);
    return {
      keys: [...tasks, ...dates],
      groups: isDefault ? [] : groups,
      values: counted.map((column) => ({ ...column, aggr: 'count' })),
    };
  },
  draw(pivot, setting) {
    const { x, series } = pivot;
    const tasks = pivot.keys.map(taskOf);
    const isDrawn = ({ start, end }: Task): boolean => start! <= end!;
    const drawn = tasks.filter(isDrawn);
    const times = drawn.flatMap(({ start, end }) => [start!, end!]);
    const grain = times.every((time) => timeGrain(time) === 'day') ? 'day' : 'time';
    const dateOf = (time: number | undefined): string =>
      time === undefined ? '' : formatTime(time, grain);
    const labels = new Map(
      tasks.map(({ name, start, end }, point) => [
        x[point],
        `${name}: ${t.span(dateOf(start), dateOf(end))}`,
      ]),
    );
    const seriesAt = (point: number, hidden: ReadonlySet<string>): number =>
      series.findIndex(({ name, values }) => values[point] !== null && !hidden.has(name));
    return {
      entries: legendEntries(series.map(({ name }) => name)),
      leastHeight: () => AXIS_PX + ROW_PX * Math.min(tasks.length, MAX_ROWS),
      format: (key) => labels.get(key) ?? formatKey(key),
      notes:
        drawn.length === 0
          ? [t.needs]
          : drawn.length < tasks.length
            ? [t.undrawn(tasks.length - drawn.length)]
            : [],
      option(palette, { hidden, picked }) {
        const { axes } = axesOf(setting, pivot);
        const base = cartesian(
          palette,
          { format: (time) => formatTime(time, grain), time: grain },
          xLabelsOf(setting),
          { ...axes, xTitle: '', yTitle: '' },
        );
        return {
          ...base,
          ...animationOf(Infinity),
          xAxis: {
            ...base.xAxis,
            splitLine: base.yAxis['splitLine'],
            axisPointer: { show: false },
          },
          yAxis: rowsOf(
            base.yAxis,
            tasks.map(({ name }) => name),
          ),
          series: series.map(({ name, values }, at) => ({
            id: String(at),
            type: 'custom',
            name,
            clip: true,
            encode: { x: [1, 2], y: 0 },
            data: tasks.map(({ start, end }, point) => [point, start, end]),
            renderItem({ dataIndex }: { dataIndex: number }, api: ItemApi) {
              const task = tasks[dataIndex]!;
              if (!isDrawn(task) || hidden.has(name) || values[dataIndex] === null)
                return undefined;
              const [left = 0, middle = 0] = api.coord([task.start!, dataIndex]);
              const [right = 0] = api.coord([task.end!, dataIndex]);
              const height = (api.size([0, 1])[1] ?? 0) * 0.6;
              return {
                type: 'rect',
                shape: {
                  x: left,
                  y: middle - height / 2,
                  width: Math.max(LEAST_PX, right - left),
                  height,
                  r: 2,
                },
                style: {
                  fill: seriesColor(palette, at, series.length),
                  opacity: picked && picked.point !== dataIndex ? 0.35 : 1,
                },
              };
            },
          })),
        };
      },
      pointing(hidden) {
        const points = tasks.flatMap((task, point) =>
          isDrawn(task) && seriesAt(point, hidden) >= 0 ? [point] : [],
        );
        const spotOf = (point: number): ChartSpot => ({ series: seriesAt(point, hidden), point });
        const axes = { xAxisIndex: 0, yAxisIndex: 0 };
        const pixelOf = (chart: EChartsType, time: number, point: number): [number, number] => {
          const [x = 0, y = 0] = (chart.convertToPixel(axes, [time, point]) ?? []) as number[];
          return [x, y];
        };
        const hit = (chart: EChartsType, x: number, y: number): ChartSpot | null => {
          const [, row] = (chart.convertFromPixel(axes, [x, y]) ?? []) as number[];
          const point = points.find((each) => each === row);
          if (point === undefined) return null;
          const [left] = pixelOf(chart, tasks[point]!.start!, point);
          const [right] = pixelOf(chart, tasks[point]!.end!, point);
          return x >= left && x <= Math.max(right, left + LEAST_PX) ? spotOf(point) : null;
        };
        return {
          hover: hit,
          hit,
          place(chart, { point }) {
            const { start = 0, end = 0 } = tasks[point] ?? {};
            return pixelOf(chart, (start + end) / 2, point);
          },
          step(from, key) {
            if (points.length === 0) return null;
            if (!from) return spotOf(points[0]!);
            const at = points.indexOf(from.point);
            const next =
              stepIn(at, points.length, key, 'ArrowUp', 'ArrowDown') ??
              stepIn(at, points.length, key, 'ArrowLeft', 'ArrowRight');
            return next === null ? null : spotOf(points[next]!);
          },
        };
      },
      tip({ point }, hidden) {
        const task = tasks[point];
        if (!task) return null;
        const at = seriesAt(point, hidden);
        const line = (name: string, value: string) => ({ at, count: series.length, name, value });
        return {
          head: task.name,
          lines: [
            line(
              series.length > 1 ? (series[at]?.name ?? '') : t.dates,
              t.span(dateOf(task.start), dateOf(task.end)),
            ),
            line(t.duration, isDrawn(task) ? days.format((task.end! - task.start!) / DAY_MS) : ''),
          ],
        };
      },
    };
  },
} satisfies ChartKind;
