import { expect, it } from 'vitest';
import { readWidget } from './index.ts';
import { shownRelationships } from './relationships.ts';
import type { SomeRelationship } from './profiles.ts';

const of = (...relationships: unknown[]) =>
  shownRelationships(
    (
      readWidget({ relationships }, 'relationships')!.data as {
        relationships: readonly SomeRelationship[];
      }
    ).relationships,
  );

it('relationships within one table are turned, with their fields', () => {
  expect(
    of({
      fromSchemaName: 'core',
      fromTableName: 'staff',
      toSchemaName: 'core',
      toTableName: 'staff',
      relationshipType: 'simple',
      fromFieldName: 'manager',
      toFieldName: 'id',
      fromCardinality: 'many',
      toCardinality: 'ONE',
      score: 1,
    }),
  ).toEqual([
    {
      from: 'core.staff',
      to: 'core.staff',
      pairs: [{ from: 'id', to: 'manager' }],
      cardinality: 'One to Many',
      score: 1,
    },
  ]);
});

it('relationships of another type than Simple are read through their pairs, one without a type by what it has', () => {
  const pairs = {
    fieldPairs: [
      { fromFieldName: 'a', toFieldName: 'b' },
      { fromFieldName: 'c', toFieldName: 'd' },
    ],
  };
  expect(
    of({ relationshipType: 'Compound', fromFieldName: 'x', toFieldName: 'y', ...pairs })[0]!.pairs,
  ).toEqual([
    { from: 'a', to: 'b' },
    { from: 'c', to: 'd' },
  ]);
  expect(of({ ...pairs })[0]!.pairs).toHaveLength(2);
  expect(of({ fromFieldName: 'x' })[0]!.pairs).toEqual([{ from: 'x', to: '' }]);
});

it('relationships without parts are shown without them, those without a score last, and other words as they are', () => {
  expect(
    of({ fromTableName: 'a' }, { fromTableName: 'b', fromCardinality: 'Few', score: 0.1 }, {}),
  ).toEqual([
    { from: 'b', to: '', pairs: [], cardinality: 'Few', score: 0.1 },
    { from: '', to: '', pairs: [], cardinality: '', score: undefined },
    { from: 'a', to: '', pairs: [], cardinality: '', score: undefined },
  ]);
});
