/** Validators as expressions of SQL, one for each field that they are about. */
import { MetadataError, type Engine } from '../contract.ts';
import { requireExpression, withColumn } from './expression.ts';
import { describeFields, quoteName, quoteText, type Family, type Field } from './fields.ts';

/** Which fields. */
export interface FieldSelector {
  readonly fieldSelectorType: string;
  /** Of `Single`; also the pattern of `Regex`. */
  readonly fieldName?: string | undefined;
  /** Of `List`. */
  readonly fieldNames?: readonly string[] | undefined;
  /** Of `Regex`. */
  readonly pattern?: string | undefined;
}

/** A validator as it is defined; which members it has depends on its type. */
export interface Validator {
  readonly validatorType: string;
  readonly name: string;
  readonly fields?: FieldSelector | undefined;
  /** Where rows count for which it is neither true nor false: `null`, `pass` or `fail`. */
  readonly onNullResult?: string | undefined;
  /** Names of those that `and` and `or` combine. */
  readonly validators?: readonly string[] | undefined;
  readonly value?: number | undefined;
  readonly lowerBound?: number | null | undefined;
  readonly upperBound?: number | null | undefined;
  readonly lowerBoundInclusive?: boolean | undefined;
  readonly upperBoundInclusive?: boolean | undefined;
  /** Instants: ISO-8601 text or ms since 1970. */
  readonly from?: string | number | null | undefined;
  readonly to?: string | number | null | undefined;
  readonly validValues?: readonly string[] | undefined;
  readonly isNot?: boolean | undefined;
  readonly castFields?: boolean | undefined;
  readonly pattern?: string | undefined;
  readonly lookupTable?: string | undefined;
  readonly lookupColumn?: string | undefined;
  readonly lookupTableSchema?: string | undefined;
  readonly caseSensitive?: boolean | undefined;
  readonly sql?: string | undefined;
}

/** What expressions are made for. */
export interface ValidationTarget {
  readonly engine: Engine;
  readonly schemaName: string;
  /** SQL that stands after FROM. */
  readonly from: string;
  readonly fields: readonly Field[];
  /** SQL that stands after FROM for another table. */
  lookup(schemaName: string, tableName: string): string;
  readonly signal: AbortSignal | undefined;
}

/** The name of the table in expressions. */
export const TABLE = '"__t"';

const numbers: readonly Family[] = ['integer', 'decimal'];
const times: readonly Family[] = ['date', 'timestamp'];

/** A field in an expression. Qualified: the table of a lookup may have one of the same name. */
const column = ({ name }: Field): string => `${TABLE}.${quoteName(name)}`;
const fail = ({ name }: Validator, problem: string): never => {
  throw new MetadataError(`Validator '${name}': ${problem}`);
};

/** The fields that a validator is about. Throws MetadataError for one that there is not, and for a pattern that no field has. */
export async function selectFields(
  target: ValidationTarget,
  validator: Validator,
): Promise<readonly Field[]> {
  const {
    fieldSelectorType = '',
    fieldName,
    fieldNames,
    pattern = fieldName,
  } = validator.fields ?? {};
  const named = (name: string | undefined): Field =>
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
      // The engine's patterns cannot run for ever, those of this process can.
      const names = target.fields.map(
        ({ name }) => `regexp_matches(${quoteText(name)}, ${quoteText(pattern)})`,
      );
      const row =
        (
          await checked(validator, () =>
            target.engine.query(`SELECT ${names.join(', ')}`, target.signal),
          )
        ).rows[0] ?? [];
      const found = target.fields.filter((_, at) => row[at] === true);
      return found.length > 0 ? found : fail(validator, `no field has a name like '${pattern}'.`);
    }
    default:
      return fail(validator, `a selector is Single, List or Regex, not '${fieldSelectorType}'.`);
  }
}

