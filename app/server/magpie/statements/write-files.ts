/** Tables whose rows are files of a data source: written from a query, in one or several files, in folders by values. */
import { randomBytes } from 'node:crypto';
import { chmod, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { quoteName, quoteText } from '../../interpreters/sql-script.ts';
import type { FileDefinition, MappingDefinition, Storage } from '../catalogue/definitions.ts';
import type { Item } from '../catalogue/state.ts';
import { MetadataError } from '../contract.ts';
import type { Context } from './context.ts';
import { makeFolder, removeFiles, rootOf, within } from './sources.ts';

/** The rows while they are written. Statements cannot name it. */
const WRITTEN = '·written';
const ends = { Parquet: 'parquet', DelimitedText: 'csv', JSON: 'json' } as const;
const parquetCodecs = {
  none: 'uncompressed',
  gzip: 'gzip',
  snappy: 'snappy',
  lz4: 'lz4_raw',
  bzip2: undefined,
  deflate: undefined,
} as const;

/** What was written. */
export interface WrittenFiles {
  readonly mapping: Extract<MappingDefinition, { mappingType: 'FileSystem' }>;
  /** The columns as the query has them; files of text do not tell. */
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  /** Takes all of it away again. */
  remove(): Promise<void>;
}

/**
 * Writes the answer of a query to files of a data source: in a new folder below `file.path`, or below the schema's and table's names, so that what was there stays as it is.
 * `partitionBy` makes a folder for each value of the columns, `count` so many files (in each folder at most). Throws {@link MetadataError} on what is not available here.
 */
export async function writeFiles(
  context: Context,
  source: Item,
  query: string,
  ref: readonly [schema: string, table: string],
  {
    file = { format: 'Parquet', compression: 'gzip' },
    partitionOptions: { count = 1, partitionBy = [] } = {},
  }: Pick<Storage, 'file' | 'partitionOptions'>,
): Promise<WrittenFiles> {
  const { engine, run } = context;
  const { how, ending } = copyOptions(file);
  if (file.format === 'JSON' && partitionBy.length > 0)
    fail(
      '"partitionBy" of files of format JSON is not available on this server: Parquet and DelimitedText have it.',
    );
  const root = rootOf(context, source);
  const path = [
    ...(file.path === undefined ? ref : file.path.split('/').filter((part) => part !== '')),
    `${new Date().toISOString().replace(/\D/g, '').slice(0, 14)}-${randomBytes(4).toString('hex')}`,
  ].join('/');
  const folder = within(root, path);
  if (/[*?[\]{}]/.test(path))
    throw new MetadataError(`The path of files that are written has none of * ? [ ] { }: ${path}`);
  const written = async () =>
    (await readdir(folder, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
  const remove = async () => {
    await rm(folder, { recursive: true, force: true });
    await removeFiles(root, [folder]);
  };
  try {
    await makeFolder(context, source, folder);
    await engine.query(
      `CREATE OR REPLACE TEMP TABLE ${quoteName(WRITTEN)} AS ${query}`,
      run.signal,
    );
    const rows = `temp.main.${quoteName(WRITTEN)}`;
    const columns = (await engine.query(`DESCRIBE ${rows}`)).rows.map(([name, type]) => ({
      name: String(name),
      type: String(type),
    }));
    const by = partitionBy.map(
      (wanted) =>
        columns.find(({ name }) => name.toLowerCase() === wanted.toLowerCase())?.name ??
        fail(
          `"partitionBy" names ${wanted}, which the query does not answer: it has ${columns.map(({ name }) => name).join(', ')}.`,
        ),
    );
    if (by.length > 0 && by.length === columns.length)
      fail('"partitionBy" names all columns: one is left to stand in the files.');
    for (let part = 0; part < count; part += 1) {
      const own = count === 1 ? '' : ` WHERE rowid % ${count} = ${part}`;
      const name = `part-${String(part).padStart(4, '0')}`;
      if (by.length === 0)
        await engine.query(
          `COPY (SELECT * FROM ${rows}${own}) TO ${quoteText(join(folder, `${name}.${ending}`))} (${how.join(', ')})`,
          run.signal,
        );
      else
        await engine.query(
          `COPY (SELECT * FROM ${rows}${own}) TO ${quoteText(folder)} (${[...how, `PARTITION_BY (${by.map(quoteName).join(', ')}), WRITE_PARTITION_COLUMNS true, OVERWRITE_OR_IGNORE true, FILENAME_PATTERN ${quoteText(`${name}-`)}, FILE_EXTENSION ${quoteText(ending)}`].join(', ')})`,
          run.signal,
        );
    }
    // Without rows there are no folders; one file tells the columns.
    if (by.length > 0 && (await written()).length === 0)
      await engine.query(
        `COPY (SELECT * FROM ${rows}) TO ${quoteText(join(folder, `part-0000.${ending}`))} (${how.join(', ')})`,
        run.signal,
      );
    for (const each of await written()) await chmod(each, 0o600);
    const { compression, ...rest } = file;
    const definition: FileDefinition = {
      ...rest,
      path: `/${path}`,
      fileName: `${by.length > 0 ? '**/' : ''}*.${ending}`,
      compression,
      ...(by.length > 0 ? { partitionBy: by } : {}),
      ...(file.format === 'DelimitedText' ? { header: file.header ?? true } : {}),
    };
    return {
      mapping: {
        mappingType: 'FileSystem',
        sourceName: source.name,
        file: definition,
        isWritable: false,
      },
      columns,
      remove,
    };
  } catch (error) {
    await remove();
    throw error;
  } finally {
    await engine
      .query(`DROP TABLE IF EXISTS temp.main.${quoteName(WRITTEN)}`)
      .catch(() => undefined);
  }
}

function fail(message: string): never {
  throw new MetadataError(message);
}

function copyOptions({ format, compression, delimiter, header }: NonNullable<Storage['file']>): {
  readonly how: readonly string[];
  readonly ending: string;
} {
  if (format === 'Parquet') {
    const codec = parquetCodecs[compression as keyof typeof parquetCodecs];
    if (codec === undefined)
      fail(
        `Parquet files that are compressed as ${compression} are not available on this server: none, gzip, lz4 and snappy are.`,
      );
    if (delimiter !== undefined || header !== undefined)
      fail('"delimiter" and "header" are for files of format DelimitedText.');
    return { how: ['FORMAT parquet', `COMPRESSION ${codec}`], ending: ends.Parquet };
  }
  if (compression !== 'none' && compression !== 'gzip')
    fail(
      `Files of format ${format} that are compressed as ${compression} are not available on this server: none and gzip are.`,
    );
  const how = compression === 'gzip' ? ['COMPRESSION gzip'] : [];
  const ending = `${ends[format as keyof typeof ends]}${compression === 'gzip' ? '.gz' : ''}`;
  if (format === 'DelimitedText')
    return {
      how: [
        'FORMAT csv',
        `HEADER ${header ?? true}`,
        `DELIMITER ${quoteText(delimiter ?? ',')}`,
        ...how,
      ],
      ending,
    };
  if (delimiter !== undefined || header !== undefined)
    fail('"delimiter" and "header" are for files of format DelimitedText.');
  return { how: ['FORMAT json', ...how], ending };
}
