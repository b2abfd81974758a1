/**
 * Runs validation suites: evaluates every validator of a suite on each of its fields, in one scan
 * of the table.
 */
import { randomUUID } from 'node:crypto';
import type { NarrowPayload, PayloadOf, ValidatorRun, WidgetPayload } from '@tiding/client/widgets';
import { type Engine, MetadataError } from '../contract.ts';
import { describeFields, firstRow, numericValue, type TableField, withSignal } from './fields.ts';
import {
  expressionOf,
  type RunnableValidator,
  selectFields,
  TABLE,
  type ValidationTarget,
} from './validators.ts';

/** A suite and the table to run it on. */
interface SuiteInput {
  readonly suite: string;
  readonly validators: readonly RunnableValidator[];
  readonly schemaName: string;
  readonly tableName: string;
  /** SQL that follows FROM. */
  readonly from: string;
  /**
   * Returns the SQL after FROM for a lookup table. Throws MetadataError if the table does not exist
   * or may not be read.
   */
  lookup(schemaName: string, tableName: string): string;
}

/** Row counts of a validator for one field. A run of `and` or `or` has no field. */
type CountedRun = NarrowPayload<
  PayloadOf<ValidatorRun>,
  {
    validatorName: string;
    fieldName?: string;
    state: 'Succeeded' | 'Failed';
    passedValidationRowCount: number;
    failedValidationRowCount: number;
    nullValidationRowCount: number;
  }
>;

/** Result of a suite. It fails if any row fails. */
export type SuiteResult = NarrowPayload<
  WidgetPayload<'suite-run'>,
  {
    suiteRunId: string;
    validationSuiteName: string;
    schemaName: string;
    tableName: string;
    state: 'Succeeded' | 'Failed';
    startTime: string;
    endTime: string;
    validators: readonly { readonly name: string; readonly validatorType: string }[];
    validatorRuns: readonly CountedRun[];
  }
>;

/**
 * Runs a suite. Rejects with MetadataError if a validator does not fit the table, with
 * ExecutionError and the engine's message, or with the signal's reason.
 */
export async function runSuite(
  given: Engine,
  input: SuiteInput,
  signal?: AbortSignal,
): Promise<SuiteResult> {
  const { suite, validators, schemaName, tableName, from } = input;
  if (validators.length === 0) throw new MetadataError(`Suite '${suite}' has no validators.`);
  const engine = withSignal(given, signal);
  const startTime = new Date().toISOString();
  if (validators.some(({ validatorType }) => validatorType.toLowerCase() === 'sql'))
    await engine.query('CREATE OR REPLACE TEMPORARY MACRO editdistance(a, b) AS levenshtein(a, b)');
  const target: ValidationTarget = {
    engine,
    schemaName,
    from,
    fields: await describeFields(engine, from),
    lookup: (schema, table) => input.lookup(schema, table),
  };
  const checks = await new Checks(target, validators).all();
  const results = checks.map(({ expression }, at) => `(\n${expression}\n) AS "__r${at}"`);
  const counts = checks.flatMap((_, at) => [
    `count(*) FILTER (WHERE "__r${at}")`,
    `count(*) FILTER (WHERE NOT "__r${at}")`,
    `count(*) FILTER (WHERE "__r${at}" IS NULL)`,
  ]);
  const row = await firstRow(
    engine,
    `SELECT ${counts.join(', ')} FROM (SELECT ${results.join(', ')} FROM ${from} AS ${TABLE})`,
  );
  const validatorRuns = checks.map(({ validator, field }, at) =>
    countedRun(validator, field, row.slice(at * 3, at * 3 + 3).map(numericValue)),
  );
  return {
    suiteRunId: randomUUID(),
    validationSuiteName: suite,
    schemaName,
    tableName,
    state: validatorRuns.some(({ state }) => state === 'Failed') ? 'Failed' : 'Succeeded',
    startTime,
    endTime: new Date().toISOString(),
    validators: validators.map(({ name, validatorType }) => ({ name, validatorType })),
    validatorRuns,
  };
}

/** A validator's expression for one field. */
interface Check {
  readonly validator: RunnableValidator;
  readonly field: TableField | undefined;
  readonly expression: string;
}

class Checks {
  readonly #target: ValidationTarget;
  readonly #validators: readonly RunnableValidator[];
  readonly #known = new Map<RunnableValidator, Promise<readonly Check[]>>();

  constructor(target: ValidationTarget, validators: readonly RunnableValidator[]) {
    this.#target = target;
    this.#validators = validators;
    const names = validators.map(({ name }) => name.toLowerCase());
    const twice = validators.find(({ name }, at) => names.indexOf(name.toLowerCase()) !== at);
    if (twice) throw new MetadataError(`Validator '${twice.name}' is in the suite twice.`);
  }

  async all(): Promise<Check[]> {
    const checks: Check[] = [];
    for (const validator of this.#validators) checks.push(...(await this.#of(validator, [])));
    return checks;
  }

  #of(
    validator: RunnableValidator,
    around: readonly RunnableValidator[],
  ): Promise<readonly Check[]> {
    if (around.includes(validator))
      throw new MetadataError(
        `Validator '${validator.name}' includes itself: ` +
          `${[...around, validator].map(({ name }) => name).join(', ')}.`,
      );
    let checks = this.#known.get(validator);
    if (!checks) this.#known.set(validator, (checks = this.#make(validator, around)));
    return checks;
  }

  async #make(
    validator: RunnableValidator,
    around: readonly RunnableValidator[],
  ): Promise<readonly Check[]> {
    const kind = validator.validatorType.toLowerCase();
    if (kind !== 'and' && kind !== 'or') {
      const checks: Check[] = [];
      for (const field of await selectFields(this.#target, validator))
        checks.push({
          validator,
          field,
          expression: await expressionOf(this.#target, validator, field),
        });
      return checks;
    }
    const parts: string[] = [];
    for (const name of validator.validators ?? []) {
      const part = this.#validators.find(
        (other) => other.name.toLowerCase() === name.toLowerCase(),
      );
      if (!part)
        throw new MetadataError(
          `Validator '${validator.name}': there is no validator '${name}' in the suite.`,
        );
      parts.push(
        ...(await this.#of(part, [...around, validator])).map(
          ({ expression }) => `(\n${expression}\n)`,
        ),
      );
    }
    if (parts.length === 0)
      throw new MetadataError(`Validator '${validator.name}' names no validators.`);
    return [{ validator, field: undefined, expression: parts.join(` ${kind.toUpperCase()} `) }];
  }
}

function countedRun(
  { name, onNullResult = 'null' }: RunnableValidator,
  field: TableField | undefined,
  [passed = 0, failed = 0, unknown = 0]: readonly number[],
): CountedRun {
  const place = onNullResult.toLowerCase();
  const failedValidationRowCount = failed + (place === 'fail' ? unknown : 0);
  return {
    validatorName: name,
    ...(field ? { fieldName: field.name } : {}),
    state: failedValidationRowCount > 0 ? 'Failed' : 'Succeeded',
    passedValidationRowCount: passed + (place === 'pass' ? unknown : 0),
    failedValidationRowCount,
    nullValidationRowCount: place === 'pass' || place === 'fail' ? 0 : unknown,
  };
}
