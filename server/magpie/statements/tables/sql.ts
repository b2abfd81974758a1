/**
 * SQL statements: resolves their tables, checks permissions, and passes the text to the engine
 * unchanged.
 */

import { errorText } from '../../../interpreters/sql/engine.ts';
import { quoteName } from '../../../interpreters/sql/script.ts';
import type { Item } from '../../catalogue/state.ts';
import { MetadataError } from '../../contract.ts';
import { engineError } from '../../engines.ts';
import type { StatementOf } from '../../language/statements.ts';
import type { RunStatement, StatementContext } from '../context.ts';
import { recordChange } from '../resolve-and-record.ts';
import { type LastResult, RESULT_TABLE } from '../session.ts';
import { analyseSql, type SqlUse } from './sql-tables.ts';
import {
  mappingOf,
  type ResolvedTable,
  readable,
  resolveSqlTable,
  resolveTable,
} from './tables.ts';

/** A query that passed the permission check. */
interface Permitted {
  readonly query: string;
  readonly use: SqlUse;
  readonly reads: readonly ResolvedTable[];
}

/** Sets the engine's current schema to the session's, for unqualified names. */
export async function setEngineSchema(context: StatementContext): Promise<void> {
  const schema = context.catalogue.byId(context.session.scope.schemaId);
  await context.engine.query(`USE ${quoteName(schema?.name ?? 'main')}`);
}

/** Checks that a query only reads, and that the user may read all its tables. */
export async function checkQuery(context: StatementContext, query: string): Promise<Permitted> {
  const use = await analyseSql(context.engine, query);
  if (use.kind !== 'select') throw new MetadataError('Only a query is allowed here.');
  const reads = await readable(context, use.reads);
  await setEngineSchema(context);
  return { query, use, reads };
}

/**
 * Like {@link checkQuery}, for the query behind a table. Unqualified names refer to that table's
 * schema, wherever the session is. The engine resolves them in the same way on each read, for every
 * user.
 */
export async function checkTableQuery(
  context: StatementContext,
  schema: Item,
  query: string,
): Promise<Permitted> {
  const { session } = context;
  const before = session.scope;
  session.scope = { ...before, schemaId: schema.id };
  try {
    const found = await checkQuery(context, query);
    if (found.reads.some(({ item }) => !item))
      throw new MetadataError('A table over a query cannot read temporary tables.');
    return found;
  } finally {
    session.scope = before;
  }
}

/** Names of tables, as recorded for lineage. */
export const sourceNames = (tables: readonly ResolvedTable[]): readonly string[] =>
  tables.map(({ name }) => name);

export const runSqlStatement: RunStatement<'sql'> = async (context, { query }) => {
  const use = await analyseSql(context.engine, query);
  const reads = await readable(context, use.reads);
  if (use.writes) {
    const target = await resolveSqlTable(context, use.writes, 'Write');
    const mapping = target.item && mappingOf(target.item);
    if (mapping)
      throw new MetadataError(
        `Table ${target.name} is read from ` +
          `${mapping.mappingType === 'FileSystem' ? 'files' : 'a query'}, ` +
          'so its rows cannot be changed.',
        { sql: use.writes.sql },
      );
    await setEngineSchema(context);
    await show(context, query);
    if (target.item)
      recordChange(context, target.item, use.kind[0]!.toUpperCase() + use.kind.slice(1));
    return;
  }
  await setEngineSchema(context);
  await hold(context, query, sourceNames(reads));
  await show(context, `SELECT * FROM temp.main.${quoteName(RESULT_TABLE)}`);
  context.catalogue.events.add({
    eventTime: new Date().toISOString(),
    userName: context.who.userName,
    eventType: 'Result',
    isSuccess: true,
  });
};

/** Runs a query and stores its rows as the session's last result. */
async function hold(
  context: StatementContext,
  query: string,
  sources: readonly string[],
): Promise<void> {
  const { engine, session, run } = context;
  await engine.query(
    `CREATE OR REPLACE TEMP TABLE ${quoteName(RESULT_TABLE)} AS ${query}`,
    run.signal,
    (percent) => run.progress?.(percent),
  );
  const { rows } = await engine.query(`SELECT count(*) FROM temp.main.${quoteName(RESULT_TABLE)}`);
  session.result = {
    repositoryId: session.scope.repositoryId,
    query,
    rowCount: Number(rows[0]![0]),
    sources,
  };
}

export const showLastResult = (context: StatementContext): Promise<void> =>
  show(context, `SELECT * FROM ${lastResult(context).from}`);

/** The last result of the session. Throws if there is none in this repository. */
export function lastResult({ session }: StatementContext): LastResult & { readonly from: string } {
  const { result } = session;
  if (!result) throw new MetadataError('This session has no result yet. Run a query first.');
  if (result.repositoryId !== session.scope.repositoryId)
    throw new MetadataError('The last result belongs to another repository. Run the query again.');
  return { from: `temp.main.${quoteName(RESULT_TABLE)}`, ...result };
}

/** Rows that a statement names, and what they are: a table, or a query. */
export async function namedRows(
  context: StatementContext,
  source: StatementOf<'export'>['source'],
): Promise<{ readonly from: string; readonly tableName?: string; readonly query?: string }> {
  if (source.of === 'table') {
    const { from, name } = await resolveTable(context, source.ref, 'Read');
    return { from, tableName: name };
  }
  if (source.of === 'result') {
    const { from, query } = lastResult(context);
    return { from, query };
  }
  const { query } = await checkQuery(context, source.query);
  return { from: `(${query}\n)`, query };
}

/**
 * Runs SQL that passed the permission check and shows the result: a table, or the number of changed
 * rows.
 */
async function show({ engine, emit, run, files }: StatementContext, code: string): Promise<void> {
  const running = engine.connection.run({
    code,
    limit: run.limit,
    fileFolders: [files],
    output: emit.output,
    keep: run.keep,
    signal: run.signal,
    progress: (percent) => run.progress?.(percent),
  });
  const end = await running.catch((error: unknown) => {
    throw engineError(errorText(error), code);
  });
  emit.interrupted();
  if (end.code === 'ERROR') throw engineError(end.message, code);
  run.signal.throwIfAborted();
}
