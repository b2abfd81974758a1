/** Payloads of validation. */
import * as z from 'zod/mini';
import { maybe, open } from '../protocol/define.ts';
import { lineage, list, named, time } from './shapes.ts';

/** Which fields: Single {fieldName}, List {fieldNames}, Regex {pattern, or fieldName}. */
export const fieldSelector = open({
  fieldSelectorType: maybe(z.string()),
  fieldName: maybe(z.string()),
  fieldNames: list(z.string()),
  pattern: maybe(z.string()),
});
/** Which fields. */
export type FieldSelector = z.infer<typeof fieldSelector>;
/** A rule for fields; what it needs goes by its type. */
export const validator = open({
  validatorType: maybe(z.string()),
  name: maybe(z.string()),
  description: maybe(z.string()),
  fields: maybe(fieldSelector),
  onNullResult: maybe(z.string()),
  validators: list(z.string()),
  value: maybe(z.number()),
  lowerBound: maybe(z.number()),
  upperBound: maybe(z.number()),
  lowerBoundInclusive: maybe(z.boolean()),
  upperBoundInclusive: maybe(z.boolean()),
  from: maybe(time),
  to: maybe(time),
  validValues: list(z.string()),
  isNot: maybe(z.boolean()),
  castFields: maybe(z.boolean()),
  pattern: maybe(z.string()),
  lookupTable: maybe(z.string()),
  lookupColumn: maybe(z.string()),
  lookupTableSchema: maybe(z.string()),
  caseSensitive: maybe(z.boolean()),
  sql: maybe(z.string()),
});
/** A rule for fields. */
export type Validator = z.infer<typeof validator>;
/** How many rows a rule let through for one field. */
export const validatorRun = open({
  validatorName: maybe(z.string()),
  fieldName: maybe(z.string()),
  state: maybe(z.string()),
  passedValidationRowCount: maybe(z.number()),
  failedValidationRowCount: maybe(z.number()),
  nullValidationRowCount: maybe(z.number()),
});
/** How many rows a rule let through for one field. */
export type ValidatorRun = z.infer<typeof validatorRun>;

const place = {
  schemaName: maybe(z.string()),
  tableName: maybe(z.string()),
  validationSuiteName: maybe(z.string()),
};
/** Of the widgets of this family. */
export const validationSchemas = {
  'validation-suite': open({
    validationSuite: maybe(named),
    validators: list(validator),
    lineage: maybe(lineage),
  }),
  validators: open({ validators: list(validator) }),
  'field-selector': fieldSelector,
  'table-validation': open({
    tableValidation: maybe(
      open({
        ...place,
        lastRun: maybe(
          open({ suiteRunId: maybe(z.string()), startTime: maybe(time), state: maybe(z.string()) }),
        ),
      }),
    ),
  }),
  'schema-validation': open({
    schemaValidation: maybe(
      open({
        schemaName: maybe(z.string()),
        tables: list(open({ tableName: maybe(z.string()), validationSuites: list(z.string()) })),
      }),
    ),
  }),
  'validated-tables': open({
    validatedTables: list(open({ ...place, state: maybe(z.string()), startTime: maybe(time) })),
  }),
  'suite-run': open({
    suiteRunId: maybe(z.string()),
    ...place,
    state: maybe(z.string()),
    startTime: maybe(time),
    endTime: maybe(time),
    validators: list(validator),
    validatorRuns: list(validatorRun),
  }),
  'validator-runs': open({ validatorRuns: list(validatorRun) }),
};
