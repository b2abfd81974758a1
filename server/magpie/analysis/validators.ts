/** Converts validators to SQL expressions, one for each selected field. */
import type { NarrowPayload, PayloadOf, Validator } from '@tiding/client/widgets';
import { type Engine, MetadataError } from '../contract.ts';
import { requireExpression, withColumn } from './expression.ts';
import {
  describeFields,
  type Family,
  firstRow,
  quoteName,
  quoteText,
  type TableField,
} from './fields.ts';

/** A validator that can be run. Its other members depend on its type. */
export type RunnableValidator = NarrowPayload<
  PayloadOf<Validator, never>,
  { validatorType: string; name: string }
>;

/** The table that expressions are built for. */
export interface ValidationTarget {
  readonly engine: Engine;
  readonly schemaName: string;
  /** SQL that follows FROM. */
  readonly from: string;
  readonly fields: readonly TableField[];
  /** Returns the SQL after FROM for another table. */
  lookup(schemaName: string, tableName: string): string;
}

/** The table's alias in expressions. */
export const TABLE = '"__t"';

const numbers: readonly Family[] = ['integer', 'decimal'];
const times: readonly Family[] = ['date', 'timestamp'];

/**
 * A field in an expression. Qualified, because a lookup table may have a field of the same name.
 */
const column = ({ name }: TableField): string => `${TABLE}.${quoteName(name)}`;
const fail = ({ name }: RunnableValidator, problem: string): never => {
  throw new MetadataError(`Validator '${name}': ${problem}`);
};

/**
 * The fields that a validator applies to. Throws MetadataError if a field does not exist, or if no
 * field matches the pattern.
 */
export async function selectFields(
  target: ValidationTarget,
  validator: RunnableValidator,
): Promise<readonly TableField[]> {
  const { fieldSelectorType = '', fieldName, fieldNames } = validator.fields ?? {};
  const { pattern = fieldName } = validator.fields ?? {};
  const named = (name: string | undefined): TableField =>
    target.fields.find((field) => field.name.toLowerCase() === name?.toLowerCase()) ??
    fail(
      validator,
      name === undefined
        ? 'its selector names no field.'
        : `there is no field '${name}' in this table.`,
    );
  switch (fieldSelectorType.toLowerCase()) {
    case 'single':
      return [named(fieldName)];
    case 'list':
      return fieldNames && fieldNames.length > 0
        ? [...new Set(fieldNames.map(named))]
        : fail(validator, 'its selector names no field.');
    case 'regex': {
      if (pattern === undefined) return fail(validator, 'its selector has no pattern.');
      // Matched by the engine, whose regular expressions always terminate in linear time.
      // JavaScript's may not.
      const names = target.fields.map(
        ({ name }) => `regexp_matches(${quoteText(name)}, ${quoteText(pattern)})`,
      );
      const sql = `SELECT ${names.join(', ')}`;
      const row = await checked(validator, () => firstRow(target.engine, sql));
      const found = target.fields.filter((_, at) => row[at] === true);
      return found.length > 0 ? found : fail(validator, `no field name matches '${pattern}'.`);
    }
    default:
      return fail(
        validator,
        `a selector must be Single, List or Regex, not '${fieldSelectorType}'.`,
      );
  }
}

/**
 * The SQL expression of a validator for a field, which is true, false or NULL for each row. Throws
 * MetadataError if the validator does not fit the field.
 */
export async function expressionOf(
  target: ValidationTarget,
  validator: RunnableValidator,
  field: TableField,
): Promise<string> {
  const value = column(field);
  const needs = (families: readonly Family[], what: string): void => {
    if (!families.includes(field.family))
      fail(validator, `field '${field.name}' is ${field.type}, but this validator needs ${what}.`);
  };
  const text = (): string => {
    if (field.family !== 'text' && !validator.castFields)
      fail(
        validator,
        `field '${field.name}' is ${field.type}, but this validator needs text. ` +
          'Set castFields to convert it.',
      );
    return `CAST(${value} AS VARCHAR)`;
  };
  switch (validator.validatorType.toLowerCase()) {
    case 'equals':
      needs(numbers, 'numbers');
      // 0.1 in single precision differs from 0.1 in double precision.
      return field.type === 'FLOAT'
        ? `${value} = CAST(${numeral(validator, validator.value)} AS FLOAT)`
        : `${value} = ${numeral(validator, validator.value)}`;
    case 'numericalrange': {
      needs(numbers, 'numbers');
      const { lowerBoundInclusive = true, upperBoundInclusive = true } = validator;
      return bounds(value, (bound) => numeral(validator, bound), [
        [lowerBoundInclusive ? '>=' : '>', validator.lowerBound],
        [upperBoundInclusive ? '<=' : '<', validator.upperBound],
      ]);
    }
    case 'daterange':
      needs(times, 'dates and times');
      return bounds(value, (bound) => instant(validator, bound, field), [
        ['>=', validator.from],
        ['<=', validator.to],
      ]);
    case 'inlist': {
      const { validValues = [], isNot = false } = validator;
      if (validValues.length === 0) return `CASE WHEN ${text()} IS NOT NULL THEN ${isNot} END`;
      return `${text()} ${isNot ? 'NOT ' : ''}IN (${validValues.map(quoteText).join(', ')})`;
    }
    case 'regex': {
      const pattern = quoteText(validator.pattern ?? fail(validator, 'it has no pattern.'));
      await checked(validator, () => target.engine.query(`SELECT regexp_matches('', ${pattern})`));
      return `regexp_matches(${text()}, ${pattern})`;
    }
    case 'lookup':
      return lookupExpression(target, validator, field);
    case 'sql': {
      const sql = withColumn(validator.sql ?? fail(validator, 'it has no sql.'), field.name);
      await checked(validator, () => requireExpression(target.engine, sql));
      // Tested in a WHERE clause, which refuses aggregates. Those have no value per row.
      const { rows } = await checked(validator, () =>
        target.engine.query(
          `DESCRIBE SELECT (\n${sql}\n) FROM ${target.from} AS ${TABLE} ` +
            `WHERE CAST((\n${sql}\n) AS BOOLEAN)`,
        ),
      );
      return rows[0]?.[1] === 'BOOLEAN'
        ? sql
        : fail(validator, `its expression is ${String(rows[0]?.[1])}, not BOOLEAN.`);
    }
    default:
      return fail(validator, `there is no validator type '${validator.validatorType}'.`);
  }
}

