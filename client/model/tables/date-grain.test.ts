import { describe, expect, it } from 'vitest';
import { type DateGrain, dateGrains, nextPeriod, periodOf } from './date-grain.ts';
import { pivot } from './pivot.ts';
import type { TableData } from './table.ts';

const table = (rows: string[][]): TableData => ({
  columns: ['day', 'n'].map((name, index) => ({ name, index, aggr: 'sum' })),
  rows,
  comment: '',
});
const config = (aggr: string) => ({
  keys: [{ name: 'day', index: 0 }],
  groups: [],
  values: [{ name: 'n', index: 1, aggr }],
});

describe('the period of a date', () => {
  it.each([
    ['2024-05-17', ['2024-05-17', '2024-05-13', '2024-05', '2024 Q2', '2024']],
    ['2024-12-31 23:59:59', ['2024-12-31', '2024-12-30', '2024-12', '2024 Q4', '2024']],
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
    ['month', '2024-12', '2025-01'],
    ['quarter', '2024 Q4', '2025 Q1'],
    ['year', '2024', '2025'],
  ] as const)('of one %s is followed by the next', (grain, period, next) =>
    expect(nextPeriod(period, grain)).toBe(next),
  );
});

describe('a pivot by periods', () => {
  const rows = [
    ['2024-03-05', '1'],
    ['2024-01-31', '2'],
    ['2024-01-01', '4'],
    ['2024-05-01', '8'],
  ];

  it('aggregates rows, not aggregates, and shows missing periods', () => {
    const made = pivot(table(rows), config('avg'), { fill: null, grain: 'month' });
    expect(made.x).toEqual(['2024-01', '2024-02', '2024-03', '2024-04', '2024-05']);
    expect(made.series[0]!.values).toEqual([3, null, 1, null, 8]);
    expect(made.keys).toEqual(made.x.map((period) => [period]));
  });

  it('fills bars with zero, for every length', () => {
    const sums = (grain: DateGrain) =>
      pivot(table(rows), config('sum'), { fill: 0, grain }).series[0]!.values;
    expect(sums('quarter')).toEqual([7, 8]);
    expect(sums('year')).toEqual([15]);
    expect(sums('month')).toEqual([6, 0, 1, 0, 8]);
    expect(sums('week')).toHaveLength(18);
    expect(sums('day')).toHaveLength(122);
  });

  it('leaves other keys as they are', () => {
    const other = [...rows, ['unknown', '16']];
    const made = pivot(table(other), config('sum'), { fill: 0, grain: 'year' });
    expect([made.x, made.series[0]!.values]).toEqual([
      ['2024', 'unknown'],
      [15, 16],
    ]);
  });
});
