import { describe, expect, test } from 'vitest';
import { ColumnPacker, packedCellSource, tableCellSource } from './packed-columns.ts';
import { pivot, pivotCells, pivotPointDetails } from './pivot.ts';
import { missingColumns } from './pivot-config.ts';
import {
  cleanScatter,
  isDiscrete,
  type ScatterConfig,
  scatterPointDetails,
  scatterPoints,
  sizeAllowed,
} from './scatter.ts';
import { parseTable, toColumns } from './table.ts';

const column = (name: string, index: number) => ({ name, index, aggr: 'sum' });
const none: ScatterConfig = { xAxis: null, yAxis: null, group: null, size: null };
const xy: ScatterConfig = { ...none, xAxis: column('x', 0), yAxis: column('y', 1) };
const rows = (count: number, line: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => line(at)).join('\n');
const source = (text: string) => tableCellSource(parseTable(text));
/** Groups as an object of name to [x, y, size]. */
const drawn = (text: string, config: ScatterConfig) =>
  Object.fromEntries(
    scatterPoints(source(text), config).groups.map(({ name, coordinates, sizes }) => [
      name,
      [...sizes].map((size, at) => [coordinates[2 * at], coordinates[2 * at + 1], size]),
    ]),
  );

describe('a discrete column', () => {
  test('contains text, or fewer than one distinct value in twenty', () => {
    expect(isDiscrete(source('x\n1\na\n2'), 0)).toBe(true);
    expect(isDiscrete(source('x\n1\n0\n2'), 0)).toBe(false);
    expect(isDiscrete(source(`x\n${rows(100, (at) => String((at % 5) + 1))}`), 0)).toBe(false);
    expect(isDiscrete(source(`x\n${rows(101, (at) => String((at % 5) + 1))}`), 0)).toBe(true);
    expect(isDiscrete(source('x'), 0)).toBe(false);
  });
  test('allows a size only of numbers, together with an axis that is not discrete', () => {
    const numbers = 'x\ty\ts\n1\t2\t3\n4\t5\t0.5';
    expect(sizeAllowed(source(numbers), { ...xy, size: column('s', 2) })).toBe(true);
    expect(sizeAllowed(source(`${numbers}\n1\t2\tmuch`), { ...xy, size: column('s', 2) })).toBe(
      false,
    );
    expect(sizeAllowed(source(`${numbers}\n1\t2`), { ...xy, size: column('s', 2) })).toBe(false);
    expect(sizeAllowed(source('x\ty\ts\na\tb\t3'), { ...xy, size: column('s', 2) })).toBe(false);
    expect(sizeAllowed(source('x\ty\ts\na\t1\t3\nb\t2\t4'), { ...xy, size: column('s', 2) })).toBe(
      true,
    );
  });
});

describe('points', () => {
  test('are the rows including duplicates, named by their axes', () => {
    expect(drawn('x\ty\n1\t2\n1\t2\n3\t0', xy)).toEqual({
      '(x, y)': [
        [1, 2, 1],
        [1, 2, 1],
        [3, 0, 1],
      ],
    });
    expect(drawn('x\ty\n1\t2\n3\t4', { ...none, xAxis: column('x', 0) })).toEqual({
      x: [
        [1, 0, 1],
        [3, 0, 1],
      ],
    });
    expect(drawn('x\ty\n1\t2', none)).toEqual({});
  });
  test('are split by group and sized by a column', () => {
    expect(
      drawn('x\ty\tg\n1\t2\ta\n3\t4\tb\n5\t6\ta', {
        ...xy,
        group: column('g', 2),
        size: column('x', 0),
      }),
    ).toEqual({
      a: [
        [1, 2, 1],
        [5, 6, 5],
      ],
      b: [[3, 4, 3]],
    });
  });
  test('use an index for text', () => {
    const points = scatterPoints(source('x\ty\nsun\t1\nmoon\t2\nsun\t3'), xy);
    expect([...points.groups[0]!.coordinates]).toEqual([0, 1, 1, 2, 0, 3]);
    expect(points.x).toEqual({ name: 'x', texts: ['sun', 'moon'], mixed: false });
    expect(scatterPoints(source('x\ty\nsun\t1\n7\t2'), xy).x.mixed).toBe(true);
  });
  test('are counted by coordinates and group if all axes are discrete, whatever the size', () => {
    const text = 'x\ty\tg\ts\na\tb\tu\t9\na\tb\tu\t9\na\tb\tv\t9\nc\tb\tu\t9';
    expect(drawn(text, { ...xy, size: column('s', 3) })).toEqual({
      count: [
        [0, 0, 3],
        [1, 0, 1],
      ],
    });
    expect(drawn(text, { ...xy, group: column('g', 2) })).toEqual({
      u: [
        [0, 0, 2],
        [1, 0, 1],
      ],
      v: [[0, 0, 1]],
    });
  });
  test('without coordinates are skipped and counted', () => {
    expect(scatterPoints(source('x\ty\n1\t2\n1\t\n3'), xy).skippedRows).toBe(2);
  });
  test('return their cells', () => {
    const text = source('x\ty\tg\nsun\t1\ta\nmoon\t2\tb');
    const config = { ...xy, group: column('g', 2), size: column('y', 1) };
    expect(scatterPointDetails(text, config, scatterPoints(text, config), 1, 0)).toEqual({
      label: 'b',
      values: { x: 'moon', y: 2, g: 'b' },
    });
    expect(scatterPointDetails(text, config, scatterPoints(text, config), 1, 1)).toBeUndefined();
  });
});

