import { formatDate } from '../text/date-format.ts';
import { parseDate } from '../text/date-parser.ts';

const extensions = new Map([
  ['text/csv', 'csv'],
  ['application/json', 'json'],
  ['application/vnd.apache.parquet', 'parquet'],
]);

/**
 * Returns the file name of an exported result: `magpie_export`, then `_YYYYMMDD_HHmmss` in UTC if
 * it has a timestamp, then `.csv` for text/csv, `.json` for application/json, otherwise `.txt`
 * (specification). The specification has no binary formats: a Parquet file ends in `.parquet`.
 */
export function exportedResultName(contentType: string, createTimestamp?: number | string): string {
  const type = contentType.split(';', 1)[0]!.trim().toLowerCase();
  const extension = extensions.get(type) ?? 'txt';
  const date = createTimestamp === undefined ? undefined : parseDate(createTimestamp);
  const stamp = date ? formatDate(date, '_YYYYMMDD_HHmmss', { utc: true }) : '';
  return `magpie_export${stamp}.${extension}`;
}
