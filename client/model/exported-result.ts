/** Names of files that are saved: exported results and tables. */
import { parseDate } from './date.ts';

const two = (number: number) => String(number).padStart(2, '0');

/**
 * Name of an exported result: `magpie_export`, then `_YYYYMMDD_HHmmss` of its time in UTC where it has one, then `.csv`
 * for text/csv, `.json` for application/json, else `.txt` (specification).
 */
export function exportedResultName(contentType: string, createTimestamp?: number | string): string {
  const type = contentType.split(';', 1)[0]!.trim().toLowerCase();
  const extension = type === 'text/csv' ? 'csv' : type === 'application/json' ? 'json' : 'txt';
  const date = createTimestamp === undefined ? undefined : parseDate(createTimestamp);
  const stamp = date
    ? `_${date.getUTCFullYear()}${two(date.getUTCMonth() + 1)}${two(date.getUTCDate())}_${two(date.getUTCHours())}${two(date.getUTCMinutes())}${two(date.getUTCSeconds())}`
    : '';
  return `magpie_export${stamp}.${extension}`;
}
