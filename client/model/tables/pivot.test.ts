import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ColumnType } from './column-type.ts';
import { type PivotOptions, pivot } from './pivot.ts';
import { cleanPivot, defaultPivot } from './pivot-config.ts';
import { parseTable, toColumns } from './table.ts';

const people = parseTable(
  'age\tjob\tbal\n30\tdev\t10\n30\tops\t20\n31\tdev\t5\n31\tdev\tx\n32\tops\t7',
);
const names = ['age', 'job', 'bal'];
/** Converts `bal sum` to a column. */
const column = (text: string) => {
  const [name = '', aggr = 'sum'] = text.split(' ');
  return { name, index: names.indexOf(name), aggr };
};
const config = (keys: string[], groups: string[], values: string[]) => ({
  keys: keys.map(column),
  groups: groups.map(column),
  values: values.map(column),
});

const bar: PivotOptions = {};
const line: PivotOptions = { fill: null, gather: false };

/** Series as an object of name to points. */
function drawn(keys: string[], groups: string[], values: string[], options: PivotOptions) {
  const { x, series } = pivot(people, config(keys, groups, values), options);
  return Object.fromEntries(series.map((one) => [one.name, one.values.map((y, at) => [x[at], y])]));
}

describe('expected values', () => {
  test('age; –; bal sum', () => {
    expect(drawn(['age'], [], ['bal'], bar)).toEqual({
      bal: [
        [30, 30],
        [31, 5],
        [32, 7],
      ],
    });
    expect(drawn(['age'], [], ['bal'], line)).toEqual({
      bal: [
        [30, 30],
        [31, 5],
        [32, 7],
      ],
    });
  });

  test('age; job; bal sum', () => {
    expect(drawn(['age'], ['job'], ['bal'], bar)).toEqual({
      dev: [
        [30, 10],
        [31, 5],
        [32, 0],
      ],
      ops: [
        [30, 20],
        [31, 0],
        [32, 7],
      ],
    });
    expect(drawn(['age'], ['job'], ['bal'], line)).toEqual({
      dev: [
        [30, 10],
        [31, 5],
        [32, null],
      ],
      ops: [
        [30, 20],
        [31, null],
        [32, 7],
      ],
    });
  });

  test('age; job; bal sum, age count', () => {
    const bars = drawn(['age'], ['job'], ['bal', 'age count'], bar);
    expect(Object.keys(bars)).toEqual(['dev.bal', 'dev.age', 'ops.bal', 'ops.age']);
    expect(bars['dev.age']).toEqual([
      [30, 1],
      [31, 2],
      [32, 0],
    ]);
    expect(drawn(['age'], ['job'], ['bal', 'age count'], line)['dev.age']).toEqual([
      [30, 1],
      [31, 2],
      [32, null],
    ]);
  });

  test('job; –; bal avg', () => {
    expect(drawn(['job'], [], ['bal avg'], bar)).toEqual({
      bal: [
        ['dev', 5],
        ['ops', 13.5],
      ],
    });
    // A line uses the index as coordinate and x as labels.
    expect(pivot(people, config(['job'], [], ['bal avg']), line)).toMatchObject({
      x: ['dev', 'ops'],
      series: [{ name: 'bal', values: [5, 13.5] }],
    });
  });

  test('job; –; bal min, bal max', () => {
    expect(drawn(['job'], [], ['bal min', 'bal max'], bar)).toEqual({
      'bal(min)': [
        ['dev', 5],
        ['ops', 7],
      ],
      'bal(max)': [
        ['dev', 10],
        ['ops', 20],
      ],
    });
  });

  test('–; job; bal sum', () => {
    expect(drawn([], ['job'], ['bal'], bar)).toEqual({
      values: [
        ['dev.bal(sum)', 15],
        ['ops.bal(sum)', 27],
      ],
    });
    expect(drawn([], ['job'], ['bal'], line)).toEqual({ dev: [[0, 15]], ops: [[0, 27]] });
  });

  test('–; –; bal sum', () => {
    expect(drawn([], [], ['bal'], bar)).toEqual({ values: [['bal', 42]] });
    expect(drawn([], [], ['bal'], line)).toEqual({ 'bal(sum)': [[0, 42]] });
  });

  test('–; –; bal sum, bal count', () => {
    expect(drawn([], [], ['bal', 'bal count'], bar)).toEqual({
      values: [
        ['bal(sum)', 42],
        ['bal(count)', 5],
      ],
    });
    expect(drawn([], [], ['bal', 'bal count'], line)).toEqual({
      'bal(sum)': [[0, 42]],
      'bal(count)': [[0, 5]],
    });
  });

  test('age, job; –; bal count', () => {
    expect(drawn(['age', 'job'], [], ['bal count'], bar)).toEqual({
      bal: [
        ['30.dev', 1],
        ['30.ops', 1],
        ['31.dev', 2],
        ['32.ops', 1],
      ],
    });
  });
});

