/** The fields of a table as the engine tells them, and values of its answers. */
import type { AnswerValue, Engine } from '../contract.ts';

export { quoteName, quoteText } from '../../interpreters/sql-script.ts';

/** What kind of values a column has. */
export type Family = 'text' | 'integer' | 'decimal' | 'date' | 'timestamp' | 'boolean' | 'other';

/** A column of a table. */
export interface Field {
  readonly name: string;
  /** The engine's name of its type. */
  readonly type: string;
  readonly family: Family;
  /** The alias that it has in `aliased()`: names may be odd or, in queries, occur twice. */
  readonly alias: string;
}

/** Rows up to which counts of distinct values are exact. */
export const EXACT_ROWS = 1_000_000;

const families: readonly [Family, RegExp][] = [
  ['text', /^(?:VARCHAR|CHAR|BPCHAR|TEXT|STRING|UUID|ENUM)\b/],
  ['integer', /^(?:U?(?:TINY|SMALL|BIG|HUGE)INT|U?INTEGER)$/],
  ['decimal', /^(?:FLOAT|DOUBLE|DECIMAL)\b/],
  ['date', /^DATE$/],
  ['timestamp', /^TIMESTAMP\b|^TIMESTAMP_/],
  ['boolean', /^BOOLEAN$/],
];

/** The kind of a type, by the engine's name of it. */
export function familyOf(type: string): Family {
  // Lists, of whatever: `DECIMAL(9,2)[3]`.
  if (type.endsWith(']')) return 'other';
  return families.find(([, pattern]) => pattern.test(type))?.[0] ?? 'other';
}

/** The columns of what stands after FROM. Rejects with the engine's words where there is no such table. */
export async function describeFields(
  engine: Engine,
  from: string,
  signal?: AbortSignal,
): Promise<readonly Field[]> {
  const { rows } = await engine.query(`DESCRIBE SELECT * FROM ${from}`, signal);
  return rows.map(([name, type], at) => ({
    name: String(name),
    type: String(type),
    family: familyOf(String(type)),
    alias: `c${at}`,
  }));
}

/** `from` with the aliases of its fields as the names of its columns. */
export function aliased(from: string, fields: readonly Field[], name = 't'): string {
  return `${from} AS ${name}(${fields.map(({ alias }) => alias).join(', ')})`;
}

/** A number of an answer; decimals are text there, whole numbers beyond 2^53 `bigint`. */
export const numberOf = (value: AnswerValue | undefined): number => Number(value ?? 0);

/** Parts of a list, each of at most `size` entries. */
export function inParts<T>(list: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, at) =>
    list.slice(at * size, (at + 1) * size),
  );
}
