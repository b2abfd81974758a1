/** Converts relationships of payloads to rows for display. Pure functions. */
import {
  type Cardinality,
  fieldPairs,
  type Relationship,
  sortRelationships,
} from '../model/tables/relationships.ts';
import type { RelationshipPayload } from './profiles.ts';

/** A relationship to show, in reading direction. */
export interface ShownRelationship {
  /** Qualified table, such as `core.trips`. Without a schema, the table name alone. */
  readonly from: string;
  /** Qualified table, like `from`. */
  readonly to: string;
  /** The joined fields. Empty if the payload names none. */
  readonly pairs: readonly { readonly from: string; readonly to: string }[];
  /** `Many to One`. Empty if neither side is known. */
  readonly cardinality: string;
  /** Score from 0 to 1. Undefined if unknown. */
  readonly score: number | undefined;
}

const known: readonly Cardinality[] = ['One', 'ZeroOrOne', 'Many'];
/** Unknown words are kept. */
const cardinality = (word: string | undefined): Cardinality =>
  (known.find((each) => each.toLowerCase() === word?.toLowerCase()) ?? word ?? '') as Cardinality;
const full = (schema: string, table: string): string =>
  [schema, table].filter((part) => part !== '').join('.');

function whole(some: RelationshipPayload): Relationship {
  const { fromFieldName, toFieldName, fieldPairs: pairs } = some;
  // Without a type, a relationship is simple unless it has field pairs.
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
    // Sorts after all relationships that have a score.
    score: some.score ?? Number.NEGATIVE_INFINITY,
  };
}

/**
 * Prepares relationships for display: reverses those within one table, and sorts by descending
 * score, then by names (specification).
 */
export function shownRelationships(
  relationships: readonly RelationshipPayload[],
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
