/** Rules of validation, as far as they can be told without words. Pure. */
import type { FieldSelector, ValidatorRun } from './validation.ts';

/** How a selector picks fields. */
export interface SelectedFields {
  /** One field, some, or those whose name matches. */
  readonly kind: 'single' | 'list' | 'regex';
  /** Of single and list. */
  readonly names: readonly string[];
  /** Of regex. */
  readonly pattern: string;
}

/** What a selector picks; where its type is missing, what it has tells. A pattern may stand in `fieldName`. Undefined: nothing is said. */
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

/** What a validator is. */
export type ValidatorKind =
  | 'and'
  | 'or'
  | 'equals'
  | 'numericalRange'
  | 'dateRange'
  | 'inList'
  | 'regex'
  | 'lookup'
  | 'sql';
const kinds: readonly ValidatorKind[] = [
  'and',
  'or',
  'equals',
  'numericalRange',
  'dateRange',
  'inList',
  'regex',
  'lookup',
  'sql',
];

/** The kind of a validator, in upper or lower case; undefined for others than those that are known. */
export function validatorKind(validatorType: string | undefined): ValidatorKind | undefined {
  const type = validatorType?.toLowerCase();
  return kinds.find((kind) => kind.toLowerCase() === type);
}

/** Where NULL is counted: as null where nothing is said; undefined for words that are not known. */
export function nullHandling(
  onNullResult: string | undefined,
): 'null' | 'pass' | 'fail' | undefined {
  const how = (onNullResult || 'null').toLowerCase();
  return how === 'null' || how === 'pass' || how === 'fail' ? how : undefined;
}

/** Some of the rows of a run. */
export interface RunShare {
  /** Rows. */
  readonly count: number;
  /** 0 to 1 of all three counts; 0 where there are no rows. */
  readonly share: number;
}

/** How many rows passed, failed, and were neither. Counts that are missing or below 0 are 0. */
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
  // Quarters of what is too much to be added: beyond any table, and still no hole in a sentence.
  const share = (count: number) =>
    sum === 0
      ? 0
      : Number.isFinite(sum)
        ? count / sum
        : count / 4 / counts.reduce((all, each) => all + each / 4, 0);
  const [passed, failed, nulls] = counts.map((count): RunShare => ({ count, share: share(count) }));
  return { passed: passed!, failed: failed!, nulls: nulls! };
}
