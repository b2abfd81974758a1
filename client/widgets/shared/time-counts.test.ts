import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FieldProfile } from '../profiles.ts';
import {
  type CountSlot,
  SPARK_BARS,
  sparkline,
  timeCounts,
  timeUnits,
  topValues,
} from './time-counts.ts';

const shown = (
  unit: Parameters<typeof timeCounts>[0],
  counts: Parameters<typeof timeCounts>[1],
) => {
  const found = timeCounts(unit, counts)!;
  return {
    length: found.slots.length,
    first: found.slots[0]?.key,
    last: found.slots.at(-1)?.key,
    above: spelled(found.slots.filter(({ count }) => count > 0)),
    unplaced: found.unplaced,
  };
};

/** Counts as a list of values. */
const listed = (...counts: (readonly [value: string | number | boolean | null, count: number])[]) =>
  counts.map(([value, count]) => ({ value, count }));
const spelled = (slots: readonly CountSlot[]) => slots.map(({ key, count }) => `${key}:${count}`);

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
    expect(spelled(slots.slice(58, 61))).toEqual(['--02-28:0', '--02-29:2', '--03-01:4']);
  });

  it('of years are continuous from the first to the last', () => {
    const { slots } = timeCounts('year', listed([2024, 1], ['2021', 5]))!;
    expect(spelled(slots)).toEqual(['2021:5', '2022:0', '2023:0', '2024:1']);
    const invalid = listed(['soon', 4], [1e15, 1], [0, 1], [-5, 1]);
    expect(shown('year', invalid)).toMatchObject({ length: 0, unplaced: 7 });
  });

  it('of months and weekdays are found by number or English name, Monday first', () => {
    const months = listed(['FEBRUARY', 1], ['Sep', 2], [12, 3], ['02', 4]);
    expect(shown('month', months).above).toEqual(['2:5', '9:2', '12:3']);
    const days = { MONDAY: 1, Sunday: 2, '3': 4, thu: 1 };
    expect(shown('dayOfWeek', days).above).toEqual(['1:1', '3:4', '4:1', '7:2']);
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
    const invalid = listed([24, 1], [null, 2], [true, 4], [3, NaN], [3, -2]);
    expect(shown('hourOfDay', [...invalid, { count: 8 }, { value: 3 }])).toMatchObject({
      above: [],
      unplaced: 15,
    });
  });

  it.each([undefined, [], {}])('do not exist if the profile has no counts: %j', (counts) => {
    expect(timeCounts('month', counts)).toBeUndefined();
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
    topValues: listed(['DCA', 69], ['ORD', 60], ['IAD', 58]),
  };
  it('include the number of other rows [O43]', () => {
    const { values, ...counts } = topValues(origin, 500)!;
    expect(spelled(values)).toEqual(['DCA:69', 'ORD:60', 'IAD:58']);
    expect(counts).toEqual({ other: 313, nulls: 0 });
    expect(topValues({ ...origin, nullCount: 14 }, 500)).toMatchObject({ other: 299, nulls: 14 });
  });
  it('assume no other rows if the row count is unknown or too low [O43]', () => {
    expect([undefined, 100, 187].map((rows) => topValues(origin, rows)!.other)).toEqual([0, 0, 0]);
  });
  it('are sorted by count; null is not a value', () => {
    const { values, ...counts } = topValues({ topValues: { a: 1, b: 3 } }, 4)!;
    expect([spelled(values), counts]).toEqual([['b:3', 'a:1'], { other: 0, nulls: 0 }]);
    expect(topValues({ topValues: listed([null, 4], [false, 1]), nullCount: 4 }, 6)).toEqual({
      values: [{ key: 'false', count: 1 }],
      other: 1,
      nulls: 4,
    });
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
