/** Formats values of the SQL engine as text. */

import type {
  DuckDBDateValue,
  DuckDBListType,
  DuckDBMapType,
  DuckDBMapValue,
  DuckDBStructType,
  DuckDBTimestampTZValue,
  DuckDBType,
  DuckDBUnionType,
  DuckDBUnionValue,
  DuckDBValue,
} from '@duckdb/node-api';
import { arrowTimestampText, doubleText, singlePrecisionText } from '@tiding/client/model';
import type { QueryResultValue } from './query-result.ts';

/** The engine's type ids of types whose values alone don't have their text. */
const ID = { FLOAT: 10, LIST: 24, STRUCT: 25, MAP: 26, UNION: 28, TIMESTAMP_TZ: 31, ARRAY: 33 };

type Format = (value: DuckDBValue) => string;

/**
 * Returns a formatter for the values of a column. NULL becomes the text `null`.
 *
 * @param zone the time zone of the session, in which instants are shown
 */
export function formatterOf(type: DuckDBType, zone = 'UTC'): Format {
  const id: number = type.typeId;
  if (id === ID.FLOAT)
    return (value) => (typeof value === 'number' ? singlePrecisionText(value) : formatValue(value));
  if (id === ID.TIMESTAMP_TZ)
    return (value) => {
      if (value === null) return 'null';
      const { micros } = value as DuckDBTimestampTZValue;
      return arrowTimestampText(micros, 6, zone).replace(/Z$/, '+00');
    };
  if (id === ID.UNION) {
    const { memberTags, memberTypes } = type as DuckDBUnionType;
    const formats = memberTypes.map((member) => formatterOf(member, zone));
    return (value) => {
      if (value === null) return 'null';
      const { tag, value: own } = value as DuckDBUnionValue;
      return formats[memberTags.indexOf(tag)]!(own);
    };
  }
  return [ID.LIST, ID.STRUCT, ID.MAP, ID.ARRAY].includes(id) ? jsonOf(type, zone) : formatValue;
}

/** Returns a formatter of values inside others as JSON. */
function jsonOf(type: DuckDBType, zone: string): Format {
  const own = jsonOfValue(type, zone);
  return (value) => (value === null ? 'null' : own(value));
}

function jsonOfValue(type: DuckDBType, zone: string): Format {
  const id: number = type.typeId;
  if (isJson(type)) return String;
  if (id === ID.FLOAT) {
    const text = formatterOf(type);
    return (value) => (Number.isFinite(value) ? text(value) : jsonText(value));
  }
  if (id === ID.LIST || id === ID.ARRAY) {
    const item = jsonOf((type as DuckDBListType).valueType, zone);
    return (value) => `[${(value as { items: readonly DuckDBValue[] }).items.map(item).join(',')}]`;
  }
  if (id === ID.STRUCT) {
    const { entryNames, entryTypes } = type as DuckDBStructType;
    const entries = entryTypes.map((entry) => jsonOf(entry, zone));
    return (value) => {
      const values = (value as { entries: Readonly<Record<string, DuckDBValue>> }).entries;
      return objectText(entryNames.map((name, at) => [name, entries[at]!(values[name] ?? null)]));
    };
  }
  if (id === ID.MAP) {
    const { keyType, valueType } = type as DuckDBMapType;
    const [key, item] = [formatterOf(keyType, zone), jsonOf(valueType, zone)];
    return (value) => {
      const { entries } = value as DuckDBMapValue;
      return objectText(entries.map((entry) => [key(entry.key), item(entry.value)]));
    };
  }
  if (id === ID.TIMESTAMP_TZ) {
    const text = formatterOf(type, zone);
    return (value) => JSON.stringify(text(value));
  }
  return jsonText;
}

/** Whether the texts of a column are JSON, which is an alias of the engine's type of texts. */
export const isJson = ({ alias }: DuckDBType): boolean => alias === 'JSON';

/**
 * Returns readable text for a value: dates and times as `2026-01-31 10:00:00`, decimals and large
 * integers in full, nested values as JSON, binary values with `\x00` escapes.
 */
export function formatValue(value: DuckDBValue): string {
  if (value === null) return 'null';
  if (typeof value === 'number') return doubleText(value);
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
    return Number.isFinite(value) ? doubleText(value) : JSON.stringify(String(value));
  if (typeof value === 'string') return JSON.stringify(value);
  if ('items' in value) return `[${value.items.map(jsonText).join(',')}]`;
  if ('entries' in value) {
    if (!Array.isArray(value.entries))
      return objectText(Object.entries(value.entries).map(([key, item]) => [key, jsonText(item)]));
    // A map: keys are converted to text.
    const { entries } = value as DuckDBMapValue;
    return objectText(entries.map((entry) => [formatValue(entry.key), jsonText(entry.value)]));
  }
  if ('scale' in value) return String(value);
  if ('value' in value && ('tag' in value || 'type' in value)) return jsonText(value.value);
  return JSON.stringify(formatValue(value));
}

/** Returns a JSON object with these names and values, which are JSON. */
const objectText = (members: readonly (readonly [name: string, json: string])[]): string =>
  `{${members.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')}}`;

/** Returns a value for a query result: large integers as `bigint`, dates and the like as text. */
export function resultValueOf(value: DuckDBValue): QueryResultValue {
  if (typeof value === 'bigint')
    return value >= -(2n ** 53n) && value <= 2n ** 53n ? Number(value) : value;
  return value === null || typeof value !== 'object' ? value : formatValue(value);
}
