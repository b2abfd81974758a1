/** Values of the SQL engine as text. */
import type { DuckDBDateValue, DuckDBMapValue, DuckDBValue } from '@duckdb/node-api';

/** Column types whose numbers have single precision (the engine's type id of FLOAT). */
const floatType = 10;

/** Makes the text of one column's values. NULL is the text `null`. */
export function formatterOf(typeId: number): (value: DuckDBValue) => string {
  if (typeId === floatType)
    return (value) => (typeof value === 'number' ? singleText(value) : formatValue(value));
  return formatValue;
}

/**
 * Readable text of a value: dates and times as `2026-01-31 10:00:00`, decimals and large integers in full, nested values
 * as JSON, binary values with `\x00` escapes.
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

/** The shortest decimal text that names this single-precision number. */
export function singleText(value: number): string {
  for (let digits = 6; digits < 9; digits += 1) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return String(short);
  }
  return String(value);
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

/** Maps are JSON objects; keys that are not text are written as text. */
function mapText(entries: DuckDBMapValue['entries']): string {
  return `{${entries.map(({ key, value }) => `${JSON.stringify(formatValue(key))}:${jsonText(value)}`).join(',')}}`;
}
