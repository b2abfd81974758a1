/**
 * Data sources of type `duckdb`: their tables are read in place, from a database file that is
 * attached while the statement runs.
 */
import { realpath, stat } from 'node:fs/promises';
import { sep } from 'node:path';
import { quoteName, quoteText } from '../../../interpreters/sql/script.ts';
import type { Item } from '../../catalogue/state.ts';
import type { MappingDefinition } from '../../catalogue/table-definitions.ts';
import { ExecutionError, MetadataError, wrongName } from '../../contract.ts';
import type { StatementContext } from '../context.ts';
import { joinInside, unavailable } from './sources.ts';

/** The `expression` of a mapping that reads a database table. */
type DatabaseExpression = Extract<MappingDefinition, { mappingType: 'JDBC' }>['expression'];

/**
 * Number of statements that currently use each attached database. The last one detaches it, so that
 * other processes can write to the file.
 */
const users = new Map<string, { count: number; changing: Promise<unknown> }>();

function used(alias: string) {
  let found = users.get(alias);
  if (!found) users.set(alias, (found = { count: 0, changing: Promise.resolve() }));
  return found;
}

/**
 * Returns the file of a data source of type duckdb. Throws if the path is outside the server's
 * files.
 */
async function databaseFile({ files }: StatementContext, source: Item): Promise<string> {
  const { sourceType, path } = source.definition;
  if (sourceType !== 'duckdb')
    throw new MetadataError(
      sourceType === 'file'
        ? `Data source ${source.name} contains files, not tables. ` +
            'Read it with "mappingType": "FileSystem".'
        : unavailable(source.name, sourceType),
    );
  const file = joinInside(files, typeof path === 'string' ? path : '');
  const found = await stat(file).catch(() => undefined);
  if (!found?.isFile())
    throw new ExecutionError(
      `The database ${String(path ?? '')} of data source ${source.name} does not exist.`,
    );
  const [real, root] = await Promise.all([realpath(file), realpath(files)]);
  if (!real.startsWith(root + sep))
    throw new MetadataError(
      `The path of data source ${source.name} is outside of the server's files.`,
    );
  return file;
}

/** Condition for a column with a name, in any case. */
export const same = (column: string, name: string): string =>
  `lower(${column}) = ${quoteText(name.toLowerCase())}`;

/**
 * Returns the SQL after FROM that reads a table of a database. The database stays attached until
 * the statement ends. Only tables are allowed: a view in a file that someone else made would run
 * with the rights of the engine.
 */
export async function databaseTable(
  context: StatementContext,
  source: Item,
  expression: DatabaseExpression,
): Promise<string> {
  const { engine, session, files } = context;
  if (!('tableName' in expression))
    throw new MetadataError(
      'Database queries are not available on this server. ' +
        'Name a table instead: {"schemaName": "main", "tableName": "trips"}.',
    );
  const file = await databaseFile(context, source);
  // Each repository has its own engine, and one process can host several servers. The key therefore
  // includes the files folder and the repository.
  const alias = `·source ${source.id}`;
  const key = JSON.stringify([files, source.parentId, alias]);
  if (!session.attached.has(key)) {
    const own = used(key);
    own.count += 1;
    const done = own.changing.then(() =>
      engine.query(
        `ATTACH IF NOT EXISTS ${quoteText(file)} AS ${quoteName(alias)} (TYPE duckdb, READ_ONLY)`,
      ),
    );
    own.changing = done.catch(() => undefined);
    session.attached.set(key, async () => {
      own.count -= 1;
      const detached = own.changing.then(async () => {
        if (own.count === 0) await engine.query(`DETACH DATABASE IF EXISTS ${quoteName(alias)}`);
      });
      own.changing = detached.catch(() => undefined);
      await own.changing;
    });
    await done;
  }
  const { schemaName = 'main', tableName } = expression;
  const { rows } = await engine.query(
    `SELECT schema_name, table_name FROM duckdb_tables()
     WHERE database_name = ${quoteText(alias)}
       AND ${same('schema_name', schemaName)} AND ${same('table_name', tableName)}`,
  );
  const [schema, table] = rows[0] ?? [];
  if (schema === undefined || table === undefined)
    throw new ExecutionError(
      `There is no table ${schemaName}.${tableName} in data source ${source.name}. ` +
        'Views of a database are not available on this server.',
      wrongName('table', tableName),
    );
  return [alias, String(schema), String(table)].map(quoteName).join('.');
}
