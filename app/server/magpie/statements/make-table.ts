/** Making tables: of fields, files, addresses, queries and results. The engine and the catalogue change together or not at all. */
import { rm } from 'node:fs/promises';
import { foldName, quoteName, quoteText } from '../../interpreters/sql-script.ts';
import {
  define,
  defineFile,
  defineStorage,
  type Definition,
  type FieldDefinition,
  type FileDefinition,
  type MappingDefinition,
} from '../catalogue/definitions.ts';
import { addItem, changeItem } from '../catalogue/edits.ts';
import { engineType, typeOfEngine } from '../catalogue/field-types.ts';
import type { Item } from '../catalogue/state.ts';
import { ExecutionError, MetadataError, type Engine } from '../contract.ts';
import type { Body, Origin, Ref, StatementOf } from '../language/statements.ts';
import type { Context } from './context.ts';
import { databaseTable } from './databases.ts';
import { download } from './download.ts';
import {
  fileQuery,
  filesOf,
  formatOf,
  pathOf,
  reader,
  removeFiles,
  withoutEffect,
  withTypes,
  type Fields,
} from './sources.ts';
import { lastResult, permitted, permittedIn, sourceNames } from './sql.ts';
import { filesBehind } from './tables.ts';
import { need, use, changed } from './uses.ts';
import { writeFiles } from './write-files.ts';

/** A table that is to be. */
export interface NewTable {
  readonly ref: Ref;
  readonly replace: boolean;
  readonly temporary: boolean;
  readonly definition: Readonly<Record<string, unknown>>;
  /** What the engine has as the rows: a query, or the columns of an empty table. `view`: it is asked again each time. */
  readonly as: { readonly query: string; readonly view: boolean } | { readonly columns: string };
  readonly sources: readonly string[];
  /** The files of the table that is replaced go with it. */
  readonly withDelete?: boolean;
}

/** Makes a table; answers what to tell. */
export async function makeTable(context: Context, table: NewTable): Promise<string> {
  return table.temporary ? makeTemporary(context, table) : makeStored(context, table);
}

const body = (as: NewTable['as']): string => ('query' in as ? `AS ${as.query}` : `(${as.columns})`);

async function makeTemporary(
  { engine, session, run }: Context,
  { ref, as }: NewTable,
): Promise<string> {
  if (ref.length > 1)
    throw new MetadataError(
      'A temporary table is of the session and not of a schema: name it without one.',
    );
  const name = ref[0]!;
  checkTableName(name);
  const before = session.temporary.get(foldName(name));
  if (before !== undefined) {
    // As with the platform's sessions, what was meant for a moment is made again.
    await engine.query(`DROP TABLE temp.main.${quoteName(before)}`);
    session.temporary.delete(foldName(name));
  }
  await engine.query(`CREATE TEMP TABLE ${quoteName(name)} ${body(as)}`, run.signal);
  session.temporary.set(foldName(name), name);
  return `Created temporary table ${name}.`;
}

/** The schema that a table is to be in. */
function schemaFor(context: Context, above: Ref): Item {
  return above.length > 0
    ? need(context, 'schema', above, 'Use')
    : context.catalogue.holderFor('table', [], context.session.place);
}

