/** Schemas of validation payloads. */
import * as z from 'zod/mini';
import { maybe, open } from '../protocol/define.ts';
import {
  lineageSchema,
  listOf,
  maybeStrings,
  named,
  namedSchema,
  span,
  time,
} from './shared/shared-schemas.ts';

/** Schema of {@link FieldSelector}. */
export const fieldSelectorSchema = open({
  ...maybeStrings('fieldSelectorType', 'fieldName'),
  fieldNames: listOf(z.string()),
  pattern: maybe(z.string()),
});
/** Selects fields: Single {fieldName}, List {fieldNames}, Regex {pattern, or fieldName}. */
export type FieldSelector = z.infer<typeof fieldSelectorSchema>;
/** Schema of {@link Validator}. */
export const validatorSchema = open({
  validatorType: maybe(z.string()),
  ...named,
  fields: maybe(fieldSelectorSchema),
  onNullResult: maybe(z.string()),
  validators: listOf(z.string()),
  value: maybe(z.number()),
  lowerBound: maybe(z.number()),
  upperBound: maybe(z.number()),
  lowerBoundInclusive: maybe(z.boolean()),
  upperBoundInclusive: maybe(z.boolean()),
  from: maybe(time),
  to: maybe(time),
  validValues: listOf(z.string()),
  isNot: maybe(z.boolean()),
  castFields: maybe(z.boolean()),
  ...maybeStrings('pattern', 'lookupTable', 'lookupColumn', 'lookupTableSchema'),
  caseSensitive: maybe(z.boolean()),
  sql: maybe(z.string()),
});
/** A validation rule. Its members depend on its type. */
export type Validator = z.infer<typeof validatorSchema>;
/** Schema of {@link ValidatorRun}. */
export const validatorRunSchema = open({
  ...maybeStrings('validatorName', 'fieldName', 'state'),
  passedValidationRowCount: maybe(z.number()),
  failedValidationRowCount: maybe(z.number()),
  nullValidationRowCount: maybe(z.number()),
});
/** Row counts of a validator for one field. */
export type ValidatorRun = z.infer<typeof validatorRunSchema>;

const place = maybeStrings('schemaName', 'tableName', 'validationSuiteName');
const suiteRun = open({
  suiteRunId: maybe(z.string()),
  ...place,
  state: maybe(z.string()),
  ...span,
  userName: maybe(z.string()),
  validators: listOf(validatorSchema),
  validatorRuns: listOf(validatorRunSchema),
});
/** Schemas of the validation widgets, by widget id. */
export const validationSchemas = {
  'validation-suite': open({
    validationSuite: maybe(namedSchema),
    validators: listOf(validatorSchema),
    lineage: maybe(lineageSchema),
  }),
  validators: open({ validators: listOf(validatorSchema) }),
  'field-selector': fieldSelectorSchema,
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
        tables: listOf(
          open({ tableName: maybe(z.string()), validationSuites: listOf(z.string()) }),
        ),
      }),
    ),
  }),
  'validated-tables': open({
    validatedTables: listOf(open({ ...place, state: maybe(z.string()), startTime: maybe(time) })),
  }),
  'suite-run': suiteRun,
  'validator-runs': open({
    validationSuiteName: maybe(z.string()),
    validatorRuns: listOf(validatorRunSchema),
    runs: listOf(suiteRun),
  }),
};
