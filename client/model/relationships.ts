/** Relationships between tables: which way they read, how sure they are, and their order. */

/** How many rows of a side belong to one of the other. */
export type Cardinality = 'One' | 'ZeroOrOne' | 'Many';

/** A relationship as a profile tells it. `Simple` names one pair of fields; any other type lists its pairs. */
export interface Relationship {
  /** Schema of the table that refers. */
  readonly fromSchemaName: string;
  /** Table that refers. */
  readonly fromTableName: string;
  /** Schema of the table referred to. */
  readonly toSchemaName: string;
  /** Table referred to. */
  readonly toTableName: string;
  /** `Simple`, or anything else, for example `Compound`. */
  readonly relationshipType: string;
  /** Of a `Simple` one: the field that refers. */
  readonly fromFieldName?: string | undefined;
  /** Of a `Simple` one: the field referred to. */
  readonly toFieldName?: string | undefined;
  /** Of any other: the fields that are joined; see `fieldPairs()`. */
  readonly fieldPairs?:
    | readonly { readonly fromFieldName: string; readonly toFieldName: string }[]
    | undefined;
  /** How many rows of the table that refers belong to one of the other. */
  readonly fromCardinality: Cardinality;
  /** How many rows of the table referred to belong to one of the other. */
  readonly toCardinality: Cardinality;
  /** 0 to 1. */
  readonly score: number;
}

/** The pairs of fields that a relationship joins. */
export function fieldPairs(
  relationship: Relationship,
): readonly { fromFieldName: string; toFieldName: string }[] {
  const { relationshipType, fromFieldName, toFieldName } = relationship;
  if (relationshipType === 'Simple' && fromFieldName !== undefined && toFieldName !== undefined)
    return [{ fromFieldName, toFieldName }];
  return relationship.fieldPairs ?? [];
}

/**
 * The relationship in the direction in which it reads: within one table, Many to One and ZeroOrOne to One swap their
 * sides (specification). Others are as they are.
 */
export function readingDirection(relationship: Relationship): Relationship {
  const {
    fromSchemaName,
    fromTableName,
    toSchemaName,
    toTableName,
    fromCardinality,
    toCardinality,
  } = relationship;
  const same = fromSchemaName === toSchemaName && fromTableName === toTableName;
  if (!same || toCardinality !== 'One' || fromCardinality === 'One') return relationship;
  return {
    ...relationship,
    fromCardinality: toCardinality,
    toCardinality: fromCardinality,
    fromFieldName: relationship.toFieldName,
    toFieldName: relationship.fromFieldName,
    fieldPairs: relationship.fieldPairs?.map(({ fromFieldName, toFieldName }) => ({
      fromFieldName: toFieldName,
      toFieldName: fromFieldName,
    })),
  };
}

/** `Many to One` (specification: 'X to Y'). */
export const cardinalityText = ({ fromCardinality, toCardinality }: Relationship): string =>
  `${fromCardinality} to ${toCardinality}`;

/** Above 0.8 success, above 0.65 warning, else danger (specification). */
export function scoreRating(score: number): 'success' | 'warning' | 'danger' {
  return score > 0.8 ? 'success' : score > 0.65 ? 'warning' : 'danger';
}

/** The relationships in reading direction, by score descending, then by their names ascending (specification). */
export function sortRelationships(relationships: readonly Relationship[]): Relationship[] {
  const names = (entry: Relationship) => [
    entry.fromSchemaName,
    entry.fromTableName,
    ...fieldPairs(entry).map((pair) => pair.fromFieldName),
    entry.toSchemaName,
    entry.toTableName,
    ...fieldPairs(entry).map((pair) => pair.toFieldName),
  ];
  return relationships.map(readingDirection).sort((a, b) => {
    if (a.score !== b.score) return b.score - a.score;
    const [one, other] = [names(a), names(b)];
    for (let at = 0; at < Math.max(one.length, other.length); at += 1) {
      const order = (one[at] ?? '').localeCompare(other[at] ?? '');
      if (order !== 0) return order;
    }
    return 0;
  });
}
