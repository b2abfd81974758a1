import { describe, expect, test } from 'vitest';
import { packedSource, Packer, tableSource } from './packed.ts';
import { missingColumns } from './pivot-config.ts';
import { pivot, pivotOf, pivotPlace } from './pivot.ts';
import {
  cleanScatter,
  isDiscrete,
  type ScatterConfig,
  scatterPlace,
  scatterPoints,
  sizeAllowed,
} from './scatter.ts';
import { parseTable, toColumns } from './table.ts';

const column = (name: string, index: number) => ({ name, index, aggr: 'sum' });
const none: ScatterConfig = { xAxis: null, yAxis: null, group: null, size: null };
const xy: ScatterConfig = { ...none, xAxis: column('x', 0), yAxis: column('y', 1) };
const rows = (count: number, line: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => line(at)).join('\n');
const source = (text: string) => tableSource(parseTable(text));
/** Groups as name to [x, y, size]. */
const drawn = (text: string, config: ScatterConfig) =>
  Object.fromEntries(
    scatterPoints(source(text), config).groups.map(({ name, places, sizes }) => [
      name,
      [...sizes].map((size, at) => [places[2 * at], places[2 * at + 1], size]),
    ]),
  );

describe('discrete', () => {
  test('with any text, or with fewer than one distinct value in twenty', () => {
    expect(isDiscrete(source('x\n1\na\n2'), 0)).toBe(true);
    expect(isDiscrete(source('x\n1\n0\n2'), 0)).toBe(false);
    expect(isDiscrete(source(`x\n${rows(100, (at) => String((at % 5) + 1))}`), 0)).toBe(false);
    expect(isDiscrete(source(`x\n${rows(101, (at) => String((at % 5) + 1))}`), 0)).toBe(true);
    expect(isDiscrete(source('x'), 0)).toBe(false);
  });
  test('a size is allowed when it is all numbers and an axis is not discrete', () => {
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
  test('are the rows, equal ones kept, named by their axes', () => {
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
  test('split by group, take their size from a column', () => {
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
  test('have a running index for text', () => {
    const points = scatterPoints(source('x\ty\nsun\t1\nmoon\t2\nsun\t3'), xy);
    expect([...points.groups[0]!.places]).toEqual([0, 1, 1, 2, 0, 3]);
    expect(points.x).toEqual({ name: 'x', texts: ['sun', 'moon'], mixed: false });
    expect(scatterPoints(source('x\ty\nsun\t1\n7\t2'), xy).x.mixed).toBe(true);
  });
  test('are counted when all axes are discrete, by place and group, whatever the size', () => {
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
  test('without a place are left out and counted', () => {
    expect(scatterPoints(source('x\ty\n1\t2\n1\t\n3'), xy).left).toBe(2);
  });
  test('tell their cells', () => {
    const text = source('x\ty\tg\nsun\t1\ta\nmoon\t2\tb');
    const config = { ...xy, group: column('g', 2), size: column('y', 1) };
    expect(scatterPlace(text, config, scatterPoints(text, config), 1, 0)).toEqual({
      label: 'b',
      values: { x: 'moon', y: 2, g: 'b' },
    });
    expect(scatterPlace(text, config, scatterPoints(text, config), 1, 1)).toBeUndefined();
  });
});

describe('saved settings', () => {
  const columns = toColumns(['x', 'y']);
  test('are the first two columns by default', () => {
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
  test('lose what the table does not have, and keep what was emptied', () => {
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
    const packer = new Packer(table, indexes);
    while (packer.step(2));
    return packedSource(packer.columns, packer.length);
  };
  test('hold the same cells', () => {
    const packed = pack([0, 1, 2]);
    const whole = tableSource(table);
    for (let row = 0; row < whole.length; row++)
      for (const index of [0, 1, 2]) expect(packed.cell(row, index)).toBe(whole.cell(row, index));
    expect(pack([0]).cell(0, 1)).toBeUndefined();
  });
  test('make the same pivot', () => {
    const config = {
      keys: [column('k', 0)],
      groups: [column('g', 1)],
      values: [column('v', 2), { ...column('v', 2), aggr: 'count' }],
    };
    expect(pivotOf(pack([0, 1, 2]), config)).toEqual(pivot(table, config));
  });
});

describe('a place of a pivot', () => {
  const table = parseTable(
    'age\tjob\tbal\n30\tdev\t10\n30\tops\t20\n31\tdev\t5\n31\tdev\tx\n32\tops\t7',
  );
  test('is the cells of keys and groups and the drawn number', () => {
    const config = {
      keys: [column('age', 0)],
      groups: [column('job', 1)],
      values: [column('bal', 2)],
    };
    expect(pivotPlace(config, pivot(table, config), 1, 0)).toEqual({
      label: 'ops',
      values: { age: 30, job: 'ops', bal: 20 },
    });
    expect(pivotPlace(config, pivot(table, config), 1, 3)).toBeUndefined();
    const counted = { ...config, values: [{ ...column('age', 0), aggr: 'count' }] };
    expect(pivotPlace(counted, pivot(table, counted), 0, 1)?.values).toEqual({
      age: 31,
      job: 'dev',
      'age(count)': 2,
    });
  });
  test('without keys is that of the gathered series', () => {
    const config = { keys: [], groups: [column('job', 1)], values: [column('bal', 2)] };
    expect(pivotPlace(config, pivot(table, config), 0, 1)).toEqual({
      label: 'ops.bal(sum)',
      values: { job: 'ops', bal: 27 },
    });
  });
  test('limits say what they leave out', () => {
    const config = {
      keys: [column('age', 0)],
      groups: [column('job', 1)],
      values: [column('bal', 2)],
    };
    const { x, series, left } = pivot(table, config, { mostSeries: 1, mostValues: 2 });
    expect([x, series.map(({ values }) => values), left]).toEqual([
      [30, 31],
      [[10, 5]],
      { series: 1, points: 1 },
    ]);
  });
});