describe('saved settings', () => {
  const columns = toColumns(['x', 'y']);
  test('default to the first two columns', () => {
    expect(cleanScatter(undefined, columns)).toEqual({
      xAxis: columns[0],
      yAxis: columns[1],
      group: null,
      size: null,
    });
    expect(cleanScatter({}, columns.slice(0, 1))).toEqual({
      xAxis: columns[0],
      yAxis: null,
      group: null,
      size: null,
    });
  });
  test('drop columns that the table lacks, and stay empty if they were emptied', () => {
    expect(
      cleanScatter(
        { xAxis: column('x', 0), yAxis: column('x', 1), group: 7, size: column('z', 0) },
        columns,
      ),
    ).toEqual({ ...none, xAxis: column('x', 0) });
    expect(cleanScatter({ xAxis: null, yAxis: null }, columns)).toEqual(none);
    expect(
      missingColumns(
        [column('x', 0), null, column('x', 1), column('z', 0), column('z', 1)],
        columns,
      ),
    ).toEqual(['x', 'z']);
  });
});

describe('packed columns', () => {
  const text = 'k\tg\tv\na\t1\t2\nb\t0\t3\na\t1\nb\t\tx\na\t1\t-5';
  const table = parseTable(text);
  const pack = (indexes: number[]) => {
    const packer = new ColumnPacker(table, indexes);
    while (packer.step(2));
    return packedCellSource(packer.columns, packer.length);
  };
  test('contain the same cells', () => {
    const packed = pack([0, 1, 2]);
    const whole = tableCellSource(table);
    for (let row = 0; row < whole.length; row++)
      for (const index of [0, 1, 2]) expect(packed.cell(row, index)).toBe(whole.cell(row, index));
    expect(pack([0]).cell(0, 1)).toBeUndefined();
  });
  test('give the same pivot', () => {
    const config = {
      keys: [column('k', 0)],
      groups: [column('g', 1)],
      values: [column('v', 2), { ...column('v', 2), aggr: 'count' }],
    };
    expect(pivotCells(pack([0, 1, 2]), config)).toEqual(pivot(table, config));
  });
});

describe('a point of a pivot', () => {
  const table = parseTable(
    'age\tjob\tbal\n30\tdev\t10\n30\tops\t20\n31\tdev\t5\n31\tdev\tx\n32\tops\t7',
  );
  test('has the cells of keys and groups and the drawn number', () => {
    const config = {
      keys: [column('age', 0)],
      groups: [column('job', 1)],
      values: [column('bal', 2)],
    };
    expect(pivotPointDetails(config, pivot(table, config), 1, 0)).toEqual({
      label: 'ops',
      values: { age: 30, job: 'ops', bal: 20 },
    });
    expect(pivotPointDetails(config, pivot(table, config), 1, 3)).toBeUndefined();
    const counted = { ...config, values: [{ ...column('age', 0), aggr: 'count' }] };
    expect(pivotPointDetails(counted, pivot(table, counted), 0, 1)?.values).toEqual({
      age: 31,
      job: 'dev',
      'age(count)': 2,
    });
  });
  test('without keys belongs to the gathered series', () => {
    const config = { keys: [], groups: [column('job', 1)], values: [column('bal', 2)] };
    expect(pivotPointDetails(config, pivot(table, config), 0, 1)).toEqual({
      label: 'ops.bal(sum)',
      values: { job: 'ops', bal: 27 },
    });
  });
  test('limits report what they omit', () => {
    const config = {
      keys: [column('age', 0)],
      groups: [column('job', 1)],
      values: [column('bal', 2)],
    };
    const { x, series, omitted: left } = pivot(table, config, { maxSeries: 1, maxValues: 2 });
    expect([x, series.map(({ values }) => values), left]).toEqual([
      [30, 31],
      [[10, 5]],
      { series: 1, points: 1 },
    ]);
  });
});
