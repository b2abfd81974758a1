import { describe, expect, test } from 'vitest';
import { runNow } from '../rows/run-now.ts';
import { textRows } from '../rows/text-rows.ts';
import type { TypedRows } from '../rows/typed-rows.ts';
import type { ColumnType } from './column-type.ts';
import { type PivotConfig, type PivotOptions, pivotPointDetails, pivot as steps } from './pivot.ts';
import { missingColumns } from './pivot-config.ts';
import {
  cleanScatter,
  MAX_SCATTER_ROWS,
  scatterPoints as pointSteps,
  type ScatterConfig,
  scatterPointDetails,
} from './scatter.ts';
import { parseTable, type TableData, toColumns } from './table.ts';

const column = (name: string, index: number) => ({ name, index, aggr: 'sum' });
const none: ScatterConfig = { xAxis: null, yAxis: null, group: null, size: null };
const xy: ScatterConfig = { ...none, xAxis: column('x', 0), yAxis: column('y', 1) };
const rows = (count: number, line: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => line(at)).join('\n');
const source = (text: string) => textRows(parseTable(text));
const scatterPoints = (rows: TypedRows, config: ScatterConfig) => runNow(pointSteps(rows, config));
const pivot = (table: TableData, config: PivotConfig, options?: PivotOptions) =>
  runNow(steps(textRows(table), config, options));
/** Groups as an object of name to `x,y,size x,y,size …`. */
const drawn = (text: string, config: ScatterConfig) =>
  Object.fromEntries(
    scatterPoints(source(text), config).groups.map(({ name, coordinates, sizes }) => [
      name,
      [...sizes].map((size, at) => [...coordinates.slice(2 * at, 2 * at + 2), size]).join(' '),
    ]),
  );

describe('a discrete column', () => {
  test('contains text, or fewer than one distinct value in twenty', () => {
    const counted = (text: string) =>
      scatterPoints(source(text), { ...none, xAxis: column('x', 0) }).counted;
    expect(counted('x\n1\na\n2')).toBe(true);
    expect(counted('x\n1\n0\n2')).toBe(false);
    expect(counted(`x\n${rows(100, (at) => String((at % 5) + 1))}`)).toBe(false);
    expect(counted(`x\n${rows(101, (at) => String((at % 5) + 1))}`)).toBe(true);
  });
  test.each([
    ['x\ty\ts\n1\t2\t3\n4\t5\t0.5', true],
    ['x\ty\ts\n1\t2\t3\n1\t2\tmuch', false],
    ['x\ty\ts\n1\t2\t3\n1\t2', false],
    ['x\ty\ts\na\tb\t3', false],
    ['x\ty\ts\na\t1\t3\nb\t2\t4', true],
  ])('allows a size only of numbers, beside an axis that is not discrete: %j', (text, allowed) =>
    expect(scatterPoints(source(text), { ...xy, size: column('s', 2) }).sizeAllowed).toBe(allowed),
  );
});

describe('points', () => {
  test('are the rows including duplicates, named by their axes', () => {
    expect(drawn('x\ty\n1\t2\n1\t2\n3\t0', xy)).toEqual({
      '(x, y)': '1,2,1 1,2,1 3,0,1',
    });
    expect(drawn('x\ty\n1\t2\n3\t4', { ...none, xAxis: column('x', 0) })).toEqual({
      x: '1,0,1 3,0,1',
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
      a: '1,2,1 5,6,5',
      b: '3,4,3',
    });
  });
  test('use an index for text', () => {
    const points = scatterPoints(source('x\ty\nsun\t1\nmoon\t2\nsun\t3'), xy);
    expect([...points.groups[0]!.coordinates]).toEqual([0, 1, 1, 2, 0, 3]);
    expect(points.x).toEqual({ name: 'x', kind: 'text', texts: ['sun', 'moon'] });
    expect(scatterPoints(source('x\ty\nsun\t1\n7\t2'), xy).x.texts).toEqual(['sun', '7']);
  });
  test('are counted by coordinates and group if all axes are discrete, whatever the size', () => {
    const text = 'x\ty\tg\ts\na\tb\tu\t9\na\tb\tu\t9\na\tb\tv\t9\nc\tb\tu\t9';
    expect(drawn(text, { ...xy, size: column('s', 3) })).toEqual({
      count: '0,0,3 1,0,1',
    });
    expect(drawn(text, { ...xy, group: column('g', 2) })).toEqual({
      u: '0,0,2 1,0,1',
      v: '0,0,1',
    });
  });
  test('without coordinates are skipped and counted', () => {
    const points = scatterPoints(source('x\ty\n1.5\t10\n2.5\tnull\n3.5\t30\n3\t\n4'), xy);
    expect([[...points.groups[0]!.coordinates], points.y.texts, points.skippedRows]).toEqual([
      [1.5, 10, 3.5, 30],
      [],
      3,
    ]);
  });
  test('are a sample of very many rows, but counts are of all', () => {
    const many = MAX_SCATTER_ROWS + 10_000;
    const of = (y: (at: number) => string) =>
      scatterPoints(source(`x\ty\n${rows(many, (at) => `${at + 1}\t${y(at)}`)}`), xy);
    const sample = of(String);
    const drawnRows = [...sample.groups[0]!.rows];
    expect([drawnRows.length, sample.sampledRows, sample.rows]).toEqual([20_000, 20_000, many]);
    expect(new Set(drawnRows).size).toBe(20_000);
    expect(drawnRows.at(-1)).toBeGreaterThan(many - 100);
    const { groups, counted } = scatterPoints(
      source(`x\ty\n${rows(many, (at) => `k${at % 2}\tall`)}`),
      xy,
    );
    expect([counted, [...groups[0]!.sizes]]).toEqual([true, [many / 2, many / 2]]);
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
      ...none,
      xAxis: columns[0],
      yAxis: columns[1],
    });
    expect(cleanScatter({}, columns.slice(0, 1))).toEqual({ ...none, xAxis: columns[0] });
  });
  test('default to two columns of numbers that are no ids, or to a place', () => {
    const chosen = (...list: [string, ColumnType][]) => {
      const { xAxis, yAxis } = cleanScatter(
        undefined,
        toColumns(list.map(([name]) => name)),
        list.map(([, type]) => type),
      );
      return `${xAxis?.name} ${yAxis?.name}`;
    };
    expect([
      chosen(['shop', 'string'], ['id', 'number'], ['price', 'number'], ['sold', 'number']),
      chosen(['shop', 'string'], ['lat', 'number'], ['lon', 'number'], ['sold', 'number']),
      chosen(['shop', 'string'], ['sold', 'number']),
    ]).toEqual(['price sold', 'lon lat', 'shop sold']);
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

describe('a point of a pivot', () => {
  const table = parseTable(
    'age\tjob\tbal\n30\tdev\t10\n30\tops\t20\n31\tdev\t5\n31\tdev\tx\n32\tops\t7',
  );
  const config = {
    keys: [column('age', 0)],
    groups: [column('job', 1)],
    values: [column('bal', 2)],
  };
  test('has the cells of keys and groups and the drawn number', () => {
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
    const gathered = { ...config, keys: [] };
    expect(pivotPointDetails(gathered, pivot(table, gathered), 0, 1)).toEqual({
      label: 'ops',
      values: { job: 'ops', bal: 27 },
    });
  });
  test('limits report what they omit', () => {
    const { x, series, omitted: left } = pivot(table, config, { maxSeries: 1, maxValues: 2 });
    expect([x, series.map(({ values }) => values), left]).toEqual([
      [30, 31],
      [[10, 5]],
      { series: 1, points: 1 },
    ]);
  });
});
