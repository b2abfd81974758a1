/** Interprets validators and their runs. Pure functions without texts. */
import type { FieldSelector, ValidatorRun } from '../validation.ts';

/** The fields that a selector selects. */
export interface SelectedFields {
  /** One field, several, or those whose name matches a pattern. */
  readonly kind: 'single' | 'list' | 'regex';
  /** Field names, for single and list. */
  readonly names: readonly string[];
  /** Regular expression, for regex. */
  readonly pattern: string;
}

/**
 * Interprets a selector. Without a type, its members decide. A pattern may also be in `fieldName`.
 * Undefined if it selects nothing.
 */
export function selectedFields(selector: FieldSelector | undefined): SelectedFields | undefined {
  if (!selector) return undefined;
  const { fieldName, fieldNames, pattern } = selector;
  const type = selector.fieldSelectorType?.toLowerCase();
  if (type === 'regex' || (type !== 'list' && type !== 'single' && pattern)) {
    const found = pattern || fieldName;
    return found ? { kind: 'regex', names: [], pattern: found } : undefined;
  }
  const names = (
    type === 'single' && fieldName ? [fieldName] : fieldNames.length > 0 ? fieldNames : [fieldName]
  ).filter((name): name is string => !!name);
  if (names.length === 0) return undefined;
  return { kind: names.length === 1 ? 'single' : 'list', names, pattern: '' };
}

const kinds = [
  'and',
  'or',
  'equals',
  'numericalRange',
  'dateRange',
  'inList',
  'regex',
  'lookup',
  'sql',
] as const;
/** Type of a validator. */
export type ValidatorKind = (typeof kinds)[number];

/** The type of a validator, ignoring case. Undefined if unknown. */
export function validatorKind(validatorType: string | undefined): ValidatorKind | undefined {
  const type = validatorType?.toLowerCase();
  return kinds.find((kind) => kind.toLowerCase() === type);
}

/** How NULL results are counted. Default: `null`. Undefined for unknown values. */
export function nullHandling(
  onNullResult: string | undefined,
): 'null' | 'pass' | 'fail' | undefined {
  const how = (onNullResult || 'null').toLowerCase();
  return how === 'null' || how === 'pass' || how === 'fail' ? how : undefined;
}

/** A part of the rows of a run. */
export interface RunShare {
  /** Number of rows. */
  readonly count: number;
  /** Share of all three counts, 0 to 1. 0 if there are no rows. */
  readonly share: number;
}

/**
 * Number and share of rows that passed, failed, or had no result. Counts that are missing or
 * negative are 0.
 */
export function runShares(run: ValidatorRun): {
  readonly passed: RunShare;
  readonly failed: RunShare;
  readonly nulls: RunShare;
} {
  const counts = [
    run.passedValidationRowCount,
    run.failedValidationRowCount,
    run.nullValidationRowCount,
  ].map((count) => (count !== undefined && Number.isFinite(count) && count > 0 ? count : 0));
  const sum = counts.reduce((all, count) => all + count);
  // If the sum overflows, divide by 4 first. No table is that large, but the shares must stay valid
  // numbers.
  const share = (count: number) =>
    sum === 0
      ? 0
      : Number.isFinite(sum)
        ? count / sum
        : count / 4 / counts.reduce((all, each) => all + each / 4, 0);
  const [passed, failed, nulls] = counts.map((count): RunShare => ({ count, share: share(count) }));
  return { passed: passed!, failed: failed!, nulls: nulls! };
}
