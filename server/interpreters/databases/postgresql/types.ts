/** Types of PostgreSQL. */
import type { FieldDef } from 'pg';
import type { ColumnKind } from '../text-columns.ts';

/** Object ids of built-in types, from `pg_type.dat`. All others are shown as text. */
const kinds: ReadonlyMap<number, ColumnKind> = new Map<number, ColumnKind>([
  [16, 'boolean'],
  [17, 'bytes'],
  [20, 'int64'],
  [21, 'int16'],
  [23, 'int32'],
  [26, 'uint32'],
  [700, 'float32'],
  [701, 'float64'],
  [1082, 'date'],
  [1083, 'time'],
  [1114, 'timestamp'],
  [1184, 'instant'],
]);
const NUMERIC = 1700;
/** Length of the header that type modifiers include, in bytes. */
const HEADER = 4;

/** Reads the enumerations of a database, by their object ids. */
export const ENUMERATIONS = `SELECT enumtypid::int8, array_to_json(array_agg(enumlabel::text
  ORDER BY enumsortorder))::text FROM pg_catalog.pg_enum GROUP BY enumtypid LIMIT 1000`;

export function kindOf({
  dataTypeID,
  dataTypeModifier,
}: Pick<FieldDef, 'dataTypeID' | 'dataTypeModifier'>): ColumnKind {
  if (dataTypeID !== NUMERIC) return kinds.get(dataTypeID) ?? 'text';
  if (dataTypeModifier < HEADER) return {};
  const modifier = dataTypeModifier - HEADER;
  // The scale is a signed number of 11 bits.
  return { precision: (modifier >> 16) & 0xffff, scale: ((modifier & 0x7ff) ^ 1024) - 1024 };
}
