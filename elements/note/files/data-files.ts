/** Rules for data files and images that are read in a note: which ones, and how. */
import { FILE_NAME_LETTERS, imageMarkdown, imageTypeOf } from '@tiding/client/model';
import { profileSql } from './profile-sql.ts';

const extensionOf = (name: string): string => /\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? '';

/** Whether the server examines a file, or makes Parquet files of it, before it is read. */
export const hasTables = (name: string): boolean =>
  ['csv', 'tsv', 'xlsx', 'xlsm', 'sqlite', 'sqlite3', 'db'].includes(extensionOf(name));

/** Whether a paragraph can read a file. */
export const isDataFile = (name: string): boolean =>
  hasTables(name) || paragraphFor(name) !== undefined;

/** Returns a file name that is safe on the server and inside quotes. */
export const plainName = (name: string): string =>
  name
    .normalize()
    .replace(new RegExp(`[^${FILE_NAME_LETTERS}]+`, 'gu'), '_')
    .replace(/^[\p{M}\p{P}\p{Join_Control} ]+/u, '')
    .replace(/\.{2,}/g, '.')
    .replace(/^(.{0,100}).*(\.\w+)$/u, '$1$2');

/** Functions of SQL that read a file, by its ending. */
const READERS: Readonly<Record<string, string>> = {
  json: 'read_json',
  ndjson: 'read_json',
  parquet: 'read_parquet',
};

/** Returns the SQL that reads a data file; `undefined` if SQL can't. */
export function sourceOf(path: string): string | undefined {
  const extension = extensionOf(path);
  const reader = Object.hasOwn(READERS, extension) ? READERS[extension] : undefined;
  return reader === undefined ? undefined : `from ${reader}('${path}')`;
}

/** Whether a file is an image that Markdown can show. */
export const isImageFile = (name: string): boolean => imageTypeOf(name) !== undefined;

/**
 * Returns the source of a paragraph that shows an image, or the first rows of a data file and a
 * profile of its columns: type, range, distinct values, missing values. `undefined` for unsupported
 * file types.
 *
 * @param cells approximate number of cells
 * @param rows the SQL that reads the file
 */
export function paragraphFor(
  path: string,
  cells?: number,
  rows = sourceOf(path),
): string | undefined {
  if (isImageFile(path)) return `%md\n${imageMarkdown(path)}\n`;
  if (extensionOf(path) === 'arrow')
    return (
      `%python\nimport pandas as pd\n\ndata = pd.read_feather('${path}')\n` +
      'display(data)\ndata.describe(include="all")\n'
    );
  if (rows === undefined) return undefined;
  return `%sql\nselect * ${rows} limit 1000;\n\n-- The columns\n${profileSql(rows, cells)}\n`;
}
