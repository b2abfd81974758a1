/** Two profiles of the same data set, field by field. Pure. */
import type { DataSetProfile, FieldProfile } from './profiles.ts';

/** What became of a field. */
export type FieldChange = 'added' | 'removed' | 'type' | 'changed' | 'same';

/** A field in both profiles, or in one of them. */
export interface ComparedField {
  /** Its name; one that is there twice in a profile is compared in their order. */
  readonly fieldName: string;
  /** What became of it. */
  readonly change: FieldChange;
  /** Absent: added. */
  readonly before: FieldProfile | undefined;
  /** Absent: removed. */
  readonly after: FieldProfile | undefined;
  /** Share of rows without a value after minus before, −1 to 1; absent where one of them is not known. */
  readonly nullShare: number | undefined;
  /** How many times as many different values there are, minus 1: 0.5 is half as many more; absent where one of them is not known. Infinity: there were none. */
  readonly distinct: number | undefined;
}

/** What has changed between two profiles. */
export interface ProfileComparison {
  /** Rows after minus before; absent where one of them is not known. */
  readonly rows: number | undefined;
  /** Those that changed most first: fields that came or went, then those of another type, then by share of nulls and different values, last those that are as they were. */
  readonly fields: readonly ComparedField[];
}

/** Share of the rows, 0 to 1; undefined where either is not known, or there are no rows. */
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

/** Compares two profiles; one that is not there has no fields. */
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
  // Equal ones keep their order.
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
  // Counts that went along with the rows are a change too, the smallest one.
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

/** By what fields of one kind of change are ordered: the greater of the two, at most 1 for different values, which grow without end. */
const amountOf = ({ nullShare = 0, distinct = 0 }: ComparedField): number =>
  Math.max(Math.abs(nullShare), Math.min(1, Math.abs(distinct)));