describe('further rules', () => {
  test('a value that is not a number is drawn as 0 or as a gap', () => {
    const words = parseTable('k\tv\n1\tx\n2\t3');
    const { keys, values } = defaultPivot(words.columns);
    expect(pivot(words, { keys, groups: [], values }).series[0]?.values).toEqual([0, 3]);
    expect(pivot(words, { keys, groups: [], values }, line).series[0]?.values).toEqual([null, 3]);
  });

  test('minimum and maximum skip values that are not numbers', () => {
    const words = parseTable('k\tv\na\tx\na\t4\na\ty\na\t2');
    const of = (aggr: string) =>
      pivot(words, { keys: [], groups: [], values: [{ name: 'v', index: 1, aggr }] }).series[0]
        ?.values;
    expect([of('min'), of('max'), of('count'), of('sum'), of('avg')]).toEqual([
      [2],
      [4],
      [4],
      [6],
      [1.5],
    ]);
  });

  test('a missing cell is not counted unless it comes first', () => {
    const count = (text: string) =>
      pivot(parseTable(text), {
        keys: [],
        groups: [],
        values: [{ name: 'v', index: 1, aggr: 'count' }],
      }).series[0]?.values;
    expect(count('k\tv\na\t1\na\na\t')).toEqual([2]);
    expect(count('k\tv\na\na\t1')).toEqual([2]);
  });

  test('keys keep the order of first appearance, with equal prefixes together', () => {
    const table = parseTable('a\tb\tv\n3\tx\t1\n1\ty\t1\n3\tz\t1');
    const keys = toColumns(['a', 'b']);
    const values = [{ name: 'v', index: 2 }];
    expect(pivot(table, { keys: keys.slice(0, 1), groups: [], values }).x).toEqual([3, 1]);
    expect(pivot(table, { keys, groups: [], values }).x).toEqual(['3.x', '3.z', '1.y']);
  });

  test('one text among numeric keys turns all keys into text', () => {
    expect(pivot(parseTable('k\tv\n1\t1\nx\t2'), defaultPivot(toColumns(['k', 'v']))).x).toEqual([
      '1',
      'x',
    ]);
  });

  test('nothing is drawn without a selection or without rows', () => {
    expect(pivot(people, config(['age'], [], [])).series).toEqual([]);
    expect(pivot(parseTable('a\tb'), config([], [], ['bal']))).toMatchObject({ x: [], series: [] });
    expect(pivot(parseTable('a\tb'), config([], [], ['bal']), line)).toMatchObject({
      x: [],
      series: [],
    });
  });

  test('counts add up to the number of rows and sums to the total, for any grouping', () => {
    const row = fc.tuple(
      fc.constantFrom('p', 'q'),
      fc.constantFrom('u', 'v', 'w'),
      fc.integer({ min: 1, max: 99 }),
    );
    const parts = fc.subarray(['a', 'b']);
    fc.assert(
      fc.property(fc.array(row, { minLength: 1 }), parts, parts, (rows, keys, groups) => {
        const table = parseTable(['a\tb\tv', ...rows.map((cells) => cells.join('\t'))].join('\n'));
        const at = (name: string) => ({ name, index: ['a', 'b', 'v'].indexOf(name) });
        for (const [aggr, expected] of [
          ['count', rows.length],
          ['sum', rows.reduce((sum, [, , value]) => sum + value, 0)],
        ] as const) {
          const { series } = pivot(table, {
            keys: keys.map(at),
            groups: groups.map(at),
            values: [{ ...at('v'), aggr }],
          });
          expect(
            series
              .flatMap(({ values }) => values)
              .reduce<number>((sum, value) => sum + (value ?? 0), 0),
          ).toBe(expected);
        }
      }),
    );
  });
});

describe('columns', () => {
  const columns = toColumns(['a', 'b', 'c']);

  test('default to column 0 by column 1 if their types are unknown', () => {
    expect(defaultPivot(columns)).toEqual({ keys: [columns[0]], groups: [], values: [columns[1]] });
    expect(defaultPivot(columns.slice(0, 1))).toEqual({
      keys: [columns[0]],
      groups: [],
      values: [],
    });
    expect(cleanPivot(undefined, columns)).toEqual(defaultPivot(columns));
    expect(cleanPivot({}, columns)).toEqual(defaultPivot(columns));
    expect(cleanPivot({ keys: [] }, columns)).toEqual({ keys: [], groups: [], values: [] });
  });

  test('default to the first of texts or dates by numbers, and to no value without numbers', () => {
    const drawn = (...types: ColumnType[]) => {
      const { keys, values } = cleanPivot(undefined, columns, types);
      return [...keys, ...values].map(({ name }) => name).join(' by ');
    };
    expect([
      drawn('string', 'string', 'number'),
      drawn('number', 'string', 'number'),
      drawn('number', 'date', 'string'),
      drawn('number', 'number', 'number'),
      drawn('date', 'number', 'number'),
      drawn('string', 'string', 'date'),
      cleanPivot(undefined, columns.slice(0, 1), ['number']).values,
    ]).toEqual(['a by c', 'b by c', 'b by a', 'a by b', 'a by b', 'a', []]);
  });

  test('are removed if the table lacks them, and so are duplicates except among values', () => {
    const a = { name: 'a', index: 0, aggr: 'sum' };
    const stale = [
      { name: 'a', index: 1, aggr: 'sum' },
      { name: 'z', index: 0, aggr: 'sum' },
      { name: 'd', index: 3, aggr: 'sum' },
    ];
    const twice = [a, ...stale, { ...a, aggr: 'count' }];
    expect(cleanPivot({ keys: twice, groups: twice, values: twice }, columns)).toEqual({
      keys: [a],
      groups: [a],
      values: [a, { ...a, aggr: 'count' }],
    });
  });
});
