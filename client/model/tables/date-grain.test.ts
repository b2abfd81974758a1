import { describe, expect, it } from 'vitest';
import { runNow } from '../rows/run-now.ts';
import { textRows } from '../rows/text-rows.ts';
import { type DateGrain, dateGrains, grainOf, periodOf, periodsBetween } from './date-grain.ts';
import { type PivotOptions, pivot as steps } from './pivot.ts';
import type { TableData } from './table.ts';

const table = (rows: string[][]): TableData => ({
  columns: ['day', 'n'].map((name, index) => ({ name, index, aggr: 'sum' })),
  rows,
  comment: '',
});
const pivot = (rows: TableData, config: Parameters<typeof steps>[1], options: PivotOptions) =>
  runNow(steps(textRows(rows), config, options));
const config = (aggr: string) => ({
  keys: [{ name: 'day', index: 0 }],
  groups: [],
  values: [{ name: 'n', index: 1, aggr }],
});

describe('the period of a date', () => {
  it.each([
    ['2024-05-17', ['2024-05-17', '2024-05-13', '2024-05', '2024 Q2', '2024']],
    ['2024-12-31 23:59:59', ['2024-12-31', '2024-12-30', '2024-12', '2024 Q4', '2024']],
    ['0044-03-15', ['0044-03-15', '0044-03-14', '0044-03', '0044 Q1', '0044']],
    ['0000-12-31', ['0000-12-31', '0000-12-25', '0000-12', '0000 Q4', '0000']],
    ['2023-01-01T00:00:00Z', ['2023-01-01', '2022-12-26', '2023-01', '2023 Q1', '2023']],
  ])('of %s is named by its length', (date, names) =>
    expect(dateGrains.map((grain) => periodOf(date, grain))).toEqual(names),
  );

  it.each(['', 'May', '2024-02-30', '2024-13-01', '20240517', '2024-05-17x'])(
    'does not exist for %j',
    (text) => expect(periodOf(text, 'month')).toBeUndefined(),
  );

  it.each([
    ['day', '2024-02-28', '2024-02-29'],
    ['week', '2024-12-30', '2025-01-06'],
    ['month', '2024-12-01', '2025-01-01'],
    ['quarter', '2024-10-01', '2025-01-01'],
    ['year', '2024-01-01', '2025-01-01'],
  ] as const)('of one %s is followed by the next', (grain, first, last) =>
    expect(periodsBetween([Date.parse(first), Date.parse(last)], grain, true)).toHaveLength(2),
  );

  it.each([
    ['day', '2025-03-04 2025-03-22 2025-05-14'],
    ['day', '2025-01-01'],
    ['week', '2025-03-03 2025-03-10 2025-03-24'],
    ['month', '2025-01-01 2025-02-01 2025-05-01'],
    ['quarter', '2025-01-01 2025-04-01 2025-10-01'],
    ['year', '2023-01-01 2025-01-01'],
    ['time', '2025-01-01 2025-01-01T10:00'],
  ])('is a %s if all dates share it: %s', (grain, dates) =>
    expect(
      grainOf(dates.split(' ').map((date) => Date.parse(date.includes('T') ? `${date}Z` : date))),
    ).toBe(grain),
  );
});

describe('a pivot of dates', () => {
  const day = (text: string) => Date.parse(text);
  const values = (rows: string[][], options: PivotOptions) => {
    const { x, series, time } = pivot(table(rows), config('sum'), options);
    return { x, values: series[0]!.values, time };
  };

  it('has them in the order of time, without gaps between single events', () =>
    expect(
      values(
        [
          ['2025-05-14', '1'],
          ['2025-03-22', '2'],
          ['2025-03-04', '4'],
        ],
        { scale: true },
      ),
    ).toEqual({
      x: [day('2025-03-04'), day('2025-03-22'), day('2025-05-14')],
      values: [4, 2, 1],
      time: 'day',
    }));

  it('has gaps for missing months, also of timestamps', () => {
    const months = [1, 2, 3, 5, 6, 7, 8, 10, 11, 12];
    const rows = months.map((month) => [
      `2025-${String(month).padStart(2, '0')}-01 00:00:00`,
      String(month),
    ]);
    const made = values(rows, {});
    expect(made.time).toBe('month');
    expect(made.values).toEqual([1, 2, 3, null, 5, 6, 7, 8, null, 10, 11, 12]);
  });

  it('has no gaps for weekends among working days', () => {
    const rows = ['02', '03', '04', '05', '06', '09', '10'].map((at) => [`2025-06-${at}`, '1']);
    expect(values(rows, {}).values).toEqual([1, 1, 1, 1, 1, 1, 1]);
  });

  it('has missing dates last, or no place for them on a scale', () => {
    const rows = [
      ['null', '4'],
      ['2025-03-04', '1'],
      ['2025-03-05', '2'],
    ];
    expect(values(rows, {}).values).toEqual([1, 2, 4]);
    expect(values(rows, { scale: true }).values).toEqual([1, 2]);
  });
});

describe('a pivot by periods', () => {
  const rows = [
    ['2024-03-05', '1'],
    ['2024-01-31', '2'],
    ['2024-01-01', '4'],
    ['2024-05-01', '8'],
  ];

  it('aggregates rows, not aggregates, and has missing periods for every length', () => {
    const made = pivot(table(rows), config('avg'), { grain: 'month' });
    expect(made.keys).toEqual([['2024-01'], ['2024-02'], ['2024-03'], ['2024-04'], ['2024-05']]);
    expect(made.series[0]!.values).toEqual([3, null, 1, null, 8]);
    const sums = (grain: DateGrain) =>
      pivot(table(rows), config('sum'), { grain }).series[0]!.values;
    expect(sums('quarter')).toEqual([7, 8]);
    expect(sums('year')).toEqual([15]);
    expect(sums('week')).toHaveLength(18);
    expect(sums('day')).toHaveLength(122);
  });

  it('leaves other keys as they are', () => {
    const made = pivot(table([...rows, ['unknown', '16']]), config('sum'), { grain: 'year' });
    expect([made.x, made.series[0]!.values]).toEqual([
      ['2024', 'unknown'],
      [15, 16],
    ]);
  });
});
