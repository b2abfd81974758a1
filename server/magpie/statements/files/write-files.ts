/**
 * Tables whose rows are stored as files of a data source. A query is written to one or more files,
 * optionally in folders by column value.
 */
import { randomBytes } from 'node:crypto';
import { chmod, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { quoteName, quoteText } from '../../../interpreters/sql/script.ts';
import type { Item } from '../../catalogue/state.ts';
import type {
  FileDefinition,
  MappingDefinition,
  TableStorage,
} from '../../catalogue/table-definitions.ts';
import { type ErrorSubject, MetadataError, wrongName } from '../../contract.ts';
import type { StatementContext } from '../context.ts';
import { columnsOf } from './read-files.ts';
import { joinInside, makeFolder, removeFiles, rootOf } from './sources.ts';

/** Temporary table that holds the rows while they are written. Statements cannot refer to it. */
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

interface WrittenFiles {
  readonly mapping: Extract<MappingDefinition, { mappingType: 'FileSystem' }>;
  /** The columns of the query. Text files do not record column types. */
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  /** Deletes everything that was written. */
  remove(): Promise<void>;
}

/**
 * Writes the result of a query to files of a data source. The files go to a new folder below
 * `file.path`, or below the names of the schema and table, so that existing files stay unchanged.
 * `partitionBy` creates a folder for each value of the columns. `count` is the number of files (at
 * most that many per folder). Throws {@link MetadataError} if an option is not available on this
 * server.
 */
export async function writeFiles(
  context: StatementContext,
  source: Item,
  query: string,
  ref: readonly [schema: string, table: string],
  {
    file = { format: 'Parquet', compression: 'gzip' },
    partitionOptions: { count = 1, partitionBy = [] } = {},
  }: Pick<TableStorage, 'file' | 'partitionOptions'>,
): Promise<WrittenFiles> {
  const { engine, run } = context;
  const { how, ending } = copyOptions(file);
  if (file.format === 'JSON' && partitionBy.length > 0)
    fail(
      '"partitionBy" is not available on this server for files of format JSON. ' +
        'Use Parquet or DelimitedText.',
    );
  const root = rootOf(context, source);
  const path = [
    ...(file.path === undefined ? ref : file.path.split('/').filter((part) => part !== '')),
    `${new Date().toISOString().replace(/\D/g, '').slice(0, 14)}-${randomBytes(4).toString('hex')}`,
  ].join('/');
  const folder = joinInside(root, path);
  if (/[*?[\]{}]/.test(path))
    throw new MetadataError(`The path of files to write cannot contain * ? [ ] { }: ${path}`);
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
    const columns = await columnsOf(engine, rows);
    const by = partitionBy.map(
      (wanted) =>
        columns.find(({ name }) => name.toLowerCase() === wanted.toLowerCase())?.name ??
        fail(
          `"partitionBy" names ${wanted}, which is not a column of the query. ` +
            `Its columns are ${columns.map(({ name }) => name).join(', ')}.`,
          wrongName('partitionBy', wanted),
        ),
    );
    if (by.length > 0 && by.length === columns.length)
      fail('"partitionBy" cannot name all columns: at least one must remain.');
    const copy = (to: string, options: readonly string[], where = '') =>
      engine.query(
        `COPY (SELECT * FROM ${rows}${where}) TO ${quoteText(to)} (${options.join(', ')})`,
        run.signal,
      );
    for (let part = 0; part < count; part += 1) {
      const own = count === 1 ? '' : ` WHERE rowid % ${count} = ${part}`;
      const name = `part-${String(part).padStart(4, '0')}`;
      if (by.length === 0) await copy(join(folder, `${name}.${ending}`), how, own);
      else {
        const partitions = [
          `PARTITION_BY (${by.map(quoteName).join(', ')})`,
          'WRITE_PARTITION_COLUMNS true',
          'OVERWRITE_OR_IGNORE true',
          `FILENAME_PATTERN ${quoteText(`${name}-`)}`,
          `FILE_EXTENSION ${quoteText(ending)}`,
        ];
        await copy(folder, [...how, ...partitions], own);
      }
    }
    // An empty result creates no partition folders. One empty file still records the columns.
    if (by.length > 0 && (await written()).length === 0)
      await copy(join(folder, `part-0000.${ending}`), how);
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

function fail(message: string, subject?: ErrorSubject): never {
  throw new MetadataError(message, subject);
}

/** Throws if options of files are given for rows that are stored in the engine. */
export function refuseFiles({ file, partitionOptions }: Partial<TableStorage>): void {
  if (partitionOptions !== undefined || file !== undefined)
    fail(
      `${partitionOptions === undefined ? '"file"' : '"partitionOptions"'} needs ` +
        '"dataSourceName": without it the rows are stored in the engine, where this is not ' +
        'available on this server.',
    );
}

/** The engine's name of a compression of Parquet files. */
export function parquetCodec(compression: string): string {
  const codecs: Readonly<Record<string, string | undefined>> = parquetCodecs;
  return (
    (Object.hasOwn(codecs, compression) ? codecs[compression] : undefined) ??
    fail(
      `Parquet files with compression ${compression} are not available on this server. ` +
        'Use none, gzip, lz4 or snappy.',
      { member: ['compression'] },
    )
  );
}

function copyOptions({
  format,
  compression,
  delimiter,
  header,
}: NonNullable<TableStorage['file']>): {
  readonly how: readonly string[];
  readonly ending: string;
} {
  if (format !== 'DelimitedText' && (delimiter !== undefined || header !== undefined))
    fail('"delimiter" and "header" apply only to files of format DelimitedText.');
  if (format === 'Parquet')
    return {
      how: ['FORMAT parquet', `COMPRESSION ${parquetCodec(compression)}`],
      ending: ends.Parquet,
    };
  if (compression !== 'none' && compression !== 'gzip')
    fail(
      `Files of format ${format} with compression ${compression} are not available on this ` +
        'server. Use none or gzip.',
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
  return { how: ['FORMAT json', ...how], ending };
}
