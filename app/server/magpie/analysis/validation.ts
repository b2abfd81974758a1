/** Runs validation suites: every validator of a suite over every field that it is about, in one scan of the table. */
import { randomUUID } from 'node:crypto';
import { MetadataError, type Engine } from '../contract.ts';
import { describeFields, numberOf, type Field } from './fields.ts';
import {
  expressionOf,
  selectFields,
  TABLE,
  type ValidationTarget,
  type Validator,
} from './validators.ts';

export type { FieldSelector, Validator } from './validators.ts';

/** What to run. */
export interface SuiteInput {
  /** Name of the suite. */
  readonly suite: string;
  readonly validators: readonly Validator[];
  readonly schemaName: string;
  readonly tableName: string;
  /** SQL that stands after FROM. */
  readonly from: string;
  /** The same for the table of a lookup; throws MetadataError where there is none, or it may not be read. */
  lookup(schemaName: string, tableName: string): string;
}

/** How many rows a validator accepted; of `and` and `or` there is one without a field. */
export interface ValidatorRun {
  readonly validatorName: string;
  readonly fieldName?: string;
  readonly state: 'Succeeded' | 'Failed';
  readonly passedValidationRowCount: number;
  readonly failedValidationRowCount: number;
  readonly nullValidationRowCount: number;
}

/** What came of a suite; it failed where any row did. */
export interface SuiteRun {
  readonly suiteRunId: string;
  readonly validationSuiteName: string;
  readonly schemaName: string;
  readonly tableName: string;
  readonly state: 'Succeeded' | 'Failed';
  readonly startTime: string;
  readonly endTime: string;
  readonly validators: readonly { readonly name: string; readonly validatorType: string }[];
  readonly validatorRuns: readonly ValidatorRun[];
}

/** Runs a suite. Rejects with MetadataError where validators and table do not fit, ExecutionError with the engine's words, or the signal's reason. */
export async function runSuite(
  engine: Engine,
  input: SuiteInput,
  signal?: AbortSignal,
): Promise<SuiteRun> {
  const { suite, validators, schemaName, tableName, from } = input;
  if (validators.length === 0) throw new MetadataError(`Suite '${suite}' has no validators.`);
  const startTime = new Date().toISOString();
  if (validators.some(({ validatorType }) => validatorType.toLowerCase() === 'sql'))
    await engine.query(
      'CREATE OR REPLACE TEMPORARY MACRO editdistance(a, b) AS levenshtein(a, b)',
      signal,
    );
  const target: ValidationTarget = {
    engine,
    schemaName,
    from,
    fields: await describeFields(engine, from, signal),
    lookup: (schema, table) => input.lookup(schema, table),
    signal,
  };
  const checks = await new Checks(target, validators).all();
  const results = checks.map(({ expression }, at) => `(\n${expression}\n) AS "__r${at}"`);
  const counts = checks.flatMap((_, at) => [
    `count(*) FILTER (WHERE "__r${at}")`,
    `count(*) FILTER (WHERE NOT "__r${at}")`,
    `count(*) FILTER (WHERE "__r${at}" IS NULL)`,
  ]);
  const row =
    (
      await engine.query(
        `SELECT ${counts.join(', ')} FROM (SELECT ${results.join(', ')} FROM ${from} AS ${TABLE})`,
        signal,
      )
    ).rows[0] ?? [];
  const validatorRuns = checks.map(({ validator, field }, at) =>
    countedRun(validator, field, row.slice(at * 3, at * 3 + 3).map(numberOf)),
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

/** An expression over the rows, and what it belongs to. */
interface Check {
  readonly validator: Validator;
  readonly field: Field | undefined;
  readonly expression: string;
}

class Checks {
  readonly #target: ValidationTarget;
  readonly #validators: readonly Validator[];
  readonly #known = new Map<Validator, Promise<readonly Check[]>>();

  constructor(target: ValidationTarget, validators: readonly Validator[]) {
    this.#target = target;
    this.#validators = validators;
    const names = validators.map(({ name }) => name.toLowerCase());
    const twice = validators.find(({ name }, at) => names.indexOf(name.toLowerCase()) !== at);
    if (twice) throw new MetadataError(`Validator '${twice.name}' stands twice in the suite.`);
  }

  async all(): Promise<Check[]> {
    const checks: Check[] = [];
    for (const validator of this.#validators) checks.push(...(await this.#of(validator, [])));
    return checks;
  }

  #of(validator: Validator, around: readonly Validator[]): Promise<readonly Check[]> {
    if (around.includes(validator))
      throw new MetadataError(
        `Validator '${validator.name}' combines itself: ${[...around, validator].map(({ name }) => name).join(', ')}.`,
      );
    let checks = this.#known.get(validator);
    if (!checks) this.#known.set(validator, (checks = this.#make(validator, around)));
    return checks;
  }

  async #make(validator: Validator, around: readonly Validator[]): Promise<readonly Check[]> {
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
  { name, onNullResult = 'null' }: Validator,
  field: Field | undefined,
  [passed = 0, failed = 0, unknown = 0]: readonly number[],
): ValidatorRun {
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
