/** Relationships as they travel, made fit for the rules of the model. Pure. */
import {
  fieldPairs,
  sortRelationships,
  type Cardinality,
  type Relationship,
} from '../model/relationships.ts';
import type { SomeRelationship } from './profiles.ts';

/** A relationship as it is shown: in its reading direction. */
export interface ShownRelationship {
  /** `core.trips`; without a schema the table alone. */
  readonly from: string;
  /** As `from`. */
  readonly to: string;
  /** The fields that are joined, at least one pair where any is told. */
  readonly pairs: readonly { readonly from: string; readonly to: string }[];
  /** `Many to One`; empty where neither side is told. */
  readonly cardinality: string;
  /** 0 to 1; absent where it is not told. */
  readonly score: number | undefined;
}

const known: readonly Cardinality[] = ['One', 'ZeroOrOne', 'Many'];
/** A word that is not known stands as it came. */
const cardinality = (word: string | undefined): Cardinality =>
  (known.find((each) => each.toLowerCase() === word?.toLowerCase()) ?? word ?? '') as Cardinality;
const full = (schema: string, table: string): string =>
  [schema, table].filter((part) => part !== '').join('.');

function whole(some: SomeRelationship): Relationship {
  const { fromFieldName, toFieldName, fieldPairs: pairs } = some;
  // One that does not say what it is is simple where it names its fields itself.
  const simple =
    some.relationshipType === undefined
      ? pairs.length === 0
      : some.relationshipType.toLowerCase() === 'simple';
  return {
    fromSchemaName: some.fromSchemaName ?? '',
    fromTableName: some.fromTableName ?? '',
    toSchemaName: some.toSchemaName ?? '',
    toTableName: some.toTableName ?? '',
    relationshipType: simple ? 'Simple' : (some.relationshipType ?? 'Compound'),
    fromFieldName: simple ? (fromFieldName ?? '') : fromFieldName,
    toFieldName: simple ? (toFieldName ?? '') : toFieldName,
    fieldPairs: pairs.map((pair) => ({
      fromFieldName: pair.fromFieldName ?? '',
      toFieldName: pair.toFieldName ?? '',
    })),
    fromCardinality: cardinality(some.fromCardinality),
    toCardinality: cardinality(some.toCardinality),
    // Without a score it stands behind those that have one.
    score: some.score ?? Number.NEGATIVE_INFINITY,
  };
}

/** The relationships as they are shown: turned where they are within one table, by score descending, then by names (specification). */
export function shownRelationships(
  relationships: readonly SomeRelationship[],
): ShownRelationship[] {
  return sortRelationships(relationships.map(whole)).map((each) => ({
    from: full(each.fromSchemaName, each.fromTableName),
    to: full(each.toSchemaName, each.toTableName),
    pairs: fieldPairs(each)
      .map(({ fromFieldName, toFieldName }) => ({ from: fromFieldName, to: toFieldName }))
      .filter(({ from, to }) => from !== '' || to !== ''),
    cardinality: [each.fromCardinality, each.toCardinality]
      .filter((word) => (word as string) !== '')
      .join(' to '),
    score: Number.isFinite(each.score) ? each.score : undefined,
  }));
}