/** The expression of a validator for a field: true, false or NULL for each row. Throws MetadataError where they do not fit. */
export async function expressionOf(
  target: ValidationTarget,
  validator: Validator,
  field: Field,
): Promise<string> {
  const value = column(field);
  const needs = (families: readonly Family[], what: string): void => {
    if (!families.includes(field.family))
      fail(validator, `field '${field.name}' is ${field.type}, and this is about ${what}.`);
  };
  const text = (): string => {
    if (field.family !== 'text' && !validator.castFields)
      fail(
        validator,
        `field '${field.name}' is ${field.type}, and this is about text; with castFields it is read as text.`,
      );
    return `CAST(${value} AS VARCHAR)`;
  };
  switch (validator.validatorType.toLowerCase()) {
    case 'equals':
      needs(numbers, 'numbers');
      // 0.1 in single precision is not 0.1 in double.
      return `${value} = ${field.type === 'FLOAT' ? `CAST(${numeral(validator, validator.value)} AS FLOAT)` : numeral(validator, validator.value)}`;
    case 'numericalrange': {
      needs(numbers, 'numbers');
      const {
        lowerBound,
        upperBound,
        lowerBoundInclusive = true,
        upperBoundInclusive = true,
      } = validator;
      return bounds(
        value,
        [
          [`>${lowerBoundInclusive ? '=' : ''}`, lowerBound ?? undefined],
          [`<${upperBoundInclusive ? '=' : ''}`, upperBound ?? undefined],
        ].map(([sign, bound]) =>
          bound === undefined ? undefined : `${sign} ${numeral(validator, bound)}`,
        ),
      );
    }
    case 'daterange': {
      needs(times, 'dates and times');
      return bounds(
        value,
        [
          ['>=', validator.from ?? undefined],
          ['<=', validator.to ?? undefined],
        ].map(([sign, bound]) =>
          bound === undefined ? undefined : `${sign} ${instant(validator, bound, field)}`,
        ),
      );
    }
    case 'inlist': {
      const { validValues = [], isNot = false } = validator;
      if (validValues.length === 0) return `CASE WHEN ${text()} IS NOT NULL THEN ${isNot} END`;
      return `${text()} ${isNot ? 'NOT ' : ''}IN (${validValues.map(quoteText).join(', ')})`;
    }
    case 'regex': {
      const pattern = quoteText(validator.pattern ?? fail(validator, 'it has no pattern.'));
      await checked(validator, () =>
        target.engine.query(`SELECT regexp_matches('', ${pattern})`, target.signal),
      );
      return `regexp_matches(${text()}, ${pattern})`;
    }
    case 'lookup':
      return lookupExpression(target, validator, field);
    case 'sql': {
      const sql = withColumn(validator.sql ?? fail(validator, 'it has no sql.'), field.name);
      await checked(validator, () => requireExpression(target.engine, sql, target.signal));
      // In WHERE, where aggregates, which are of no row, are refused.
      const { rows } = await checked(validator, () =>
        target.engine.query(
          `DESCRIBE SELECT (\n${sql}\n) FROM ${target.from} AS ${TABLE} WHERE CAST((\n${sql}\n) AS BOOLEAN)`,
          target.signal,
        ),
      );
      return rows[0]?.[1] === 'BOOLEAN'
        ? sql
        : fail(validator, `its expression is ${String(rows[0]?.[1])} and not true or false.`);
    }
    default:
      return fail(validator, `there is no type '${validator.validatorType}'.`);
  }
}

async function lookupExpression(
  { engine, lookup, schemaName, signal }: ValidationTarget,
  validator: Validator,
  field: Field,
): Promise<string> {
  const {
    lookupTable,
    lookupColumn,
    lookupTableSchema = schemaName,
    caseSensitive = true,
  } = validator;
  if (lookupTable === undefined || lookupColumn === undefined)
    return fail(validator, 'it names no table and column to look in.');
  const from = lookup(lookupTableSchema, lookupTable);
  const other =
    (await describeFields(engine, from, signal)).find(
      ({ name }) => name.toLowerCase() === lookupColumn.toLowerCase(),
    ) ??
    fail(validator, `there is no field '${lookupColumn}' in ${lookupTableSchema}.${lookupTable}.`);
  const kind = ({ family, type }: Field): string =>
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
      `field '${field.name}' is ${field.type}, and '${other.name}' in ${lookupTableSchema}.${lookupTable} is ${other.type}.`,
    );
  if (!caseSensitive && field.family !== 'text')
    fail(
      validator,
      `field '${field.name}' is ${field.type}, and only texts have upper and lower case.`,
    );
  const plain = (sql: string): string =>
    field.family === 'text' ? `CAST(${sql} AS VARCHAR)` : sql;
  const read = (sql: string): string => (caseSensitive ? plain(sql) : `lower(${plain(sql)})`);
  const value = column(field);
  return `CASE WHEN ${value} IS NULL THEN NULL ELSE EXISTS (SELECT 1 FROM ${from} AS "__l" WHERE ${read(`"__l".${quoteName(other.name)}`)} = ${read(value)}) END`;
}

/** Comparisons that all hold; without any, every value that is there holds. */
function bounds(value: string, comparisons: readonly (string | undefined)[]): string {
  const present = comparisons.filter((comparison) => comparison !== undefined);
  return present.length === 0
    ? `CASE WHEN ${value} IS NOT NULL THEN true END`
    : present.map((comparison) => `${value} ${comparison}`).join(' AND ');
}

function numeral(validator: Validator, value: unknown): string {
  return typeof value === 'number' && Number.isFinite(value)
    ? `CAST(${quoteText(String(value))} AS DOUBLE)`
    : fail(validator, `'${String(value)}' is no number.`);
}

function instant(validator: Validator, value: string | number, { type }: Field): string {
  const date = new Date(value);
  if (Number.isNaN(date.getTime()))
    fail(validator, `'${value}' is no moment; write 2024-05-02T10:00:00Z.`);
  return `CAST(${quoteText(date.toISOString())} AS ${type === 'TIMESTAMP WITH TIME ZONE' ? type : 'TIMESTAMP'})`;
}

/** What the engine refuses of a validator is the validator's fault. */
async function checked<T>(validator: Validator, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error) || !['MetadataError', 'ExecutionError'].includes(error.name))
      throw error;
    return fail(validator, error.message.split('\n')[0] ?? error.message);
  }
}