async function lookupExpression(
  { engine, lookup, schemaName }: ValidationTarget,
  validator: RunnableValidator,
  field: TableField,
): Promise<string> {
  const { lookupTable, lookupColumn } = validator;
  const { lookupTableSchema = schemaName, caseSensitive = true } = validator;
  if (lookupTable === undefined || lookupColumn === undefined)
    return fail(validator, 'it needs lookupTable and lookupColumn.');
  const from = lookup(lookupTableSchema, lookupTable);
  const other =
    (await describeFields(engine, from)).find(
      ({ name }) => name.toLowerCase() === lookupColumn.toLowerCase(),
    ) ??
    fail(validator, `there is no field '${lookupColumn}' in ${lookupTableSchema}.${lookupTable}.`);
  const kind = ({ family, type }: TableField): string =>
    numbers.includes(family)
      ? 'number'
      : times.includes(family)
        ? 'time'
        : family === 'other'
          ? type
          : family;
  if (kind(other) !== kind(field))
    fail(
      validator,
      `field '${field.name}' is ${field.type}, but '${other.name}' in ` +
        `${lookupTableSchema}.${lookupTable} is ${other.type}.`,
    );
  if (!caseSensitive && field.family !== 'text')
    fail(
      validator,
      `field '${field.name}' is ${field.type}, but caseSensitive applies only to text.`,
    );
  const plain = (sql: string): string =>
    field.family === 'text' ? `CAST(${sql} AS VARCHAR)` : sql;
  const read = (sql: string): string => (caseSensitive ? plain(sql) : `lower(${plain(sql)})`);
  const value = column(field);
  return (
    `CASE WHEN ${value} IS NULL THEN NULL ELSE EXISTS (SELECT 1 FROM ${from} AS "__l" ` +
    `WHERE ${read(`"__l".${quoteName(other.name)}`)} = ${read(value)}) END`
  );
}

/** Compares with the bounds that are given. Without any, every non-null value passes. */
function bounds<Bound>(
  value: string,
  literal: (bound: Bound) => string,
  comparisons: readonly (readonly [sign: string, bound: Bound | null | undefined])[],
): string {
  const present = comparisons.flatMap(([sign, bound]) =>
    bound === null || bound === undefined ? [] : [`${value} ${sign} ${literal(bound)}`],
  );
  return present.join(' AND ') || `CASE WHEN ${value} IS NOT NULL THEN true END`;
}

function numeral(validator: RunnableValidator, value: unknown): string {
  return typeof value === 'number' && Number.isFinite(value)
    ? `CAST(${quoteText(String(value))} AS DOUBLE)`
    : fail(validator, `'${String(value)}' is not a number.`);
}

function instant(
  validator: RunnableValidator,
  value: string | number,
  { type }: TableField,
): string {
  const date = new Date(value);
  if (Number.isNaN(date.getTime()))
    fail(validator, `'${value}' is not a valid time. Use the form 2024-05-02T10:00:00Z.`);
  return (
    `CAST(${quoteText(date.toISOString())} AS ` +
    `${type === 'TIMESTAMP WITH TIME ZONE' ? type : 'TIMESTAMP'})`
  );
}

/** An engine error while checking a validator is reported as an error of the validator. */
async function checked<T>(validator: RunnableValidator, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error) || !['MetadataError', 'ExecutionError'].includes(error.name))
      throw error;
    return fail(validator, error.message.split('\n')[0] ?? error.message);
  }
}
