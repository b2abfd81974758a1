import { isLabelName } from '@tiding/client/model';
import { CustomChart } from 'echarts/charts';
import { use } from 'echarts/core';
import {
  animationOf,
  boundsOf,
  cartesian,
  type ItemApi,
  keyFormat,
  rowsOf,
  xLabelsOf,
} from '../chart/axes.ts';
import { axesOf } from '../chart/axis-settings.ts';
import type { ChartKind } from '../chart/chart-kind.ts';
import { cartesianPointing } from '../chart/chart-pointing.ts';
import { textOn, tint } from '../chart/palette.ts';
import { chartTexts } from '../chart/texts.ts';

use([CustomChart]);

/** Cells with less room have no values. */
const [LABEL_WIDTH_PX, LABEL_HEIGHT_PX] = [34, 14];

/** Cells of two keys, coloured by their value. */
export default {
  id: 'heatMap',
  pivot: { maxSeries: 100, maxValues: 10_000 },
  measures: 1,
  offers: ['sort', 'grain', 'labels', 'xLabels', 'xTitle', 'yTitle', 'numbers'],
  config({ keys, groups, values }, columns, types, isDefault) {
    const value = values.slice(0, 1);
    if (groups.length > 0) return { keys, groups, values: value };
    if (keys.length > 1) return { keys: keys.slice(0, 1), groups: keys.slice(1), values: value };
    // The rows of a first chart are the next column that is no measure.
    const next = columns.find(
      ({ name, index }) =>
        ![...keys, ...value].some((column) => column.index === index) &&
        (types[index] !== 'number' || isLabelName(name)),
    );
    return { keys, groups: isDefault && next ? [next] : [], values: value };
  },
  draw(pivot, setting) {
    const { x, series, measures } = pivot;
    const { axes, settings } = axesOf({ ...setting }, pivot);
    const format = keyFormat(pivot);
    const values = series.flatMap((each) => each.values.filter((value) => value !== null));
    const [low, high] = boundsOf(values);
    const measure = settings.yTitle || (measures[0] ?? '');
    const shareOf = (value: number): number => (high > low ? (value - low) / (high - low) : 1);
    return {
      // The colours are a scale, so there are no series to hide.
      entries: [],
      format,
      notes:
        values.length > 0
          ? [chartTexts.heat.scale(measure, axes.format(low), axes.format(high))]
          : [],
      option(palette, { picked }) {
        const drawn = cartesian(palette, { names: x.map(format) }, xLabelsOf(setting), {
          ...axes,
          yTitle: settings.yTitle,
        });
        // Pale is little on light themes, and dark on dark ones.
        const tintOf = (value: number): number => 0.08 + 0.92 * shareOf(value);
        return {
          ...drawn,
          ...animationOf(Infinity),
          yAxis: rowsOf(
            drawn.yAxis,
            series.map(({ name }) => name),
          ),
          series: series.map(({ name, values: cells }, at) => ({
            id: String(at),
            type: 'custom',
            name,
            clip: true,
            data: cells.map((value, point) => [point, at, value]),
            renderItem(_: unknown, api: ItemApi) {
              const value = cells[api.value(0)];
              if (value === null || value === undefined) return undefined;
              const [left = 0, top = 0] = api.coord([api.value(0), at]);
              const [wide = 0, high = 0] = api.size([1, 1]);
              const fill = tint(palette, tintOf(value));
              const isPicked = picked?.series === at && picked.point === api.value(0);
              const hasRoom = wide >= LABEL_WIDTH_PX && high >= LABEL_HEIGHT_PX;
              return {
                type: 'rect',
                shape: {
                  x: left - wide / 2 + 0.5,
                  y: top - high / 2 + 0.5,
                  width: Math.max(1, wide - 1),
                  height: Math.max(1, high - 1),
                },
                style: { fill, ...(isPicked && { stroke: palette.text, lineWidth: 2 }) },
                ...((settings.labels ?? true) &&
                  hasRoom && {
                    textContent: {
                      style: {
                        text: axes.format(value),
                        fill: textOn(fill, palette, tintOf(value)),
                        fontSize: 11,
                        fontFamily: palette.fontFamily,
                        width: wide - 4,
                        overflow: 'truncate',
                      },
                    },
                    textConfig: { position: 'inside' },
                  }),
              };
            },
          })),
        };
      },
      pointing: () =>
        cartesianPointing({
          x: x.map((_, point) => point),
          series: series.map((_, at) => at),
          top: (at) => at,
          found: true,
        }),
      tip({ series: at, point }) {
        const row = series[at];
        if (!row || x[point] === undefined) return null;
        const value = row.values[point];
        return {
          head: format(x[point]),
          lines: [
            {
              at: 0,
              count: 1,
              name: row.name === measure ? measure : `${row.name}, ${measure}`,
              value: value === null || value === undefined ? '' : axes.format(value),
            },
          ],
        };
      },
    };
  },
} satisfies ChartKind;
