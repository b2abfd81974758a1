/** Formats values of the SQL engine as text. */

import type { DuckDBDateValue, DuckDBMapValue, DuckDBValue } from '@duckdb/node-api';
import { singlePrecisionText } from '@tiding/client/model';
import type { QueryResultValue } from '../../../magpie/contract.ts';

/** The engine's type id of FLOAT, whose numbers have single precision. */
const floatType = 10;

/** Returns a formatter for the values of a column. NULL becomes the text `null`. */
export function formatterOf(typeId: number): (value: DuckDBValue) => string {
  if (typeId === floatType)
    return (value) => (typeof value === 'number' ? singlePrecisionText(value) : formatValue(value));
  return formatValue;
}

/**
 * Returns readable text for a value: dates and times as `2026-01-31 10:00:00`, decimals and large
 * integers in full, nested values as JSON, binary values with `\x00` escapes.
 */
export function formatValue(value: DuckDBValue): string {
  if (value === null) return 'null';
  if (typeof value !== 'object') return String(value);
  if ('items' in value || 'entries' in value) return jsonText(value);
  if ('days' in value && !('months' in value)) return dateText(value);
  if ('value' in value && !('scale' in value) && ('tag' in value || 'type' in value))
    return formatValue(value.value);
  return String(value);
}

function dateText(value: DuckDBDateValue): string {
  if (value.days === 2147483647) return 'infinity';
  return value.days === -2147483647 ? '-infinity' : String(value);
}

function jsonText(value: DuckDBValue): string {
  if (value === null || typeof value === 'boolean' || typeof value === 'bigint')
    return String(value);
  if (typeof value === 'number')
    return Number.isFinite(value) ? String(value) : JSON.stringify(String(value));
  if (typeof value === 'string') return JSON.stringify(value);
  if ('items' in value) return `[${value.items.map(jsonText).join(',')}]`;
  if ('entries' in value) {
    if (Array.isArray(value.entries)) return mapText(value.entries);
    return `{${Object.entries(value.entries)
      .map(([key, item]) => `${JSON.stringify(key)}:${jsonText(item)}`)
      .join(',')}}`;
  }
  if ('scale' in value) return String(value);
  if ('value' in value && ('tag' in value || 'type' in value)) return jsonText(value.value);
  return JSON.stringify(formatValue(value));
}

/** Returns a map as a JSON object. Keys are converted to text. */
function mapText(entries: DuckDBMapValue['entries']): string {
  const members = entries.map(
    ({ key, value }) => `${JSON.stringify(formatValue(key))}:${jsonText(value)}`,
  );
  return `{${members.join(',')}}`;
}

/** Returns a value for a query result: large integers as `bigint`, dates and the like as text. */
export function resultValueOf(value: DuckDBValue): QueryResultValue {
  if (
    value === null ||
    typeof value === 'boolean' ||
    typeof value === 'number' ||
    typeof value === 'string'
  )
    return value;
  if (typeof value === 'bigint')
    return value >= -(2n ** 53n) && value <= 2n ** 53n ? Number(value) : value;
  return formatValue(value);
}