async function makeStored(context: Context, table: NewTable): Promise<string> {
  const { catalogue, engine, session, who, run } = context;
  const name = table.ref.at(-1)!;
  checkTableName(name);
  const schema = schemaFor(context, table.ref.slice(0, -1));
  if (schema.parentId !== session.place.repositoryId)
    throw new MetadataError('The schema is in another repository: start with "use repository".');
  const existing = catalogue.child(schema.id, 'table', name);
  const before =
    existing && table.replace && catalogue.may(existing, who, 'Use') ? existing : undefined;
  if (before) catalogue.demand(before, who, 'Write');
  else catalogue.demand(schema, who, 'Create');
  if (existing && !before)
    throw new MetadataError(`There is a table ${existing.name} in schema ${schema.name} already.`);
  const { files, root } =
    before && table.withDelete ? await filesBehind(context, before) : { files: [], root: '' };
  const full = `${quoteName(schema.name)}.${quoteName(name)}`;
  const kind = 'query' in table.as && table.as.view ? 'VIEW' : 'TABLE';
  await engine.query(`CREATE SCHEMA IF NOT EXISTS ${quoteName(schema.name)}`);
  const item = await together(
    context,
    async () => {
      await dropPhysical(engine, schema.name, name);
      await engine.query(`CREATE ${kind} ${full} ${body(table.as)}`, run.signal);
    },
    (state) =>
      before
        ? changeItem(state, before.id, {
            definition: table.definition,
            sources: table.sources,
            definedBy: run.scriptBy ?? who.userName,
          })
        : addItem(
            state,
            {
              type: 'table',
              name,
              parentId: schema.id,
              definition: table.definition,
              sources: table.sources,
              definedBy: run.scriptBy,
            },
            who.userName,
          ),
  );
  await removeFiles(root, files);
  changed(context, item, before ? 'Replace' : 'Create', undefined, 'Create');
  return `${before ? 'Replaced' : 'Created'} table ${schema.name}.${item.name}${files.length === 0 ? '' : `, and removed ${files.length === 1 ? 'the file' : `${files.length} files`} of the one before`}.`;
}

