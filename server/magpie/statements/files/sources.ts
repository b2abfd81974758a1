/** Files of data sources: resolves paths and confines them to the folder of the source. */
import { mkdir, realpath, rm, rmdir } from 'node:fs/promises';
import { dirname, isAbsolute, join, sep } from 'node:path';
import { quoteText } from '../../../interpreters/sql/script.ts';
import type { Item } from '../../catalogue/state.ts';
import type { FileDefinition } from '../../catalogue/table-definitions.ts';
import { ExecutionError, MetadataError, wrongName } from '../../contract.ts';
import type { StatementContext } from '../context.ts';

/** The folder of a data source. Throws if the data source has no files. */
export function rootOf({ files }: Pick<StatementContext, 'files'>, source: Item): string {
  const { sourceType, rootPath } = source.definition;
  if (sourceType !== 'file')
    throw new MetadataError(
      sourceType === 'duckdb'
        ? `Data source ${source.name} is a database and has no files. ` +
            'Read its tables with "mappingType": "JDBC".'
        : unavailable(source.name, sourceType),
    );
  return joinInside(files, typeof rootPath === 'string' ? rootPath : '', 'rootPath');
}

/** Message for a data source that cannot be read on this server. */
export const unavailable = (name: string, sourceType: unknown): string =>
  `Data sources of type ${String(sourceType)} are not available on this server. ` +
  `The definition of ${name} is stored, but nothing can be read from it.`;

/** Joins a path to a folder. Throws if the result would be outside of the folder. */
export function joinInside(folder: string, path: string, what = 'The path'): string {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  if (
    parts.includes('..') ||
    /[\\\p{Cc}]/u.test(path) ||
    (isAbsolute(path) && what === 'rootPath')
  ) {
    throw new MetadataError(
      what === 'rootPath'
        ? '"rootPath" of a data source must be a folder in the files of the server, ' +
            'such as "in/daily".'
        : `${what} is outside of the data source: ${path}`,
    );
  }
  return join(folder, ...parts);
}

/** The absolute path of a file or glob pattern in a data source. */
export function dataSourceFilePath(
  context: Pick<StatementContext, 'files'>,
  source: Item,
  { path, fileName }: Pick<FileDefinition, 'path' | 'fileName'>,
): string {
  return joinInside(joinInside(rootOf(context, source), path), fileName);
}

/**
 * Lists the files that match a pattern, which the statement may have `named` in another form.
 * Throws {@link ExecutionError} if there are none, and {@link MetadataError} if a link leads out of
 * the data source.
 */
export async function filesOf(
  context: Pick<StatementContext, 'files' | 'engine'>,
  source: Item,
  pattern: string,
  named = pattern,
): Promise<readonly string[]> {
  const { rows } = await context.engine
    .query(`SELECT file FROM glob(${quoteText(pattern)}) ORDER BY file`)
    .catch((error: Error) => {
      // The engine also refuses links that lead out of the server's files.
      throw error.message.startsWith('Permission Error') ? leadsOut(pattern, source) : error;
    });
  const found = rows.map(([file]) => String(file));
  if (found.length === 0)
    throw new ExecutionError(
      `There is no file ${pattern.slice(rootOf(context, source).length + 1)} in data source ` +
        `${source.name}.`,
      wrongName('file', named),
    );
  await checkLinks(context, source, found);
  return found;
}

const leadsOut = (file: string, source: Item) =>
  new MetadataError(`The file ${file.split(sep).at(-1)} is outside of data source ${source.name}.`);

/** Throws if a file is, after resolving links, outside of its data source. */
export async function checkLinks(
  context: Pick<StatementContext, 'files'>,
  source: Item,
  found: readonly string[],
): Promise<void> {
  const [root, whole] = await Promise.all([
    realpath(rootOf(context, source)).catch(() => ''),
    realpath(context.files).catch(() => ''),
  ]);
  for (const file of found) {
    const real = await realpath(file);
    if (
      root === '' ||
      !(root === whole || root.startsWith(whole + sep)) ||
      !real.startsWith(root + sep)
    )
      throw leadsOut(file, source);
  }
}

/**
 * Creates a folder in a data source. Throws if a link on the path leads out of it; nothing is
 * created outside in that case.
 */
export async function makeFolder(
  context: Pick<StatementContext, 'files'>,
  source: Item,
  folder: string,
): Promise<void> {
  const root = rootOf(context, source);
  await mkdir(root, { recursive: true, mode: 0o700 });
  const realRoot = await realpath(root);
  let at = root;
  for (const part of folder.slice(root.length).split(sep).filter(Boolean)) {
    at = join(at, part);
    await mkdir(at, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
    if (!(await realpath(at)).startsWith(realRoot + sep)) throw leadsOut(at, source);
  }
}

/** Deletes files of a data source, and the folders that are empty afterwards. */
export async function removeFiles(root: string, files: readonly string[]): Promise<void> {
  for (const file of files) await rm(file, { force: true });
  for (const folder of new Set(files.map((file) => dirname(file)))) {
    for (let each = folder; each.startsWith(root + sep); each = dirname(each)) {
      // The folder is not empty, or no longer exists.
      if (
        !(await rmdir(each).then(
          () => true,
          (error: NodeJS.ErrnoException) => error.code === 'ENOENT',
        ))
      )
        break;
    }
  }
}

/** The file format for a file extension. */
export function formatOf(path: string): FileDefinition['format'] | undefined {
  const plain = path.toLowerCase().replace(/\.(gz|bz2|zst|lz4|snappy|deflate)$/, '');
  if (/\.(csv|tsv)$/.test(plain)) return 'DelimitedText';
  if (/\.(json|jsonl|ndjson|geojson)$/.test(plain)) return 'JSON';
  if (/\.parquet$/.test(plain)) return 'Parquet';
  if (/\.orc$/.test(plain)) return 'ORC';
  return /\.(txt|text|log)$/.test(plain) ? 'text' : undefined;
}
