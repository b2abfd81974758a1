import { expect, it } from 'vitest';
import { panelRows, panels } from './facets.ts';

const option = (scale: boolean, ...series: unknown[][]) => ({
  grid: { top: 8 },
  xAxis: { type: 'category', axisLabel: {} },
  yAxis: { type: 'value', scale, name: 'n' },
  series: series.map((data, at) => ({ id: String(at), name: `s${at}`, data })),
});

it('gives each series a panel with its name and the same scales', () => {
  const drawn = panels(option(false, [1, { value: 97 }], [[0, 12], null]), 500);
  expect(drawn).toMatchObject({
    grid: [
      { left: '0%', top: '0%' },
      { left: '50%', top: '0%' },
    ],
    xAxis: [{ gridIndex: 0 }, { gridIndex: 1 }, { name: 's0, n' }, { name: 's1, n', gridIndex: 1 }],
    yAxis: [
      { gridIndex: 0, min: 0, max: 100 },
      { gridIndex: 1, min: 0, max: 100 },
    ],
    series: [{ xAxisIndex: 0 }, { xAxisIndex: 1, yAxisIndex: 1 }],
  });
});

it.each([
  ['starts at the least value if the axis may', true, [[42, 58], [51]], { min: 40, max: 60 }],
  ['includes values below zero', false, [[-7], [9]], { min: -10, max: 10 }],
  ['leaves an axis without values alone', true, [[null], []], { type: 'value' }],
])('%s', (_, scale, series, ends) => {
  const { yAxis } = panels(option(scale, ...series), 0) as { yAxis: object[] };
  expect(yAxis[0]).toMatchObject(ends);
  expect('max' in yAxis[0]!).toBe('min' in ends);
});

it('has as many panels beside each other as the width allows', () => {
  expect([panelRows(5, 1_000), panelRows(5, 390), panelRows(2)]).toEqual([
    { columns: 4, rows: 2 },
    { columns: 1, rows: 5 },
    { columns: 2, rows: 1 },
  ]);
});
