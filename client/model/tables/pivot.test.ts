import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runNow } from '../rows/run-now.ts';
import { textRows } from '../rows/text-rows.ts';
import type { CellValue, RowColumn, TypedRows } from '../rows/typed-rows.ts';
import type { ColumnType } from './column-type.ts';
import { type PivotConfig, type PivotOptions, pivot as steps } from './pivot.ts';
import { cleanPivot, defaultPivot } from './pivot-config.ts';
import { parseTable, type TableData, toColumns } from './table.ts';

const pivot = (table: TableData, config: PivotConfig, options?: PivotOptions) =>
  runNow(steps(textRows(table), config, options));

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
const line: PivotOptions = { scale: true, gather: false };

/** Series as an object of name to points. */
function drawn(keys: string[], groups: string[], values: string[], options: PivotOptions) {
  const { x, series } = pivot(people, config(keys, groups, values), options);
  return Object.fromEntries(series.map((one) => [one.name, one.values.map((y, at) => [x[at], y])]));
}

describe('expected values', () => {
  test('age; –; bal sum', () => {
    expect(drawn(['age'], [], ['bal'], bar)).toEqual({
      'sum of bal': [
        [30, 30],
        [31, 5],
        [32, 7],
      ],
    });
    expect(drawn(['age'], [], ['bal'], line)).toEqual({
      'sum of bal': [
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
        [32, null],
      ],
      ops: [
        [30, 20],
        [31, null],
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
    expect(Object.keys(bars)).toEqual([
      'dev, sum of bal',
      'dev, count of age',
      'ops, sum of bal',
      'ops, count of age',
    ]);
    expect(bars['dev, count of age']).toEqual([
      [30, 1],
      [31, 2],
      [32, null],
    ]);
    expect(drawn(['age'], ['job'], ['bal', 'age count'], line)['dev, count of age']).toEqual(
      bars['dev, count of age'],
    );
  });

  test('job; –; bal avg', () => {
    expect(drawn(['job'], [], ['bal avg'], bar)).toEqual({
      'avg of bal': [
        ['dev', 7.5],
        ['ops', 13.5],
      ],
    });
    // A line uses the index as coordinate and x as labels.
    expect(pivot(people, config(['job'], [], ['bal avg']), line)).toMatchObject({
      x: ['dev', 'ops'],
      series: [{ name: 'avg of bal', values: [7.5, 13.5] }],
    });
  });

  test('job; –; bal min, bal max', () => {
    expect(drawn(['job'], [], ['bal min', 'bal max'], bar)).toEqual({
      'min of bal': [
        ['dev', 5],
        ['ops', 7],
      ],
      'max of bal': [
        ['dev', 10],
        ['ops', 20],
      ],
    });
  });

  test('–; job; bal sum', () => {
    expect(drawn([], ['job'], ['bal'], bar)).toEqual({
      'sum of bal': [
        ['dev', 15],
        ['ops', 27],
      ],
    });
    expect(drawn([], ['job'], ['bal'], line)).toEqual({ dev: [[0, 15]], ops: [[0, 27]] });
  });

  test('–; –; bal sum', () => {
    expect(drawn([], [], ['bal'], bar)).toEqual({ 'sum of bal': [['sum of bal', 42]] });
    expect(drawn([], [], ['bal'], line)).toEqual({ 'sum of bal': [[0, 42]] });
  });

  test('–; –; bal sum, bal count', () => {
    expect(drawn([], [], ['bal', 'bal count'], bar)).toEqual({
      values: [
        ['sum of bal', 42],
        ['count of bal', 5],
      ],
    });
    expect(drawn([], [], ['bal', 'bal count'], line)).toEqual({
      'sum of bal': [[0, 42]],
      'count of bal': [[0, 5]],
    });
  });

  test('age, job; –; bal count', () => {
    expect(drawn(['age', 'job'], [], ['bal count'], bar)).toEqual({
      'count of bal': [
        ['30.dev', 1],
        ['30.ops', 1],
        ['31.dev', 2],
        ['32.ops', 1],
      ],
    });
  });
});

/** Rows of the engine: a column of texts or numbers, with NULL and NaN, and a column of numbers. */
const typed = (kind: RowColumn['kind'], rows: readonly (readonly CellValue[])[]): TypedRows => ({
  columns: [
    { name: 'k', index: 0, kind, digits: 0 },
    { name: 'v', index: 1, kind: 'float' },
  ],
  length: rows.length,
  nullText: '',
  value: (row, column) => rows[row]![column],
});
const byKey = (rows: TypedRows, aggr = 'sum', options?: PivotOptions) =>
  runNow(
    steps(
      rows,
      {
        keys: [{ name: 'k', index: 0 }],
        groups: [],
        values: [{ name: 'v', index: 1, aggr }],
      },
      options,
    ),
  );

describe('the meaning of SQL', () => {
  test('NaN and infinity are not drawn but counted, and NaN is the greatest', () => {
    const odd = typed('text', [
      ['a', Number.NaN],
      ['a', 1],
      ['b', Infinity],
      ['b', 2],
      ['c', 3],
    ]);
    const of = (aggr: string) => {
      const { series, notFinite } = byKey(odd, aggr);
      return [series[0]!.values, notFinite];
    };
    expect([of('sum'), of('avg'), of('min'), of('max')]).toEqual([
      [[null, null, 3], 2],
      [[null, null, 3], 2],
      [[1, 2, 3], 0],
      [[null, null, 3], 2],
    ]);
  });

  test.each<[string, TypedRows, readonly (string | number)[]]>([
    [
      'texts that look like numbers',
      typed('text', [
        ['1.10', 7],
        ['1.1', 1],
      ]),
      ['1.10', '1.1'],
    ],
    [
      'whole numbers beyond 2^53',
      typed('integer', [
        [9007199254740993n, 7],
        [9007199254740992n, 1],
      ]),
      ['9007199254740993', '9007199254740992'],
    ],
    [
      'a missing value and its text',
      typed('text', [
        [null, 7],
        ['null', 1],
      ]),
      ['null', '"null"'],
    ],
    [
      'numbers',
      typed('integer', [
        [2, 7],
        [1, 1],
      ]),
      [2, 1],
    ],
    [
      'numbers with a missing value',
      typed('integer', [
        [2, 7],
        [null, 1],
      ]),
      ['2', 'null'],
    ],
  ])('keys are compared by value: %s', (_, table, x) => {
    const made = byKey(table);
    expect([made.x, made.series[0]!.values]).toEqual([x, [7, 1]]);
  });

  test('two keys are a tuple, not a joined text', () => {
    const table = parseTable('a\tb\tv\nu.v\tw\t10\nu\tv.w\t5');
    const { x, series } = pivot(table, {
      keys: toColumns(['a', 'b']),
      groups: [],
      values: [{ name: 'v', index: 2 }],
    });
    expect([x, series[0]!.values]).toEqual([
      ['"u.v"."w"', '"u"."v.w"'],
      [10, 5],
    ]);
  });

  test('a scale has numbers in their order, and no place for missing ones', () => {
    const table = typed('float', [
      [3, 1],
      [null, 2],
      [1, 3],
      [Number.NaN, 4],
    ]);
    const { x, series, unplaced } = byKey(table, 'sum', { scale: true });
    expect([x, series[0]!.values, unplaced]).toEqual([[1, 3], [3, 1], 2]);
  });

  test('a time axis has no place for infinite times', () => {
    const table = typed('date', [
      [86_400_000, 1],
      [(2 ** 31 - 1) * 86_400_000, 2],
      [0, 3],
    ]);
    const { x, time, unplaced } = byKey(table, 'sum', { scale: true });
    expect([x, time, unplaced]).toEqual([[0, 86_400_000], 'day', 1]);
    const bars = byKey(table, 'sum');
    expect(bars.x).toEqual([0, 86_400_000, 'infinity']);
  });

  test.each<RowColumn['kind']>(['text', 'integer', 'timestamp'])(
    'many keys of %s are ordered in steps, and only those that are drawn are labelled',
    (kind) => {
      const count = 50_000;
      const value = (row: number) =>
        kind === 'integer' ? count - row : kind === 'text' ? `k${row}` : BigInt(row) * 60_000_000n;
      const rows = { ...typed(kind, []), length: count, value: value as TypedRows['value'] };
      const work = steps(
        rows,
        { keys: [{ name: 'k', index: 0 }], groups: [], values: [{ name: 'v', index: 1 }] },
        { scale: true, gather: false, maxValues: 1_000 },
      );
      const stepsOfRows = Math.ceil(count / 4_096);
      let made = work.next();
      let stepsMade = 1;
      for (; !made.done; stepsMade += 1) made = work.next();
      expect([made.value.x.length, made.value.omitted.points]).toEqual([1_000, count - 1_000]);
      expect(stepsMade).toBeGreaterThan(stepsOfRows * 3);
    },
  );

  test('whole numbers are added exactly', () => {
    const table: TypedRows = {
      ...typed('text', []),
      columns: [
        { name: 'k', index: 0, kind: 'text' },
        { name: 'v', index: 1, kind: 'decimal', scale: 1 },
      ],
      length: 3,
      value: (row, column) => (column === 0 ? 'a' : [2n ** 70n, 3n, -(2n ** 70n)][row]!),
    };
    expect(byKey(table).series[0]!.values).toEqual([0.3]);
  });
});

describe('further rules', () => {
  test('texts are no values, unless they are numbers', () => {
    const words = parseTable('k\tv\na\tx\na\t4\na\ty\na\t2\nb\tz');
    const of = (aggr: string) => byKey(textRows(words), aggr).series[0]?.values;
    expect([of('min'), of('max'), of('count'), of('sum'), of('avg')]).toEqual([
      [2, null],
      [4, null],
      [4, 1],
      [6, null],
      [3, null],
    ]);
  });

  test('a value of a single row has the name of its column', () => {
    expect(
      byKey(
        typed('text', [
          ['a', 1],
          ['b', 2],
        ]),
      ).measures,
    ).toEqual(['v']);
    expect(
      byKey(
        typed('text', [
          ['a', 1],
          ['a', 2],
        ]),
      ).measures,
    ).toEqual(['sum of v']);
    expect(
      byKey(
        typed('text', [
          ['a', 1],
          ['b', 2],
        ]),
        'count',
      ).measures,
    ).toEqual(['count of v']);
  });

  test('keys keep the order of first appearance, with equal prefixes together', () => {
    const table = parseTable('a\tb\tv\n3\tx\t1\n1\ty\t1\n3\tz\t1');
    const keys = toColumns(['a', 'b']);
    const values = [{ name: 'v', index: 2 }];
    expect(pivot(table, { keys: keys.slice(0, 1), groups: [], values }).x).toEqual([3, 1]);
    expect(pivot(table, { keys, groups: [], values }).x).toEqual(['3.x', '3.z', '1.y']);
  });

  test('nothing is drawn without a selection or without rows', () => {
    expect(pivot(people, config(['age'], [], [])).series).toEqual([]);
    expect(pivot(parseTable('a\tb\tbal'), config([], [], ['bal']))).toMatchObject({
      x: [],
      series: [],
    });
    expect(pivot(parseTable('a\tb\tbal'), config([], [], ['bal']), line)).toMatchObject({
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

  test.each([
    ['kind:s, name:s, n:n', 'kind by n'],
    ['n:n, kind:s, m:n', 'kind by m'],
    ['n:n, day:d, kind:s', 'day by n'],
    ['a:n, b:n, c:n', 'a by b c'],
    ['day:d, revenue:n, orders:n', 'day by revenue orders'],
    ['month:n, revenue:n, orders:n', 'month by revenue orders'],
    ['year:n, month:n, revenue:n', 'year month by revenue'],
    ['weekday:s, month:n, n:n', 'weekday by n'],
    ['order_id:n, city:s, amount:n', 'city by amount'],
    ['city:s, orderId:n, zip:n, lat:n, lon:n, price:n', 'city by price'],
    ['city:s, cost_per_day:n', 'city by cost_per_day'],
    ['kind:s, name:s, day:d', 'kind by '],
    ['n:n', 'n by '],
  ])('default to %s: %s', (table, expected) => {
    const kinds: Record<string, ColumnType> = { s: 'string', n: 'number', d: 'date' };
    const list = table.split(', ').map((each) => each.split(':'));
    const { keys, values } = cleanPivot(
      undefined,
      toColumns(list.map(([name]) => name!)),
      list.map(([, kind]) => kinds[kind!]!),
    );
    const names = (part: typeof keys) => part.map(({ name }) => name).join(' ');
    expect(`${names(keys)} by ${names(values)}`).toBe(expected);
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
