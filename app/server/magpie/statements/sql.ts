/** Statements of SQL: their tables are looked up and permitted, then the engine has them as they are. */
import { quoteName } from '../../interpreters/sql-script.ts';
import { SqlSession } from '../../interpreters/sql-run.ts';
import type { Item } from '../catalogue/state.ts';
import { ExecutionError, MetadataError, type Place } from '../contract.ts';
import { engineMessage } from '../engines.ts';
import type { StatementOf } from '../language/statements.ts';
import type { Context } from './context.ts';
import { RESULT_TABLE } from './session.ts';
import { tablesOf, type SqlUse } from './sql-tables.ts';
import { mappingOf, readable, tableOf, type Table } from './tables.ts';
import { changed } from './uses.ts';

/** A query that may be run. */
export interface Permitted {
  readonly query: string;
  readonly use: SqlUse;
  readonly reads: readonly Table[];
}

/** Where unqualified names are looked up from now on. */
export async function lookIn(context: Context): Promise<void> {
  const schema = context.catalogue.byId(context.session.place.schemaId);
  await context.engine.query(`USE ${quoteName(schema?.name ?? 'main')}`);
}

/** A query whose tables may all be read. Throws on anything that changes something. */
export async function permitted(
  context: Context,
  query: string,
  place?: Place,
): Promise<Permitted> {
  const use = await tablesOf(context.engine, query, place);
  if (use.kind !== 'select') throw new MetadataError('Only a query is possible here.');
  const reads = await readable(context, use.reads);
  await lookIn(context);
  return { query, use, reads };
}

/**
 * The same for the query behind a table of a schema. Names without a schema are of that one, wherever the session is: so the engine reads them each time,
 * and so they mean the same to everybody.
 */
export async function permittedIn(
  context: Context,
  schema: Item,
  query: string,
): Promise<Permitted> {
  const { session } = context;
  const before = session.place;
  session.place = { ...before, schemaId: schema.id };
  try {
    const found = await permitted(context, query);
    if (found.reads.some(({ item }) => !item))
      throw new MetadataError('A table over a query cannot read temporary tables.');
    return found;
  } finally {
    session.place = before;
  }
}

/** The names of tables, for what is made of them. */
export const sourceNames = (tables: readonly Table[]): readonly string[] =>
  tables.map(({ name }) => name);

/** Runs a statement of SQL and shows what it answers. */
export async function sql(
  context: Context,
  { query, place }: Pick<StatementOf<'sql'>, 'query' | 'place'>,
): Promise<void> {
  const use = await tablesOf(context.engine, query, place);
  const reads = await readable(context, use.reads);
  if (use.writes) {
    const target = await tableOf(
      context,
      use.writes.schemaName === undefined
        ? [use.writes.tableName]
        : [use.writes.schemaName, use.writes.tableName],
      'Write',
    );
    const mapping = target.item && mappingOf(target.item);
    if (mapping)
      throw new MetadataError(
        `The table ${target.name} is read from ${mapping.mappingType === 'FileSystem' ? 'files' : 'a query'}: its rows are not changed here.`,
      );
    await lookIn(context);
    await show(context, query);
    if (target.item) changed(context, target.item, use.kind[0]!.toUpperCase() + use.kind.slice(1));
    return;
  }
  await lookIn(context);
  await hold(context, query, sourceNames(reads));
  await show(context, `SELECT * FROM temp.main.${quoteName(RESULT_TABLE)}`);
  context.catalogue.events.add({
    eventTime: new Date().toISOString(),
    userName: context.who.userName,
    eventType: 'Result',
    isSuccess: true,
  });
}

/** Runs a query and holds all that it answers as the last result of the session. */
async function hold(context: Context, query: string, sources: readonly string[]): Promise<void> {
  const { engine, session, run } = context;
  const poll = setInterval(() => {
    const { percentage } = engine.connection.progress;
    if (percentage > 0) run.progress(Math.min(100, Math.round(percentage)));
  }, 100);
  try {
    await engine.query(
      `CREATE OR REPLACE TEMP TABLE ${quoteName(RESULT_TABLE)} AS ${query}`,
      run.signal,
    );
  } finally {
    clearInterval(poll);
  }
  const { rows } = await engine.query(`SELECT count(*) FROM temp.main.${quoteName(RESULT_TABLE)}`);
  session.result = {
    repositoryId: session.place.repositoryId,
    query,
    rowCount: Number(rows[0]![0]),
    sources,
  };
}

/** Shows the last result again. */
export const showResult = (context: Context): Promise<void> => (
  lastResult(context), show(context, `SELECT * FROM temp.main.${quoteName(RESULT_TABLE)}`)
);

/** The last result of the session. Throws where there is none in this repository. */
export function lastResult({ session }: Context): {
  readonly from: string;
  readonly query: string;
  readonly rowCount: number;
  readonly sources: readonly string[];
} {
  const { result } = session;
  if (!result)
    throw new MetadataError('There is no result yet in this session: run a query first.');
  if (result.repositoryId !== session.place.repositoryId)
    throw new MetadataError('The last result is of another repository: run the query again.');
  return { from: `temp.main.${quoteName(RESULT_TABLE)}`, ...result };
}

/** Runs SQL that may be run, and shows what comes of it: a table, or how many rows were changed. */
async function show({ engine, emit, run, files }: Context, code: string): Promise<void> {
  const session = new SqlSession(engine.connection, await import('@duckdb/node-api'));
  const end = await session.run({
    code,
    limit: run.limit,
    files,
    output: emit.output,
    keep: run.keep,
    signal: run.signal,
    progress: (percent) => run.progress(percent),
  });
  emit.interrupted();
  if (end.code === 'ERROR') throw new ExecutionError(engineMessage(end.message));
  run.signal.throwIfAborted();
}
