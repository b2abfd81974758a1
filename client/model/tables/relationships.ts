/** How many rows of one side belong to a row of the other. */
export type Cardinality = 'One' | 'ZeroOrOne' | 'Many';

/**
 * A relationship between tables, as in a profile. `Simple` relationships name one pair of fields;
 * all others list their pairs.
 */
export interface Relationship {
  /** Schema of the referencing table. */
  readonly fromSchemaName: string;
  /** Referencing table. */
  readonly fromTableName: string;
  /** Schema of the referenced table. */
  readonly toSchemaName: string;
  /** Referenced table. */
  readonly toTableName: string;
  /** `Simple`, or another type, for example `Compound`. */
  readonly relationshipType: string;
  /** Referencing field of a `Simple` relationship. */
  readonly fromFieldName?: string | undefined;
  /** Referenced field of a `Simple` relationship. */
  readonly toFieldName?: string | undefined;
  /** Pairs of fields of other relationships; see `fieldPairs()`. */
  readonly fieldPairs?:
    | readonly { readonly fromFieldName: string; readonly toFieldName: string }[]
    | undefined;
  /** Number of rows in the referencing table per row of the other. */
  readonly fromCardinality: Cardinality;
  /** Number of rows in the referenced table per row of the other. */
  readonly toCardinality: Cardinality;
  /** Confidence from 0 to 1. */
  readonly score: number;
}

/** Returns the pairs of fields that a relationship joins. */
export function fieldPairs(
  relationship: Relationship,
): readonly { fromFieldName: string; toFieldName: string }[] {
  const { relationshipType, fromFieldName, toFieldName } = relationship;
  if (relationshipType === 'Simple' && fromFieldName !== undefined && toFieldName !== undefined)
    return [{ fromFieldName, toFieldName }];
  return relationship.fieldPairs ?? [];
}

/**
 * Returns the relationship in reading direction: within one table, Many to One and ZeroOrOne to One
 * swap their sides (specification). Others are returned unchanged.
 */
export function readingDirection(relationship: Relationship): Relationship {
  const { fromCardinality, toCardinality } = relationship;
  const same =
    relationship.fromSchemaName === relationship.toSchemaName &&
    relationship.fromTableName === relationship.toTableName;
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

/** Describes the cardinality: `Many to One` (specification: 'X to Y'). */
export const cardinalityText = ({ fromCardinality, toCardinality }: Relationship): string =>
  `${fromCardinality} to ${toCardinality}`;

/** Rates a score: above 0.8 success, above 0.65 warning, otherwise danger (specification). */
export function scoreRating(score: number): 'success' | 'warning' | 'danger' {
  return score > 0.8 ? 'success' : score > 0.65 ? 'warning' : 'danger';
}

/**
 * Returns the relationships in reading direction, sorted by descending score, then by names
 * (specification).
 */
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
