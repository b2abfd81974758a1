/** Data sources that are a DuckDB file: their tables are read where they stand, attached for the time of a statement. */
import { realpath, stat } from 'node:fs/promises';
import { sep } from 'node:path';
import { quoteName, quoteText } from '../../interpreters/sql-script.ts';
import type { MappingDefinition } from '../catalogue/definitions.ts';
import type { Item } from '../catalogue/state.ts';
import { ExecutionError, MetadataError } from '../contract.ts';
import type { Context } from './context.ts';
import { unavailable, within } from './sources.ts';

/** What a mapping over a database says of its table. */
export type DatabaseExpression = Extract<MappingDefinition, { mappingType: 'JDBC' }>['expression'];

/** How many statements have a database attached; the last one detaches it, so that others may write to the file. */
const users = new Map<string, { count: number; changing: Promise<unknown> }>();

function used(alias: string) {
  let found = users.get(alias);
  if (!found) users.set(alias, (found = { count: 0, changing: Promise.resolve() }));
  return found;
}

/** The file of a data source of type duckdb. Throws on a path that leads out of the server's files. */
async function databaseFile({ files }: Context, source: Item): Promise<string> {
  const { sourceType, path } = source.definition;
  if (sourceType !== 'duckdb')
    throw new MetadataError(
      sourceType === 'file'
        ? `The data source ${source.name} has files and no tables: they are read with "mappingType": "FileSystem".`
        : unavailable(source.name, sourceType),
    );
  const file = within(files, typeof path === 'string' ? path : '');
  const found = await stat(file).catch(() => undefined);
  if (!found?.isFile())
    throw new ExecutionError(
      `There is no database ${String(path ?? '')} of data source ${source.name}.`,
    );
  const [real, root] = await Promise.all([realpath(file), realpath(files)]);
  if (!real.startsWith(root + sep))
    throw new MetadataError(
      `The path of data source ${source.name} leads out of the files of the server.`,
    );
  return file;
}

/**
 * What stands after FROM to read a table of a database, which is attached until the statement ends. Only tables: a view in a file that somebody else made would be asked with the
 * rights of the engine.
 */
export async function databaseTable(
  context: Context,
  source: Item,
  expression: DatabaseExpression,
): Promise<string> {
  const { engine, session, files } = context;
  if (!('tableName' in expression))
    throw new MetadataError(
      'Queries of a database are not available on this server: name a table of it, {"schemaName": "main", "tableName": "trips"}.',
    );
  const file = await databaseFile(context, source);
  // An engine a repository, which may not be that of another server in this process.
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
  const same = (column: string, value: string) =>
    `lower(${column}) = ${quoteText(value.toLowerCase())}`;
  const { schemaName = 'main', tableName } = expression;
  const { rows } = await engine.query(
    `SELECT schema_name, table_name FROM duckdb_tables() WHERE database_name = ${quoteText(alias)} AND ${same('schema_name', schemaName)} AND ${same('table_name', tableName)}`,
  );
  const [schema, table] = rows[0] ?? [];
  if (schema === undefined || table === undefined)
    throw new ExecutionError(
      `There is no table ${schemaName}.${tableName} in data source ${source.name}; views of a database are not available on this server.`,
    );
  return [alias, String(schema), String(table)].map(quoteName).join('.');
}
