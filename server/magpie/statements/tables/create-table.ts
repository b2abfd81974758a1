/** `create table`: from fields, files, URLs, queries and results. */
import { rm } from 'node:fs/promises';
import { quoteName, quoteText } from '../../../interpreters/sql/script.ts';
import {
  define,
  defineFile,
  defineStorage,
  type ObjectDefinition,
} from '../../catalogue/definitions.ts';
import { engineType, typeOfEngine } from '../../catalogue/field-types.ts';
import type { FieldDefinition, FileDefinition } from '../../catalogue/table-definitions.ts';
import { MetadataError } from '../../contract.ts';
import type { Body, Origin, Ref, StatementOf } from '../../language/statements.ts';
import type { RunStatement, StatementContext } from '../context.ts';
import { download } from '../files/download.ts';
import { fileQuery, fileReaderSql, unusedOptionsNote, withTypes } from '../files/read-files.ts';
import { formatOf } from '../files/sources.ts';
import { refuseFiles, writeFiles } from '../files/write-files.ts';
import { unknownMembersNote } from '../notes.ts';
import { resolveObject } from '../resolve-and-record.ts';
import {
  checkTableName,
  createStoredOrTemporaryTable,
  type NewTable,
  schemaFor,
} from './make-table.ts';
import { checkQuery, checkTableQuery, lastResult, sourceNames } from './sql.ts';
import { dataSourceOf, overSource } from './table-sources.ts';

/** `create table NAME from …`. */
export const createTable: RunStatement<'createTable'> = async (context, statement) => {
  const { ref, replace, temporary } = statement;
  const { cleanup, undo, words = '', ...table } = await readOrigin(context, statement);
  try {
    const made = await createStoredOrTemporaryTable(context, {
      ...table,
      ref,
      replace: replace || table.replace === true,
      temporary,
    });
    context.emit.line(made + words);
  } catch (error) {
    await undo?.();
    throw error;
  } finally {
    await cleanup?.();
  }
};

type CreateTable = StatementOf<'createTable'>;

/** Validates the options of a file, whose name tells the format unless they have one. */
const fileWith = (format: FileDefinition['format'] | undefined, options: Body, fileName: string) =>
  defineFile({ ...(format === undefined ? {} : { format }), ...options, path: '', fileName });

interface Read extends Pick<NewTable, 'as' | 'definition' | 'sources' | 'withDelete'> {
  readonly replace?: boolean;
  /** Notes to append to the message. */
  readonly words?: string;
  /** Deletes the files that were written, if creating the table fails. */
  readonly undo?: () => Promise<void>;
  readonly cleanup?: () => Promise<void>;
}

async function readOrigin(context: StatementContext, statement: CreateTable): Promise<Read> {
  const { origin, temporary } = statement;
  if (origin.from === 'sql') return readQuery(context, origin, statement);
  if (origin.from === 'result') {
    const { from, sources } = lastResult(context);
    return { as: { query: `SELECT * FROM ${from}`, view: false }, definition: {}, sources };
  }
  if (origin.from === 'url') return readUrl(context, origin.url, origin.options);
  const source = dataSourceOf(context, origin.dataSource);
  const format = formatOf(origin.path);
  const { value: file, ignored } = fileWith(format, origin.options, origin.path);
  if (format === undefined && origin.options['format'] === undefined)
    throw new MetadataError(
      `The format of ${origin.path} is not clear from its extension. ` +
        'Specify {"format": "DelimitedText"}, JSON, Parquet or text.',
    );
  const mapping = {
    mappingType: 'FileSystem',
    sourceName: source.name,
    file,
    isWritable: false,
  } as const;
  return {
    ...(await overSource(context, source, mapping, temporary)),
    definition: { persistenceMapping: mapping },
    words: unknownMembersNote(ignored) + unusedOptionsNote(file),
  };
}