/** Changes engine and catalogue in one: where one of them fails, both are as before. */
export async function together<T>(
  { engine, catalogue }: Pick<Context, 'engine' | 'catalogue'>,
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

/** Removes what the engine has under a name, table or view. */
export async function dropPhysical(engine: Engine, schema: string, name: string): Promise<void> {
  const same = (column: string, value: string) =>
    `lower(${column}) = ${quoteText(value.toLowerCase())}`;
  const { rows } = await engine.query(
    `SELECT 'TABLE', table_name FROM duckdb_tables() WHERE NOT temporary AND ${same('schema_name', schema)} AND ${same('table_name', name)} UNION ALL SELECT 'VIEW', view_name FROM duckdb_views() WHERE NOT temporary AND ${same('schema_name', schema)} AND ${same('view_name', name)}`,
  );
  for (const [kind, found] of rows)
    await engine.query(`DROP ${String(kind)} ${quoteName(schema)}.${quoteName(String(found))}`);
}

/** Throws unless a name will do for a table. */
export function checkTableName(name: string): void {
  define('table', { name });
}

/** `create table NAME from …`. */
export async function createTable(
  context: Context,
  { ref, origin, replace, temporary }: StatementOf<'createTable'>,
): Promise<void> {
  const {
    as,
    definition,
    sources,
    cleanup,
    undo,
    words = '',
    ...mode
  } = await readOrigin(context, origin, ref, temporary, replace);
  try {
    context.emit.say(
      (await makeTable(context, {
        ref,
        replace: replace || mode.replace === true,
        temporary,
        as,
        definition,
        sources,
        ...(mode.withDelete === undefined ? {} : { withDelete: mode.withDelete }),
      })) + words,
    );
  } catch (error) {
    await undo?.();
    throw error;
  } finally {
    await cleanup?.();
  }
}

interface Read extends Pick<NewTable, 'as' | 'definition' | 'sources' | 'withDelete'> {
  readonly replace?: boolean;
  /** What else is to be told. */
  readonly words?: string;
  /** Takes away what was written for a table that was not made. */
  readonly undo?: () => Promise<void>;
  readonly cleanup?: () => Promise<void>;
}

async function readOrigin(
  context: Context,
  origin: Origin,
  ref: Ref,
  temporary: boolean,
  replace: boolean,
): Promise<Read> {
  if (origin.from === 'sql')
    return readQuery(context, origin.query, origin.options, ref, temporary, replace);
  if (origin.from === 'result') {
    const { from, sources } = lastResult(context);
    return { as: { query: `SELECT * FROM ${from}`, view: false }, definition: {}, sources };
  }
  if (origin.from === 'url') return readUrl(context, origin.url, origin.options);
  const source = dataSourceOf(context, origin.dataSource);
  const format = formatOf(origin.path);
  const { value: file, ignored } = defineFile({
    ...(format === undefined ? {} : { format }),
    ...origin.options,
    path: '',
    fileName: origin.path,
  });
  if (format === undefined && origin.options['format'] === undefined)
    throw new MetadataError(
      `The ending of ${origin.path} tells no format: say {"format": "DelimitedText"}, JSON, Parquet or text.`,
    );
  const mapping = {
    mappingType: 'FileSystem',
    sourceName: source.name,
    file,
    isWritable: false,
  } as const;
  return {
    ...(await overFiles(context, source, mapping, temporary)),
    definition: { persistenceMapping: mapping },
    words: left(ignored) + withoutEffect(file),
  };
}

/** A table of what a query answers: in the engine, or in files of a data source. */
async function readQuery(
  context: Context,
  text: string,
  options: Body,
  ref: Ref,
  temporary: boolean,
  replace: boolean,
): Promise<Read> {
  const {
    value: { description, saveMode, dataSourceName, partitionOptions, file },
    ignored,
  } = defineStorage(options);
  if (replace && saveMode === 'Create')
    throw new MetadataError('"create or replace" and "saveMode": "Create" contradict each other.');
  const { query, reads } = await permitted(context, text);
  const base = {
    sources: sourceNames(reads),
    words: left(ignored),
    definition: description === undefined ? {} : { description },
    ...(saveMode === undefined || saveMode === 'Create'
      ? {}
      : { replace: true, withDelete: saveMode === 'ReplaceWithDelete' }),
  };
  if (dataSourceName === undefined) {
    if (partitionOptions !== undefined || file !== undefined)
      throw new MetadataError(
        `The rows of a table without "dataSourceName" are in the engine: ${partitionOptions === undefined ? '"file"' : '"partitionOptions"'} of those is not available on this server.`,
      );
    return { ...base, as: { query, view: false } };
  }
  if (temporary)
    throw new MetadataError(
      'The rows of a temporary table are in the engine, and not in a data source.',
    );
  checkTableName(ref.at(-1)!);
  const source = need(context, 'data source', [dataSourceName], 'Write');
  const { mapping, columns, remove } = await writeFiles(
    context,
    source,
    query,
    [schemaFor(context, ref.slice(0, -1)).name, ref.at(-1)!],
    { file, partitionOptions },
  );
  try {
    const fields = columns
      .map(({ name, type }, fieldIndex) => ({ fieldIndex, name, fieldType: typeOfEngine(type) }))
      .filter(({ fieldType }) => engineType(fieldType) !== undefined);
    const { as } = await overFiles(context, source, mapping, false, fields);
    return {
      ...base,
      as,
      definition: { ...base.definition, fields, persistenceMapping: mapping },
      undo: remove,
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** A table that reads files each time; a temporary one has read them. */
async function overFiles(
  context: Context,
  source: Item,
  mapping: Extract<MappingDefinition, { mappingType: 'FileSystem' }>,
  temporary: boolean,
  fields?: Fields,
): Promise<Pick<NewTable, 'as' | 'sources'>> {
  const pattern = pathOf(context, source, mapping.file);
  await filesOf(context, source, pattern);
  return {
    as: { query: await fileQuery(context.engine, pattern, mapping, fields), view: !temporary },
    sources: [
      `${source.name}:${[mapping.file.path, mapping.file.fileName].filter(Boolean).join('/')}`,
    ],
  };
}

/** A data source by name, or that of the session or schema, which its user may read. */
export function dataSourceOf(
  context: Context,
  name: string | undefined,
  permission: 'Read' | 'Write' = 'Read',
): Item {
  if (name !== undefined) return need(context, 'data source', [name], permission);
  const { catalogue, session } = context;
  const ofSchema = catalogue.byId(session.place.schemaId)?.definition['defaultDataSourceName'];
  const found =
    catalogue.byId(session.place.dataSourceId) ??
    (typeof ofSchema === 'string'
      ? catalogue.child(session.place.repositoryId, 'data source', ofSchema)
      : undefined);
  if (!found)
    throw new MetadataError(
      'No data source is chosen: say "in data source NAME", or start with "use data source NAME".',
    );
  catalogue.demand(found, context.who, permission);
  use(context, found, permission);
  return found;
}

const typeEndings: Readonly<Record<string, string>> = {
  'text/csv': 'csv',
  'application/json': 'json',
  'application/x-ndjson': 'ndjson',
  'application/vnd.apache.parquet': 'parquet',
  'text/tab-separated-values': 'tsv',
  'text/plain': 'csv',
};

async function readUrl(context: Context, url: string, options: Body): Promise<Read> {
  const { exports, allowPrivateAddresses, run } = context;
  const path = URL.canParse(url) ? new URL(url).pathname : url;
  const compressed = /\.(gz|zst)$/i.exec(path)?.[0] ?? '';
  const fetched = exports.temporary('part');
  const type = await download(url, fetched, {
    allowPrivate: allowPrivateAddresses,
    signal: run.signal,
  });
  const cleanup = () => rm(fetched, { force: true });
  try {
    const format = formatOf(path) ?? formatOf(`x.${typeEndings[type] ?? ''}`);
    if (format === undefined && options['format'] === undefined)
      throw new MetadataError(
        'Neither the address nor the answer tells the format: say {"format": "DelimitedText"}, JSON, Parquet or text.',
      );
    const { value: file, ignored } = defineFile({
      ...(format === undefined ? {} : { format }),
      ...options,
      path: '',
      fileName: 'part',
    });
    // The engine goes by the ending, which the part has none of.
    const read = (path: string, of: FileDefinition): string =>
      reader(path, of).replace(
        /\)$/,
        compressed === '' || of.format === 'Parquet'
          ? ')'
          : `, compression=${quoteText(compressed.toLowerCase() === '.gz' ? 'gzip' : 'zstd')})`,
      );
    return {
      as: { query: await fileQuery(context.engine, fetched, { file }, [], read), view: false },
      definition: {},
      sources: [url.split(/[?#]/)[0]!],
      cleanup,
      words: left(ignored) + withoutEffect(file),
    };
  } catch (error) {
    await cleanup();
    throw error;
  }
}

/** `create table {…}`: of fields, or over what its mapping says. */
export async function defineTable(
  context: Context,
  statement: StatementOf<'create'>,
): Promise<void> {
  const own = statement.name?.at(-1);
  const { value, ignored } = define(
    'table',
    own === undefined ? statement.body : { ...statement.body, name: own },
  );
  const { name, isTemporary, ...definition } = value;
  const above = statement.parent
    ? [statement.parent.ref.at(-1)!]
    : (statement.name?.slice(0, -1) ?? []);
  const ref = [...above, name];
  const temporary = statement.temporary || isTemporary === true;
  const { as, sources } = await rowsOf(context, value, above, temporary);
  context.emit.say(
    (await makeTable(context, {
      ref,
      replace: statement.replace,
      temporary,
      definition,
      as,
      sources,
    })) +
      left(ignored) +
      tableWords(value),
  );
}

/** What of a table's definition is kept and changes nothing. */
function tableWords({ fields = [], persistenceMapping }: Definition<'table'>): string {
  const long = fields.filter(({ length }) => length !== undefined).map(({ name }) => name);
  return `${persistenceMapping?.mappingType === 'FileSystem' ? withoutEffect(persistenceMapping.file) : ''}${long.length === 0 ? '' : ` The "length" of ${long.join(', ')} is kept, and longer values are taken.`}`;
}

/** What was left out of a definition, as a sentence. */
export const left = (ignored: readonly string[]): string =>
  ignored.length === 0 ? '' : ` Not known and left out: ${ignored.join(', ')}.`;

async function rowsOf(
  context: Context,
  { name, fields, persistenceMapping }: Definition<'table'>,
  above: Ref,
  temporary: boolean,
): Promise<Pick<NewTable, 'as' | 'sources'>> {
  if (persistenceMapping?.mappingType === 'JDBC') {
    const source = need(context, 'data source', [persistenceMapping.sourceName], 'Read');
    return {
      as: {
        query: await databaseQuery(context, source, persistenceMapping, fields),
        view: !temporary,
      },
      sources: [databaseSource(source, persistenceMapping)],
    };
  }
  if (persistenceMapping?.mappingType === 'Virtual') {
    const { query, reads } = temporary
      ? await permitted(context, persistenceMapping.expression.query)
      : await permittedIn(context, schemaFor(context, above), persistenceMapping.expression.query);
    return {
      as: { query: await withTypes(context.engine, query, fields), view: !temporary },
      sources: sourceNames(reads),
    };
  }
  if (persistenceMapping?.mappingType === 'FileSystem') {
    const source = need(context, 'data source', [persistenceMapping.sourceName], 'Read');
    return overFiles(context, source, persistenceMapping, temporary, fields);
  }
  if (!fields || fields.length === 0)
    throw new MetadataError(`The table ${name} needs "fields" or "persistenceMapping".`);
  return { as: { columns: columnsOf(fields) }, sources: [] };
}

function columnsOf(fields: readonly FieldDefinition[]): string {
  const sorted = fields.every(({ fieldIndex }) => fieldIndex !== undefined)
    ? [...fields].sort((a, b) => a.fieldIndex! - b.fieldIndex!)
    : fields;
  const seen = new Set<string>();
  for (const { name } of sorted) {
    if (seen.has(name.toLowerCase())) throw new MetadataError(`The field ${name} stands twice.`);
    seen.add(name.toLowerCase());
  }
  return sorted
    .map(({ name, fieldType }) => `${quoteName(name)} ${engineType(fieldType) ?? 'VARCHAR'}`)
    .join(', ');
}

type DatabaseMapping = Extract<MappingDefinition, { mappingType: 'JDBC' }>;

async function databaseQuery(
  context: Context,
  source: Item,
  { expression }: DatabaseMapping,
  fields?: Fields,
): Promise<string> {
  return withTypes(
    context.engine,
    `SELECT * FROM ${await databaseTable(context, source, expression)}`,
    fields,
  );
}

/** As lineage writes where the rows are from. */
const databaseSource = ({ name }: Item, { expression }: DatabaseMapping): string =>
  `${name}:${'tableName' in expression ? [expression.schemaName, expression.tableName].filter(Boolean).join('.') : ''}`;

/** Makes the engine's part of a table over files or a query anew, as its mapping says now. */
export async function remakeView(
  context: Context,
  item: Item,
  mapping: MappingDefinition,
): Promise<{ readonly view: string; readonly sources: readonly string[] }> {
  const schema = context.catalogue.byId(item.parentId)!;
  // Those that the mapping before had and this one has not are of no use any more.
  const fields = {
    known: (item.definition['fields'] as readonly FieldDefinition[] | undefined) ?? [],
  };
  const full = `${quoteName(schema.name)}.${quoteName(item.name)}`;
  if (mapping.mappingType === 'Virtual') {
    const { query, reads } = await permittedIn(context, schema, mapping.expression.query);
    if (reads.some(({ item: read }) => read!.id === item.id))
      throw new MetadataError('A table over a query cannot read itself.');
    return {
      view: `CREATE VIEW ${full} AS ${await withTypes(context.engine, query, fields)}`,
      sources: sourceNames(reads),
    };
  }
  const source = context.catalogue.child(schema.parentId, 'data source', mapping.sourceName);
  if (!source) throw new ExecutionError(`The data source ${mapping.sourceName} has been dropped.`);
  if (mapping.mappingType === 'JDBC')
    return {
      view: `CREATE VIEW ${full} AS ${await databaseQuery(context, source, mapping, fields)}`,
      sources: [databaseSource(source, mapping)],
    };
  const { as, sources } = await overFiles(context, source, mapping, false, fields);
  return { view: `CREATE VIEW ${full} ${body(as)}`, sources };
}
