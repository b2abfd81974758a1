import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  cardinalityText,
  fieldPairs,
  type Relationship,
  readingDirection,
  scoreRating,
  sortRelationships,
} from './relationships.ts';

const simple: Relationship = {
  fromSchemaName: 'core',
  fromTableName: 'trips',
  toSchemaName: 'core',
  toTableName: 'airports',
  relationshipType: 'Simple',
  fromFieldName: 'origin',
  toFieldName: 'iata',
  fromCardinality: 'Many',
  toCardinality: 'One',
  score: 0.898,
};
const compound: Relationship = {
  fromSchemaName: 'core',
  fromTableName: 'fares',
  toSchemaName: 'core',
  toTableName: 'routes',
  relationshipType: 'Compound',
  fieldPairs: [
    { fromFieldName: 'origin', toFieldName: 'origin' },
    { fromFieldName: 'destination', toFieldName: 'destination' },
  ],
  fromCardinality: 'Many',
  toCardinality: 'ZeroOrOne',
  score: 0.7,
};
const own = (
  from: Relationship['fromCardinality'],
  to: Relationship['toCardinality'],
): Relationship => ({
  ...simple,
  fromTableName: 'staff',
  toTableName: 'staff',
  fromFieldName: 'manager',
  toFieldName: 'id',
  fromCardinality: from,
  toCardinality: to,
});

describe('a relationship', () => {
  test('joins one pair of fields or the listed pairs [O50]', () => {
    expect(fieldPairs(simple)).toEqual([{ fromFieldName: 'origin', toFieldName: 'iata' }]);
    expect(fieldPairs(compound)).toHaveLength(2);
    expect(fieldPairs({ ...compound, fieldPairs: undefined })).toEqual([]);
  });

  test('describes its cardinality as X to Y [O48]', () => {
    expect(cardinalityText(simple)).toBe('Many to One');
    expect(cardinalityText(compound)).toBe('Many to ZeroOrOne');
  });

  test.each([
    ['Many', 'One'],
    ['ZeroOrOne', 'One'],
  ] as const)('within one table from %s to %s swaps its sides [O47]', (from, to) => {
    expect(readingDirection(own(from, to))).toMatchObject({
      fromCardinality: to,
      toCardinality: from,
      fromFieldName: 'id',
      toFieldName: 'manager',
    });
  });

  test.each([
    ['One', 'Many'],
    ['One', 'One'],
    ['One', 'ZeroOrOne'],
    ['Many', 'Many'],
    ['Many', 'ZeroOrOne'],
  ] as const)('within one table from %s to %s is unchanged [O47]', (from, to) => {
    expect(readingDirection(own(from, to))).toEqual(own(from, to));
  });

  test('between two tables is unchanged, even if both have the same name [O47]', () => {
    expect(readingDirection(simple)).toBe(simple);
    expect(readingDirection({ ...own('Many', 'One'), toSchemaName: 'other' })).toMatchObject({
      fromCardinality: 'Many',
    });
  });

  test('does not change when it is turned again', () => {
    const cardinality = fc.constantFrom('One', 'ZeroOrOne', 'Many') as fc.Arbitrary<
      Relationship['fromCardinality']
    >;
    fc.assert(
      fc.property(cardinality, cardinality, fc.boolean(), (from, to, same) => {
        const once = readingDirection(
          same ? own(from, to) : { ...simple, fromCardinality: from, toCardinality: to },
        );
        expect(readingDirection(once)).toEqual(once);
      }),
    );
  });

  test.each([
    [0.81, 'success'],
    [0.8, 'warning'],
    [0.66, 'warning'],
    [0.65, 'danger'],
    [0, 'danger'],
    [1, 'success'],
  ] as const)('with score %f is rated %s [O32]', (score, rating) => {
    expect(scoreRating(score)).toBe(rating);
  });
});

test('relationships are sorted by descending score, then by name [O49]', () => {
  const named = (table: string, score: number) => ({ ...simple, fromTableName: table, score });
  expect(
    sortRelationships([named('b', 0.5), compound, named('a', 0.5), simple]).map(
      ({ fromTableName }) => fromTableName,
    ),
  ).toEqual(['trips', 'fares', 'a', 'b']);
});
