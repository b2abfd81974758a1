/** `profile`, `discover relationships`, `validate` and `show runs`. */
import { withColumn } from '../analysis/expression.ts';
import type { ValidatorDefinition } from '../catalogue/definitions.ts';
import type { Item } from '../catalogue/state.ts';
import { ExecutionError, MetadataError } from '../contract.ts';
import type { Body, Ref, StatementOf } from '../language/statements.ts';
import type { Analysis, Context } from './context.ts';
import { validatorsOf } from './parts.ts';
import { lastResult, lookIn, permitted } from './sql.ts';
import { tablesOf } from './sql-tables.ts';
import { readable, tableOf, type Table } from './tables.ts';
import { need, use } from './uses.ts';

function analysisOf({ analysis }: Context): Analysis {
  if (!analysis)
    throw new ExecutionError(
      'Profiles, relationships and validations are not available on this server.',
    );
  return analysis;
}

/** Options of a profile. Throws on what is none. */
function profileOptions(body: Body): {
  sample?: number;
  fields?: readonly string[];
  topValues?: number;
} {
  const count = (name: 'sample' | 'topValues', most: number): number | undefined => {
    const value = body[name];
    if (value === undefined) return undefined;
    if (typeof value !== 'number' || !Number.isInteger(value) || value < 1 || value > most)
      throw new MetadataError(`"${name}" is a whole number from 1 to ${most}.`);
    return value;
  };
  const unknown = Object.keys(body).filter(
    (key) => !['sample', 'fields', 'topValues'].includes(key),
  );
  if (unknown.length > 0)
    throw new MetadataError(
      `A profile knows "sample", "fields" and "topValues", not ${unknown.join(', ')}.`,
    );
  const [sample, topValues, fields] = [
    count('sample', Number.MAX_SAFE_INTEGER),
    count('topValues', 1_000),
    body['fields'],
  ];
  if (
    fields !== undefined &&
    !(Array.isArray(fields) && fields.every((field): field is string => typeof field === 'string'))
  )
    throw new MetadataError('"fields" is a list of names.');
  return {
    ...(sample === undefined ? {} : { sample }),
    ...(topValues === undefined ? {} : { topValues }),
    ...(fields === undefined ? {} : { fields: fields as readonly string[] }),
  };
}

/** The tables of a schema that may be read. */
async function tablesOfSchema(
  context: Context,
  ref: Ref,
): Promise<{ readonly schema: Item; readonly tables: readonly Table[] }> {
  const { catalogue, who } = context;
  const schema = need(context, 'schema', ref, 'Use');
  const tables: Table[] = [];
  for (const item of catalogue.children(schema.id, 'table'))
    if (catalogue.may(item, who, 'Read'))
      tables.push(await tableOf(context, [schema.name, item.name], 'Read'));
  if (tables.length === 0)
    throw new MetadataError(`The schema ${schema.name} has no table that you may read.`);
  return { schema, tables };
}

/** Carries out `profile`. */
export async function profile(
  context: Context,
  { source, options }: StatementOf<'profile'>,
): Promise<void> {
  const analysis = analysisOf(context);
  const { engine, emit, run } = context;
  if (source.of === 'schema') {
    if (Object.keys(options).length > 0)
      throw new MetadataError(
        'The profile of a schema has no options: profile its tables one by one.',
      );
    const { schema, tables } = await tablesOfSchema(context, source.ref);
    return emit.widget(
      'schema-profile',
      await analysis.profileSchema(
        engine,
        {
          schemaName: schema.name,
          tables: tables.map(({ tableName, from }) => ({ tableName, from })),
        },
        run.signal,
      ),
    );
  }
  const chosen = profileOptions(options);
  if (source.of === 'table') {
    const { from, name } = await tableOf(context, source.ref, 'Read');
    return emit.widget(
      'data-set-profile',
      await analysis.profileDataSet(engine, { from, tableName: name }, chosen, run.signal),
    );
  }
  if (source.of === 'result') {
    const { from, query } = lastResult(context);
    return emit.widget(
      'data-set-profile',
      await analysis.profileDataSet(engine, { from, query }, chosen, run.signal),
    );
  }
  const { query } = await permitted(context, source.query);
  emit.widget(
    'data-set-profile',
    await analysis.profileDataSet(engine, { from: `(${query}\n)`, query }, chosen, run.signal),
  );
}

