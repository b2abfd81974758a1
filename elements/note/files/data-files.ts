/** Rules for data files and images that are read in a note: which ones, and how. */
import { FILE_NAME_LETTERS, imageMarkdown, imageTypeOf } from '@tiding/client/model';

/** Whether the server examines a file, or makes Parquet files of it, before it is read. */
export const hasTables = (name: string): boolean =>
  /\.(?:(?:[ct]sv|json|ndjson|jsonl)(?:\.gz)?|parquet|xls[xm]|sqlite3?|db)$/i.test(name);

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
    .replace(/^(.{0,100}).*?(\.\w+(?:\.gz)?)$/u, '$1$2');

/** Whether a file is an image that Markdown can show. */
export const isImageFile = (name: string): boolean => imageTypeOf(name) !== undefined;

/** Returns the source of a paragraph that shows a file which the server need not examine. */
export function paragraphFor(path: string): string | undefined {
  if (isImageFile(path)) return `%md\n${imageMarkdown(path)}\n`;
  if (/\.arrow$/i.test(path))
    return (
      `%python\nimport pandas as pd\n\ndata = pd.read_feather('${path}')\n` +
      'display(data)\ndata.describe(include="all")\n'
    );
  return undefined;
}
