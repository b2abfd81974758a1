import { expect, it } from 'vitest';
import { compareProfiles, shareOf } from './profile-comparison.ts';
import type { DataSetProfile, FieldProfile } from './profiles.ts';

const field = (
  fieldName: string,
  inferredProfileType: string | undefined,
  nullCount?: number,
  distinctValueCount?: number,
): FieldProfile => ({ fieldName, inferredProfileType, nullCount, distinctValueCount });
const profile = (
  rowCount: number | undefined,
  ...fieldProfiles: FieldProfile[]
): DataSetProfile => ({ rowCount, fieldProfiles });
const told = (before?: DataSetProfile, after?: DataSetProfile) =>
  compareProfiles(before, after).fields.map(({ fieldName, change }) => `${fieldName} ${change}`);

it('added and removed fields come first, then new types, then the rest by change', () => {
  const before = profile(
    100,
    field('same', 'Text', 0, 10),
    field('gone', 'Text'),
    field('kind', 'Text', 0, 4),
    field('few', 'Text', 1, 100),
    field('nulls', 'Text', 0, 100),
    field('values', 'Text', 0, 10),
  );
  const after = profile(
    200,
    field('same', 'text', 0, 10),
    field('few', 'Text', 2, 101),
    field('values', 'Text', 0, 18),
    field('kind', 'Date', 0, 4),
    field('new', 'Date'),
    field('nulls', 'Text', 60, 100),
  );
  expect(told(before, after)).toEqual([
    'gone removed',
    'new added',
    'kind type',
    'values changed',
    'nulls changed',
    'few changed',
    'same same',
  ]);
  const { rows, fields } = compareProfiles(before, after);
  expect(rows).toBe(100);
  expect(fields.find(({ fieldName }) => fieldName === 'nulls')).toMatchObject({
    nullShare: 0.3,
    distinct: 0,
  });
  expect(fields.find(({ fieldName }) => fieldName === 'values')!.distinct).toBeCloseTo(0.8);
});

it('a missing count is neither more nor less', () => {
  expect(
    compareProfiles(
      profile(undefined, field('a', 'Text', 3)),
      profile(10, field('a', 'Text', 3, 5)),
    ),
  ).toMatchObject({
    rows: undefined,
    fields: [{ change: 'changed', nullShare: undefined, distinct: undefined }],
  });
  expect(
    compareProfiles(profile(10, field('a', 'Text', 3, 0)), profile(10, field('a', 'Text', 3, 5)))
      .fields[0]!.distinct,
  ).toBe(Infinity);
});

it('a missing profile has no fields; duplicate names are compared in order', () => {
  expect(told(undefined, profile(1, field('a', 'Text')))).toEqual(['a added']);
  expect(told(profile(1, field('a', 'Text')), undefined)).toEqual(['a removed']);
  expect(told()).toEqual([]);
  expect(
    told(
      profile(1, field('a', 'Text'), field('a', 'Date')),
      profile(1, field('a', 'Text'), field('a', 'Date'), field('a', 'Text')),
    ),
  ).toEqual(['a added', 'a same', 'a same']);
});

it('shares require existing rows', () =>
  expect([shareOf(1, 4), shareOf(1, 0), shareOf(undefined, 4), shareOf(1, undefined)]).toEqual([
    0.25,
    undefined,
    undefined,
    undefined,
  ]));
