/** `profile`, `discover relationships`, `validate` and `show runs`. */
import { withColumn } from '../analysis/expression.ts';
import { type ProfileOptions, profileDataSet, profileSchema } from '../analysis/profile.ts';
import { discoverRelationships, type RelationshipSource } from '../analysis/relationships.ts';
import { runSuite } from '../analysis/validation.ts';
import { type Item, isSameName } from '../catalogue/state.ts';
import type { ValidatorDefinition } from '../catalogue/validator-definitions.ts';
import { MetadataError, StatementError, wrongName } from '../contract.ts';
import type { Body, Ref } from '../language/statements.ts';
import type { RunStatement, StatementContext } from './context.ts';
import { acceptOnly } from './notes.ts';
import { validatorsOf } from './objects/validators.ts';
import { recordUse, resolveObject } from './resolve-and-record.ts';
import { namedRows, setEngineSchema } from './tables/sql.ts';
import { analyseSql } from './tables/sql-tables.ts';
import { type ResolvedTable, readable, resolveTable } from './tables/tables.ts';

/** Reads the options of a profile. Throws on an unknown option or an invalid value. */
function profileOptions(body: Body): ProfileOptions {
  acceptOnly('A profile', body, ['sample', 'fields', 'topValues']);
  const count = (name: 'sample' | 'topValues', most: number): number | undefined => {
    const value = body[name];
    if (value === undefined) return undefined;
    if (typeof value !== 'number' || !Number.isInteger(value) || value < 1 || value > most)
      throw new MetadataError(`"${name}" must be a whole number from 1 to ${most}.`, {
        member: [name],
      });
    return value;
  };
  const [sample, topValues] = [count('sample', Number.MAX_SAFE_INTEGER), count('topValues', 1_000)];
  const { fields } = body;
  if (
    fields !== undefined &&
    !(Array.isArray(fields) && fields.every((field): field is string => typeof field === 'string'))
  )
    throw new MetadataError('"fields" must be a list of names.', { member: ['fields'] });
  return { sample, topValues, fields };
}

/**
 * Calls `work` for each table of a schema that the user may read. A table that fails does not stop
 * the others. Returns the tables, and the names of those that failed with their errors. Throws if
 * the schema has no table that the user may read.
 */
async function forEachTable(
  context: StatementContext,
  ref: Ref,
  work?: (table: ResolvedTable) => Promise<void>,
): Promise<{
  readonly schema: Item;
  readonly tables: readonly ResolvedTable[];
  readonly failed: readonly { readonly tableName: string; readonly error: StatementError }[];
}> {
  const { catalogue, who, run } = context;
  const schema = resolveObject(context, 'schema', ref, 'Use');
  const items = catalogue
    .children(schema.id, 'table')
    .filter((item) => catalogue.may(item, who, 'Read'));
  if (items.length === 0)
    throw new MetadataError(
      `The schema ${schema.name} has no table that you may read.`,
      wrongName('schema', ...ref),
    );
  const tables: ResolvedTable[] = [];
  const failed: { tableName: string; error: StatementError }[] = [];
  for (const { name } of items) {
    try {
      const table = await resolveTable(context, [schema.name, name], 'Read');
      await work?.(table);
      tables.push(table);
    } catch (error) {
      run.signal.throwIfAborted();
      if (!(error instanceof StatementError)) throw error;
      failed.push({ tableName: name, error });
    }
  }
  return { schema, tables, failed };
}

/** The tables of a schema that the user may read. Throws if one of them cannot be read. */
async function tablesOfSchema(
  context: StatementContext,
  ref: Ref,
): Promise<readonly ResolvedTable[]> {
  const { tables, failed } = await forEachTable(context, ref);
  if (failed[0]) throw failed[0].error;
  return tables;
}

/** Carries out `profile`. */
export const runProfile: RunStatement<'profile'> = async (context, { source, options }) => {
  const { engine, emit, run } = context;
  if (source.of === 'schema') {
    if (Object.keys(options).length > 0)
      throw new MetadataError(
        'The profile of a schema has no options. Profile its tables one at a time instead.',
      );
    const { schema, tables, failed } = await forEachTable(context, source.ref);
    const { tableSummaries, ...head } = await profileSchema(
      engine,
      { schemaName: schema.name, tables },
      run.signal,
    );
    return emit.widget('schema-profile', {
      ...head,
      tableSummaries: [
        ...tableSummaries,
        ...failed.map(({ tableName, error }) => ({ tableName, error: error.message })),
      ],
    });
  }
  const chosen = profileOptions(options);
  const rows = await namedRows(context, source);
  emit.widget('data-set-profile', await profileDataSet(engine, rows, chosen, run.signal));
};

/** Carries out `discover relationships`. */
export const runDiscover: RunStatement<'discover'> = async (context, { scope, options }) => {
  acceptOnly('The search for relationships', options, ['minimumScore', 'maximumCandidates']);
  let source: RelationshipSource;
  if ('schema' in scope) source = { tables: await tablesOfSchema(context, scope.schema) };
  else if ('left' in scope) {
    const left = await resolveTable(context, scope.left, 'Read');
    const right = await resolveTable(context, scope.right, 'Read');
    source = { tables: [left, right], between: [left, right] };
  } else {
    const own = await resolveTable(context, scope.from, 'Read');
    if (!own.item)
      throw new MetadataError(
        'Relationships can only be searched for a table of a schema, not for a temporary one.',
      );
    const others = (await tablesOfSchema(context, [own.schemaName])).filter(
      ({ item }) => item?.id !== own.item!.id,
    );
    source = { tables: [own, ...others], of: own };
  }
  const { emit, engine, run } = context;
  emit.widget('relationships', await discoverRelationships(engine, source, options, run.signal));
};

