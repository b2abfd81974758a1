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

const line: PivotOptions = { scale: true, gather: false };

/** Series as texts: `name: x=y x=y …`. `spec`: `keys; groups; values`, with – for none. */
function drawn(spec: string, options: PivotOptions): string[] {
  const [keys, groups, values] = spec
    .split('; ')
    .map((part) => (part === '–' ? [] : part.split(', ')));
  const { x, series } = pivot(people, config(keys!, groups!, values!), options);
  return series.map(
    ({ name, values }) =>
      `${name}: ${values.map((y, at) => `${JSON.stringify(x[at])}=${y}`).join(' ')}`,
  );
}

test.each<[spec: string, bars: string[], lines?: string[]]>([
  ['age; –; bal sum', ['sum of bal: 30=30 31=5 32=7']],
  ['age; job; bal sum', ['dev: 30=10 31=5 32=null', 'ops: 30=20 31=null 32=7']],
  [
    'age; job; bal sum, age count',
    [
      'dev, sum of bal: 30=10 31=5 32=null',
      'dev, count of age: 30=1 31=2 32=null',
      'ops, sum of bal: 30=20 31=null 32=7',
      'ops, count of age: 30=1 31=null 32=1',
    ],
  ],
  // A line uses the index as coordinate and x as labels.
  ['job; –; bal avg', ['avg of bal: "dev"=7.5 "ops"=13.5']],
  ['job; –; bal min, bal max', ['min of bal: "dev"=5 "ops"=7', 'max of bal: "dev"=10 "ops"=20']],
  ['–; job; bal sum', ['sum of bal: "dev"=15 "ops"=27'], ['dev: 0=15', 'ops: 0=27']],
  ['–; –; bal sum', ['sum of bal: "sum of bal"=42'], ['sum of bal: 0=42']],
  [
    '–; –; bal sum, bal count',
    ['values: "sum of bal"=42 "count of bal"=5'],
    ['sum of bal: 0=42', 'count of bal: 0=5'],
  ],
  ['age, job; –; bal count', ['count of bal: "30.dev"=1 "30.ops"=1 "31.dev"=2 "32.ops"=1']],
])('expected values: %s', (spec, bars, lines = bars) => {
  expect(drawn(spec, {})).toEqual(bars);
  expect(drawn(spec, line)).toEqual(lines);
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
const valuesByKey = (aggr = 'sum') => ({
  keys: [{ name: 'k', index: 0 }],
  groups: [],
  values: [{ name: 'v', index: 1, aggr }],
});
const byKey = (rows: TypedRows, aggr?: string, options?: PivotOptions) =>
  runNow(steps(rows, valuesByKey(aggr), options));

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

  test.each<[string, RowColumn['kind'], [CellValue, CellValue], readonly (string | number)[]]>([
    ['texts that look like numbers', 'text', ['1.10', '1.1'], ['1.10', '1.1']],
    [
      'whole numbers beyond 2^53',
      'integer',
      [9007199254740993n, 9007199254740992n],
      ['9007199254740993', '9007199254740992'],
    ],
    ['a missing value and its text', 'text', [null, 'null'], ['null', '"null"']],
    ['numbers', 'integer', [2, 1], [2, 1]],
    ['numbers with a missing value', 'integer', [2, null], ['2', 'null']],
  ])('keys are compared by value: %s', (_, kind, [first, second], x) => {
    const rows: CellValue[][] = [
      [first, 7],
      [second, 1],
    ];
    const made = byKey(typed(kind, rows));
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
      const work = steps(rows, valuesByKey(), { ...line, maxValues: 1_000 });
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

  test.each<[string, string, string]>([
    ['a b', 'sum', 'v'],
    ['a a', 'sum', 'sum of v'],
    ['a b', 'count', 'count of v'],
  ])('a value of a single row has the name of its column: %s, %s', (keys, aggr, name) => {
    const rows = keys.split(' ').map((key, at) => [key, at + 1]);
    expect(byKey(typed('text', rows), aggr).measures).toEqual([name]);
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
    for (const options of [undefined, line])
      expect(pivot(parseTable('a\tb\tbal'), config([], [], ['bal']), options)).toMatchObject({
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
