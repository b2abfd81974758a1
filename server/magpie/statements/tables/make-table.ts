/**
 * Creates tables from fields, files, URLs, queries and results. The engine and the catalogue change
 * together or not at all.
 */
import { foldName, quoteName } from '../../../interpreters/sql/script.ts';
import { define } from '../../catalogue/definitions.ts';
import { addItem, changeItem } from '../../catalogue/edits.ts';
import type { Item } from '../../catalogue/state.ts';
import { type Engine, MetadataError, wrongName } from '../../contract.ts';
import type { Ref } from '../../language/statements.ts';
import type { StatementContext } from '../context.ts';
import { same } from '../files/databases.ts';
import { removeFiles } from '../files/sources.ts';
import { recordChange, resolveObject } from '../resolve-and-record.ts';
import { filesBehind } from './tables.ts';

export interface NewTable {
  readonly ref: Ref;
  readonly replace: boolean;
  readonly temporary: boolean;
  readonly definition: Readonly<Record<string, unknown>>;
  /**
   * Content of the table: a query, or the columns of an empty table. If `view` is true, the table
   * is a view that runs the query on each read.
   */
  readonly as: { readonly query: string; readonly view: boolean } | { readonly columns: string };
  readonly sources: readonly string[];
  /** Also delete the files of the table that is replaced. */
  readonly withDelete?: boolean;
}

/** Creates a table and returns the message for the user. */
export async function createStoredOrTemporaryTable(
  context: StatementContext,
  table: NewTable,
): Promise<string> {
  return table.temporary ? makeTemporary(context, table) : makeStored(context, table);
}

export const tableBody = (as: NewTable['as']): string =>
  'query' in as ? `AS ${as.query}` : `(${as.columns})`;

async function makeTemporary(
  { engine, session, run }: StatementContext,
  { ref, as }: NewTable,
): Promise<string> {
  if (ref.length > 1)
    throw new MetadataError(
      'A temporary table belongs to the session, not to a schema. Use a name without a schema.',
    );
  const name = ref[0]!;
  checkTableName(name);
  const before = session.temporary.get(foldName(name));
  if (before !== undefined) {
    // Temporary tables are meant to be recreated, so one of the same name is replaced.
    await engine.query(`DROP TABLE temp.main.${quoteName(before)}`);
    session.temporary.delete(foldName(name));
  }
  await engine.query(`CREATE TEMP TABLE ${quoteName(name)} ${tableBody(as)}`, run.signal);
  session.temporary.set(foldName(name), name);
  return `Created temporary table ${name}.`;
}

/** The schema that the table belongs to. */
export function schemaFor(context: StatementContext, above: Ref): Item {
  return above.length > 0
    ? resolveObject(context, 'schema', above, 'Use')
    : context.catalogue.holderFor('table', context.session.scope);
}

async function makeStored(context: StatementContext, table: NewTable): Promise<string> {
  const { catalogue, engine, session, who, run } = context;
  const name = table.ref.at(-1)!;
  checkTableName(name);
  const schema = schemaFor(context, table.ref.slice(0, -1));
  if (schema.parentId !== session.scope.repositoryId)
    throw new MetadataError(
      'The schema is in another repository. Switch to it with "use repository NAME" first.',
    );
  const existing = catalogue.child(schema.id, 'table', name);
  const before =
    existing && table.replace && catalogue.may(existing, who, 'Use') ? existing : undefined;
  if (before) catalogue.requirePermission(before, who, 'Write');
  else catalogue.requirePermission(schema, who, 'Create');
  if (existing && !before)
    throw new MetadataError(
      `There is already a table ${existing.name} in schema ${schema.name}.`,
      wrongName('table', ...table.ref),
    );
  const { files, root } =
    before && table.withDelete ? await filesBehind(context, before) : { files: [], root: '' };
  const full = `${quoteName(schema.name)}.${quoteName(name)}`;
  const kind = 'query' in table.as && table.as.view ? 'VIEW' : 'TABLE';
  await engine.query(`CREATE SCHEMA IF NOT EXISTS ${quoteName(schema.name)}`);
  const content = { definition: table.definition, sources: table.sources };
  const item = await inOneTransaction(
    context,
    async () => {
      await dropPhysical(engine, schema.name, name);
      await engine.query(`CREATE ${kind} ${full} ${tableBody(table.as)}`, run.signal);
    },
    (state) =>
      before
        ? changeItem(state, before.id, { ...content, definedBy: run.scriptBy ?? who.userName })
        : addItem(
            state,
            { type: 'table', name, parentId: schema.id, ...content, definedBy: run.scriptBy },
            who.userName,
          ),
  );
  await removeFiles(root, files);
  recordChange(context, item, before ? 'Replace' : 'Create', undefined, 'Create');
  const done = `${before ? 'Replaced' : 'Created'} table ${schema.name}.${item.name}`;
  if (files.length === 0) return `${done}.`;
  const deleted = files.length === 1 ? 'the file' : `${files.length} files`;
  return `${done} and deleted ${deleted} of the previous one.`;
}

/**
 * Runs engine DDL and a catalogue edit as one transaction. If either fails, both are rolled back.
 */
export async function inOneTransaction<T>(
  { engine, catalogue }: Pick<StatementContext, 'engine' | 'catalogue'>,
  ddl: () => Promise<unknown>,
  edit: Parameters<typeof catalogue.change<T>>[0],
): Promise<T> {
  await engine.query('BEGIN');
  try {
    await ddl();
    return await catalogue.change(edit, async () => void (await engine.query('COMMIT')));
  } catch (error) {
    await engine.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

export async function dropPhysical(engine: Engine, schema: string, name: string): Promise<void> {
  const { rows } = await engine.query(
    `SELECT 'TABLE', table_name FROM duckdb_tables()
     WHERE NOT temporary AND ${same('schema_name', schema)} AND ${same('table_name', name)}
     UNION ALL
     SELECT 'VIEW', view_name FROM duckdb_views()
     WHERE NOT temporary AND ${same('schema_name', schema)} AND ${same('view_name', name)}`,
  );
  for (const [kind, found] of rows)
    await engine.query(`DROP ${String(kind)} ${quoteName(schema)}.${quoteName(String(found))}`);
}

/** Throws if a name is not valid for a table. */
export function checkTableName(name: string): void {
  define('table', { name });
}
