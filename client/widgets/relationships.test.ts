import { expect, it } from 'vitest';
import { readWidget } from './index.ts';
import type { RelationshipPayload } from './profiles.ts';
import { shownRelationships } from './relationships.ts';

const of = (...relationships: unknown[]) =>
  shownRelationships(
    (
      readWidget({ relationships }, 'relationships')!.data as {
        relationships: readonly RelationshipPayload[];
      }
    ).relationships,
  );

it('a relationship within one table is reversed, with its fields', () => {
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

it('relationships other than Simple use their field pairs; else members decide [O50]', () => {
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

it('missing parts are left empty, missing scores come last, unknown words are kept', () => {
  expect(
    of({ fromTableName: 'a' }, { fromTableName: 'b', fromCardinality: 'Few', score: 0.1 }, {}),
  ).toEqual([
    { from: 'b', to: '', pairs: [], cardinality: 'Few', score: 0.1 },
    { from: '', to: '', pairs: [], cardinality: '', score: undefined },
    { from: 'a', to: '', pairs: [], cardinality: '', score: undefined },
  ]);
});