/** A table from a query: stored in the engine, or as files of a data source. */
async function readQuery(
  context: StatementContext,
  { query: text, options }: Extract<Origin, { from: 'sql' }>,
  { ref, temporary, replace }: CreateTable,
): Promise<Read> {
  const { value, ignored } = defineStorage(options);
  const { description, saveMode, dataSourceName, partitionOptions, file } = value;
  if (replace && saveMode === 'Create')
    throw new MetadataError('"create or replace" and "saveMode": "Create" contradict each other.');
  const { query, reads } = await checkQuery(context, text);
  const base = {
    sources: sourceNames(reads),
    words: unknownMembersNote(ignored),
    definition: description === undefined ? {} : { description },
    ...(saveMode === undefined || saveMode === 'Create'
      ? {}
      : { replace: true, withDelete: saveMode === 'ReplaceWithDelete' }),
  };
  if (dataSourceName === undefined) {
    refuseFiles({ partitionOptions, file });
    return { ...base, as: { query, view: false } };
  }
  if (temporary)
    throw new MetadataError('The rows of a temporary table cannot be stored in a data source.');
  checkTableName(ref.at(-1)!);
  const source = resolveObject(context, 'data source', [dataSourceName], 'Write');
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
    const { as } = await overSource(context, source, mapping, false, fields);
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

const typeEndings: Readonly<Record<string, string>> = {
  'text/csv': 'csv',
  'application/json': 'json',
  'application/x-ndjson': 'ndjson',
  'application/vnd.apache.parquet': 'parquet',
  'text/tab-separated-values': 'tsv',
  'text/plain': 'csv',
};

async function readUrl(context: StatementContext, url: string, options: Body): Promise<Read> {
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
        'The format is not clear from the URL or the response. ' +
          'Specify {"format": "DelimitedText"}, JSON, Parquet or text.',
      );
    const { value: file, ignored } = fileWith(format, options, 'part');
    // The engine detects compression by file extension, and the downloaded file has none.
    const read = (path: string, of: FileDefinition): string =>
      fileReaderSql(path, of).replace(
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
      words: unknownMembersNote(ignored) + unusedOptionsNote(file),
    };
  } catch (error) {
    await cleanup();
    throw error;
  }
}

/** `create table {…}`: from fields, or over the source that the mapping describes. */
export const defineTable: RunStatement<'create'> = async (context, statement) => {
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
  context.emit.line(
    (await createStoredOrTemporaryTable(context, {
      ref,
      replace: statement.replace,
      temporary,
      definition,
      as,
      sources,
    })) +
      unknownMembersNote(ignored) +
      tableWords(value),
  );
};

/** Warns about members of a table definition that are stored but have no effect. */
function tableWords({ fields = [], persistenceMapping }: ObjectDefinition<'table'>): string {
  const long = fields.filter(({ length }) => length !== undefined).map(({ name }) => name);
  const unused =
    persistenceMapping?.mappingType === 'FileSystem'
      ? unusedOptionsNote(persistenceMapping.file)
      : '';
  return long.length === 0
    ? unused
    : `${unused} The "length" of ${long.join(', ')} is stored but not enforced.`;
}

async function rowsOf(
  context: StatementContext,
  { name, fields, persistenceMapping }: ObjectDefinition<'table'>,
  above: Ref,
  temporary: boolean,
): Promise<Pick<NewTable, 'as' | 'sources'>> {
  if (persistenceMapping?.mappingType === 'Virtual') {
    const { query, reads } = temporary
      ? await checkQuery(context, persistenceMapping.expression.query)
      : await checkTableQuery(
          context,
          schemaFor(context, above),
          persistenceMapping.expression.query,
        );
    return {
      as: { query: await withTypes(context.engine, query, fields), view: !temporary },
      sources: sourceNames(reads),
    };
  }
  if (persistenceMapping) {
    const source = resolveObject(context, 'data source', [persistenceMapping.sourceName], 'Read');
    return overSource(context, source, persistenceMapping, temporary, fields);
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
    if (seen.has(name.toLowerCase())) throw new MetadataError(`The field ${name} is listed twice.`);
    seen.add(name.toLowerCase());
  }
  return sorted
    .map(({ name, fieldType }) => `${quoteName(name)} ${engineType(fieldType) ?? 'VARCHAR'}`)
    .join(', ');
}
