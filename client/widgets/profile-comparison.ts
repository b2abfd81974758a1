/** Compares two profiles of a data set field by field. Pure functions. */
import type { DataSetProfile, FieldProfile } from './profiles.ts';

/** Kind of change of a field. */
export type FieldChange = 'added' | 'removed' | 'type' | 'changed' | 'same';

/** A field that is in one or both profiles. */
export interface ComparedField {
  /** Name of the field. Duplicate names within a profile are compared in order. */
  readonly fieldName: string;
  /** Kind of change. */
  readonly change: FieldChange;
  /** Undefined if the field was added. */
  readonly before: FieldProfile | undefined;
  /** Undefined if the field was removed. */
  readonly after: FieldProfile | undefined;
  /**
   * Change in the share of rows without a value, −1 to 1. Undefined if one of the shares is
   * unknown.
   */
  readonly nullShare: number | undefined;
  /**
   * Relative change in the number of distinct values: 0.5 means 50% more. Infinity if there were
   * none before. Undefined if one of the numbers is unknown.
   */
  readonly distinct: number | undefined;
}

/** Differences between two profiles. */
export interface ProfileComparison {
  /** Change in the number of rows. Undefined if one of the numbers is unknown. */
  readonly rows: number | undefined;
  /**
   * Compared fields, largest change first: added and removed fields, then changed types, then other
   * changes by their size, then unchanged fields.
   */
  readonly fields: readonly ComparedField[];
}

/** Share of the rows, 0 to 1. Undefined if either number is unknown, or there are no rows. */
export const shareOf = (
  count: number | undefined,
  rowCount: number | undefined,
): number | undefined =>
  count === undefined || rowCount === undefined || rowCount <= 0 ? undefined : count / rowCount;

const ranks: Readonly<Record<FieldChange, number>> = {
  removed: 4,
  added: 3,
  type: 2,
  changed: 1,
  same: 0,
};

/** Compares two profiles. A missing profile has no fields. */
export function compareProfiles(
  before: DataSetProfile | undefined,
  after: DataSetProfile | undefined,
): ProfileComparison {
  const left = new Map<string, FieldProfile[]>();
  for (const field of before?.fieldProfiles ?? [])
    left.set(field.fieldName, [...(left.get(field.fieldName) ?? []), field]);
  const pairs: (readonly [FieldProfile | undefined, FieldProfile | undefined])[] = (
    after?.fieldProfiles ?? []
  ).map((field) => [left.get(field.fieldName)?.shift(), field]);
  for (const rest of left.values()) for (const field of rest) pairs.push([field, undefined]);
  const fields = pairs.map(([one, other]) =>
    compared(one, other, before?.rowCount, after?.rowCount),
  );
  const rows =
    before?.rowCount === undefined || after?.rowCount === undefined
      ? undefined
      : after.rowCount - before.rowCount;
  // The sort is stable.
  return {
    rows,
    fields: fields
      .map((field) => ({ field, amount: amountOf(field) }))
      .sort((a, b) => ranks[b.field.change] - ranks[a.field.change] || b.amount - a.amount)
      .map(({ field }) => field),
  };
}

function compared(
  before: FieldProfile | undefined,
  after: FieldProfile | undefined,
  rowsBefore: number | undefined,
  rowsAfter: number | undefined,
): ComparedField {
  const fieldName = (after ?? before)!.fieldName;
  if (!before || !after)
    return {
      fieldName,
      change: before ? 'removed' : 'added',
      before,
      after,
      nullShare: undefined,
      distinct: undefined,
    };
  const [one, other] = [shareOf(before.nullCount, rowsBefore), shareOf(after.nullCount, rowsAfter)];
  const nullShare = one === undefined || other === undefined ? undefined : other - one;
  const [few, many] = [before.distinctValueCount, after.distinctValueCount];
  const distinct =
    few === undefined || many === undefined
      ? undefined
      : many === few
        ? 0
        : few === 0
          ? Number.POSITIVE_INFINITY
          : many / few - 1;
  const type =
    before.inferredProfileType?.toLowerCase() !== after.inferredProfileType?.toLowerCase();
  // Counts that changed in proportion to the rows are the smallest kind of change.
  const counts = before.nullCount !== after.nullCount || few !== many;
  return {
    fieldName,
    change: type ? 'type' : counts ? 'changed' : 'same',
    before,
    after,
    nullShare,
    distinct,
  };
}

/**
 * Sort key within one kind of change: the larger of the two changes. The change in distinct values
 * is capped at 1, because it is unbounded.
 */
const amountOf = ({ nullShare = 0, distinct = 0 }: ComparedField): number =>
  Math.max(Math.abs(nullShare), Math.min(1, Math.abs(distinct)));