/** Carries out `discover relationships`. */
export async function discover(
  context: Context,
  { scope, options }: StatementOf<'discover'>,
): Promise<void> {
  const analysis = analysisOf(context);
  const unknown = Object.keys(options).filter(
    (key) => !['minimumScore', 'maximumCandidates'].includes(key),
  );
  if (unknown.length > 0)
    throw new MetadataError(
      `The search for relationships knows "minimumScore" and "maximumCandidates", not ${unknown.join(', ')}.`,
    );
  const data = ({ schemaName, tableName, from }: Table) => ({ schemaName, tableName, from });
  let tables: readonly Table[];
  let between: readonly [Table, Table] | undefined;
  if ('schema' in scope) ({ tables } = await tablesOfSchema(context, scope.schema));
  else if ('left' in scope) {
    between = [
      await tableOf(context, scope.left, 'Read'),
      await tableOf(context, scope.right, 'Read'),
    ];
    tables = between;
  } else {
    const own = await tableOf(context, scope.from, 'Read');
    if (!own.item)
      throw new MetadataError('Relationships are looked for from a table of a schema.');
    const others = (await tablesOfSchema(context, [own.schemaName])).tables.filter(
      ({ item }) => item?.id !== own.item!.id,
    );
    const { schemaName, tableName } = own;
    return context.emit.widget(
      'relationships',
      await analysis.discoverRelationships(
        context.engine,
        { tables: [own, ...others].map(data), of: { schemaName, tableName } },
        options,
        context.run.signal,
      ),
    );
  }
  context.emit.widget(
    'relationships',
    await analysis.discoverRelationships(
      context.engine,
      { tables: tables.map(data), ...(between ? { between } : {}) },
      options,
      context.run.signal,
    ),
  );
}

/** Runs of suites that are kept. */
const KEPT_RUNS = 500;

/** Carries out `validate`: each table with all validators of the suite. */
export async function validate(
  context: Context,
  { of, ref, suite: suiteRef }: StatementOf<'validate'>,
): Promise<void> {
  const analysis = analysisOf(context);
  const suite = need(context, 'validation suite', suiteRef, 'Use');
  const validators = validatorsOf(suite);
  if (validators.length === 0)
    throw new MetadataError(
      `The suite ${suite.name} has no validators: add one with "alter validation suite ${suite.name} add validator {…}".`,
    );
  const tables =
    of === 'table'
      ? [await tableOf(context, ref, 'Read')]
      : (await tablesOfSchema(context, ref)).tables;
  await lookIn(context);
  for (const table of tables) {
    await checkReads(context, validators, table);
    const lookups = await lookupTables(context, validators, table);
    const lookup = (schema: string, name: string): string => {
      const found = lookups.get(JSON.stringify([schema, name].map((part) => part.toLowerCase())));
      if (found === undefined)
        throw new MetadataError(`There is no table ${schema}.${name} to look values up in.`);
      return found;
    };
    const run = await analysis.runSuite(
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
        ].slice(0, KEPT_RUNS),
      },
      value: undefined,
    }));
    context.emit.widget('suite-run', run);
  }
  use(context, suite, 'Use');
}

/** The tables that validators look values up in, each with Read on it. */
async function lookupTables(
  context: Context,
  validators: readonly ValidatorDefinition[],
  table: Table,
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const validator of validators) {
    if (validator.validatorType !== 'lookup') continue;
    const [schema, name] = [
      String(validator['lookupTableSchema'] ?? table.schemaName),
      String(validator['lookupTable']),
    ];
    const { from } = await tableOf(
      context,
      table.item || validator['lookupTableSchema'] !== undefined ? [schema, name] : [name],
      'Read',
    );
    found.set(JSON.stringify([schema, name].map((part) => part.toLowerCase())), from);
  }
  return found;
}

/** An expression of SQL may ask other tables: its user reads them too. */
async function checkReads(
  context: Context,
  validators: readonly ValidatorDefinition[],
  table: Table,
): Promise<void> {
  for (const validator of validators) {
    if (validator.validatorType !== 'sql') continue;
    // The text that is run, but for the name of the field.
    const expression = withColumn(String(validator['sql']), 'column');
    const { reads } = await tablesOf(
      context.engine,
      `SELECT (${expression}\n) FROM ${table.from}`,
      undefined,
    ).catch((error: Error) => {
      throw new MetadataError(
        `The expression of validator ${validator.name} is not understood: ${error.message}`,
      );
    });
    await readable(
      context,
      reads.filter(
        ({ schemaName, tableName }) =>
          !(
            schemaName?.toLowerCase() === table.schemaName.toLowerCase() &&
            tableName.toLowerCase() === table.tableName.toLowerCase()
          ),
      ),
    );
  }
}

/** Carries out `show runs of suite`: the newest run of each table, then all before. */
export async function showRuns(
  context: Context,
  { suite: ref }: StatementOf<'showRuns'>,
): Promise<void> {
  const suite = need(context, 'validation suite', ref, 'Read');
  const { catalogue, who, session } = context;
  const mayRead = (ref: Ref): boolean => {
    const table = catalogue.find({ type: 'table', ref }, session.place);
    return table !== undefined && catalogue.may(table, who, 'Read');
  };
  // A suite may be of many, and their tables are not.
  const runs = catalogue.state.suiteRuns.filter(
    ({ suiteId, userName, schemaName, tableName }) =>
      suiteId === suite.id &&
      (who.isAdmin ||
        userName === who.userName ||
        mayRead([String(schemaName), String(tableName)])),
  );
  const [newest] = runs;
  context.emit.widget('validator-runs', {
    validationSuiteName: suite.name,
    validatorRuns: newest?.['validatorRuns'] ?? [],
    runs: runs.map(({ suiteId: _, ...run }) => run),
  });
}
