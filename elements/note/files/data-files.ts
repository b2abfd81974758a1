/** Rules for data files that are read in a note: which ones, and how. */

/** Endings of files that a paragraph can read, for a file field. */
export const DATA_FILE_TYPES = '.csv,.tsv,.json,.ndjson,.parquet,.arrow';

const extensionOf = (name: string): string => /\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? '';

/** Returns a file name that is safe on the server and inside quotes. */
export const plainName = (name: string): string =>
  name
    .replace(/[^\p{L}\p{N} ._()-]+/gu, '_')
    .replace(/^[^\p{L}\p{N}]+/u, '')
    .replace(/\.{2,}/g, '.')
    .replace(/^(.{0,100}).*(\.\w+)$/u, '$1$2');

/**
 * Returns the source of a paragraph that reads a data file; `undefined` for unsupported file types.
 */
export function paragraphFor(path: string): string | undefined {
  switch (extensionOf(path)) {
    case 'csv':
    case 'tsv':
      return `%sql\nselect * from read_csv('${path}') limit 1000\n`;
    case 'json':
    case 'ndjson':
      return `%sql\nselect * from read_json('${path}') limit 1000\n`;
    case 'parquet':
      return `%sql\nselect * from read_parquet('${path}') limit 1000\n`;
    case 'arrow':
      return `%python\nimport pandas as pd\n\ndata = pd.read_feather('${path}')\ndata\n`;
    default:
      return undefined;
  }
}