/** Maximum number of suite runs to keep in the catalogue. */
const MAX_SUITE_RUNS = 500;

/** Carries out `validate`: runs all validators of the suite on each table. */
export const runValidate: RunStatement<'validate'> = async (
  context,
  { of, ref, suite: suiteRef },
) => {
  const suite = resolveObject(context, 'validation suite', suiteRef, 'Use');
  const validators = validatorsOf(suite);
  if (validators.length === 0)
    throw new MetadataError(
      `The suite ${suite.name} has no validators: add one with "alter validation suite ` +
        `${suite.name} add validator {…}".`,
      wrongName('suite', ...suiteRef),
    );
  const check = async (table: ResolvedTable): Promise<void> => {
    await setEngineSchema(context);
    await validateTable(context, suite, validators, table);
  };
  if (of === 'table') {
    const table = await resolveTable(context, ref, 'Read');
    await check(table).catch((error: unknown) => {
      if (!(error instanceof StatementError)) throw error;
      throw new StatementError(
        error.code,
        `Table ${table.name}: ${error.message}`,
        undefined,
        wrongName('table', ...ref),
      );
    });
  } else {
    const { schema, tables, failed } = await forEachTable(context, ref, check);
    for (const { tableName, error } of failed)
      context.emit.line(`Table ${schema.name}.${tableName} was not validated: ${error.message}`);
    if (tables.length === 0)
      throw new MetadataError(
        `No table of schema ${schema.name} could be validated with suite ${suite.name}.`,
        wrongName('schema', ...ref),
      );
  }
  recordUse(context, suite, 'Use');
};

/** Runs the validators of a suite on a table. Stores and shows the run. */
async function validateTable(
  context: StatementContext,
  suite: Item,
  validators: readonly ValidatorDefinition[],
  table: ResolvedTable,
): Promise<void> {
  await checkReads(context, validators, table);
  const lookups = await lookupTables(context, validators, table);
  const lookup = (schema: string, name: string): string => {
    const found = lookups.get(lookupKey(schema, name));
    if (found === undefined) throw new MetadataError(`There is no lookup table ${schema}.${name}.`);
    return found;
  };
  const run = await runSuite(
    context.engine,
    {
      suite: suite.name,
      validators,
      schemaName: table.schemaName,
      tableName: table.tableName,
      from: table.from,
      lookup,
    },
    context.run.signal,
  );
  await context.catalogue.change((state) => ({
    state: {
      ...state,
      suiteRuns: [
        { suiteId: suite.id, ...run, userName: context.who.userName },
        ...state.suiteRuns,
      ].slice(0, MAX_SUITE_RUNS),
    },
    value: undefined,
  }));
  context.emit.widget('suite-run', run);
}

const lookupKey = (schema: string, name: string): string =>
  JSON.stringify([schema.toLowerCase(), name.toLowerCase()]);

/** Resolves the tables that lookup validators refer to and requires Read on each. */
async function lookupTables(
  context: StatementContext,
  validators: readonly ValidatorDefinition[],
  table: ResolvedTable,
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const validator of validators) {
    if (validator.validatorType !== 'lookup') continue;
    const { lookupTableSchema, lookupTable: name } = validator;
    const schema = lookupTableSchema ?? table.schemaName;
    const { from } = await resolveTable(
      context,
      table.item || lookupTableSchema !== undefined ? [schema, name] : [name],
      'Read',
    );
    found.set(lookupKey(schema, name), from);
  }
  return found;
}

/** Requires Read on every other table that a SQL validator's expression refers to. */
async function checkReads(
  context: StatementContext,
  validators: readonly ValidatorDefinition[],
  table: ResolvedTable,
): Promise<void> {
  for (const validator of validators) {
    if (validator.validatorType !== 'sql') continue;
    // The same text that will run, except for the name of the field.
    const expression = withColumn(validator.sql, 'column');
    const { reads } = await analyseSql(
      context.engine,
      `SELECT (${expression}\n) FROM ${table.from}`,
    ).catch((error: Error) => {
      throw new MetadataError(
        `The expression of validator ${validator.name} is invalid: ${error.message}`,
      );
    });
    await readable(
      context,
      reads.filter(
        ({ schemaName, tableName }) =>
          !(isSameName(schemaName, table.schemaName) && isSameName(tableName, table.tableName)),
      ),
    );
  }
}

/**
 * Carries out `show runs of suite`: the validator runs of the newest suite run, then all suite
 * runs.
 */
export const showRuns: RunStatement<'showRuns'> = async (context, { suite: ref }) => {
  const suite = resolveObject(context, 'validation suite', ref, 'Read');
  const { catalogue, who, session } = context;
  const mayRead = (ref: Ref): boolean => {
    const table = catalogue.find({ type: 'table', ref }, session.scope);
    return table !== undefined && catalogue.may(table, who, 'Read');
  };
  // A user may read the suite but not every table it ran on. Runs on those tables are hidden,
  // except the user's own.
  const runs = catalogue.state.suiteRuns.filter(
    ({ suiteId, userName, schemaName, tableName }) =>
      suiteId === suite.id &&
      (who.isAdmin || userName === who.userName || mayRead([schemaName, tableName])),
  );
  const [newest] = runs;
  context.emit.widget('validator-runs', {
    validationSuiteName: suite.name,
    validatorRuns: newest?.validatorRuns ?? [],
    runs: runs.map(({ suiteId: _, ...run }) => run),
  });
};
