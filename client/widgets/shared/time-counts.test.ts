import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FieldProfile } from '../profiles.ts';
import { SPARK_BARS, sparkline, timeCounts, timeUnits, topValues } from './time-counts.ts';

const shown = (
  unit: Parameters<typeof timeCounts>[0],
  counts: Parameters<typeof timeCounts>[1],
) => {
  const found = timeCounts(unit, counts)!;
  return {
    length: found.slots.length,
    first: found.slots[0]?.key,
    last: found.slots.at(-1)?.key,
    above: found.slots.filter(({ count }) => count > 0).map(({ key, count }) => `${key}:${count}`),
    unplaced: found.unplaced,
  };
};

describe('slots of a time chart', () => {
  it.each([
    ['dayOfYear', 366, '--01-01', '--12-31'],
    ['month', 12, '1', '12'],
    ['dayOfMonth', 31, '1', '31'],
    ['dayOfWeek', 7, '1', '7'],
    ['hourOfDay', 24, '0', '23'],
    ['minuteOfHour', 60, '0', '59'],
  ] as const)('%s are complete, with zeros [O41 O42]', (unit, length, first, last) => {
    expect(shown(unit, [{ value: first, count: 3 }])).toEqual({
      length,
      first,
      last,
      above: [`${first}:3`],
      unplaced: 0,
    });
  });

  it('of the year include 29 February [O42]', () => {
    const { slots } = timeCounts('dayOfYear', { '--02-29': 2, '3-1': 4 })!;
    expect(slots.slice(58, 61)).toEqual([
      { key: '--02-28', count: 0 },
      { key: '--02-29', count: 2 },
      { key: '--03-01', count: 4 },
    ]);
  });

  it('of years are continuous from the first to the last', () => {
    expect(
      timeCounts('year', [
        { value: 2024, count: 1 },
        { value: '2021', count: 5 },
      ])!.slots,
    ).toEqual([
      { key: '2021', count: 5 },
      { key: '2022', count: 0 },
      { key: '2023', count: 0 },
      { key: '2024', count: 1 },
    ]);
    expect(
      shown('year', [
        { value: 'soon', count: 4 },
        { value: 1e15, count: 1 },
        { value: 0, count: 1 },
        { value: -5, count: 1 },
      ]),
    ).toMatchObject({ length: 0, unplaced: 7 });
  });

  it('of months and weekdays are found by number or English name, Monday first', () => {
    expect(
      shown('month', [
        { value: 'FEBRUARY', count: 1 },
        { value: 'Sep', count: 2 },
        { value: 12, count: 3 },
        { value: '02', count: 4 },
      ]).above,
    ).toEqual(['2:5', '9:2', '12:3']);
    expect(shown('dayOfWeek', { MONDAY: 1, Sunday: 2, '3': 4, thu: 1 }).above).toEqual([
      '1:1',
      '3:4',
      '4:1',
      '7:2',
    ]);
  });

  it('ignore invalid values, and sum up their counts', () => {
    expect(shown('dayOfYear', { '--02-30': 1, '--13-01': 1, '--00-10': 1, x: 1 })).toMatchObject({
      above: [],
      unplaced: 4,
    });
    expect(shown('month', { 0: 1, 13: 2, Ma: 4, Mayo: 8, '1.5': 16 })).toMatchObject({
      above: [],
      unplaced: 31,
    });
    expect(
      shown('hourOfDay', [
        { value: 24, count: 1 },
        { value: null, count: 2 },
        { value: true, count: 4 },
        { count: 8 },
        { value: 3, count: NaN },
        { value: 3, count: -2 },
        { value: 3 },
      ]),
    ).toMatchObject({ above: [], unplaced: 15 });
  });

  it('do not exist if the profile has no counts', () => {
    expect([undefined, [], {}].map((counts) => timeCounts('month', counts))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('contain every count', () => {
    const counts = fc.array(
      fc.record({
        value: fc.oneof(
          fc.integer({ min: -5, max: 3000 }),
          fc.constantFrom('--02-29', 'May', 'friday', 'x', null),
        ),
        count: fc.nat(1000),
      }),
      { maxLength: 20 },
    );
    for (const [unit] of timeUnits) {
      fc.assert(
        fc.property(counts, (list) => {
          const found = timeCounts(unit, list);
          const sum =
            (found?.slots.reduce((total, { count }) => total + count, 0) ?? 0) +
            (found?.unplaced ?? 0);
          expect(sum).toBe(list.reduce((total, { count }) => total + count, 0));
        }),
      );
    }
  });
});

describe('top values', () => {
  const origin = {
    nullCount: 0,
    topValues: [
      { value: 'DCA', count: 69 },
      { value: 'ORD', count: 60 },
      { value: 'IAD', count: 58 },
    ],
  };
  it('include the number of other rows [O43]', () => {
    expect(topValues(origin, 500)).toEqual({
      values: [
        { key: 'DCA', count: 69 },
        { key: 'ORD', count: 60 },
        { key: 'IAD', count: 58 },
      ],
      other: 313,
      nulls: 0,
    });
    expect(topValues({ ...origin, nullCount: 14 }, 500)).toMatchObject({ other: 299, nulls: 14 });
  });
  it('assume no other rows if the row count is unknown or too low [O43]', () => {
    expect([undefined, 100, 187].map((rows) => topValues(origin, rows)!.other)).toEqual([0, 0, 0]);
  });
  it('are sorted by count; null is not a value', () => {
    expect(topValues({ topValues: { a: 1, b: 3 } }, 4)).toEqual({
      values: [
        { key: 'b', count: 3 },
        { key: 'a', count: 1 },
      ],
      other: 0,
      nulls: 0,
    });
    expect(
      topValues(
        {
          topValues: [
            { value: null, count: 4 },
            { value: false, count: 1 },
          ],
          nullCount: 4,
        },
        6,
      ),
    ).toEqual({ values: [{ key: 'false', count: 1 }], other: 1, nulls: 4 });
    expect(topValues({ topValues: [] }, 6)).toBeUndefined();
  });
});

describe('a sparkline', () => {
  const of = (more: Partial<FieldProfile>) => sparkline({ fieldName: 'a', ...more });
  it('shows the distribution, the times, or the top values', () => {
    expect(
      of({
        numericalProfile: { percentiles: [], histogram: [{ count: 1 }, { count: 5 }] },
        topValues: { a: 9 },
      }),
    ).toEqual([1, 5]);
    expect(of({ countByHourOfDay: { 5: 2 }, countByYear: { 2024: 2 } })).toHaveLength(24);
    expect(of({ topValues: { a: 1, b: 2 } })).toEqual([2, 1]);
    expect(of({})).toEqual([]);
  });
  it('has a limited number of bars that contain all counts', () => {
    const bars = of({
      countByDayOfYear: Object.fromEntries(
        timeCounts('dayOfYear', { '--01-01': 1 })!.slots.map(({ key }) => [key, 1]),
      ),
    });
    expect([bars.length, bars.reduce((a, b) => a + b, 0)]).toEqual([SPARK_BARS, 366]);
  });
});
