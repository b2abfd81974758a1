/** Reads the fields of a table from the engine, and values from its results. */

import type { QueryResultValue } from '../../interpreters/sql/engine/query-result.ts';
import type { Engine } from '../contract.ts';

export { quoteName, quoteText } from '../../interpreters/sql/script.ts';

/** Kind of values in a column. */
export type Family = 'text' | 'integer' | 'decimal' | 'date' | 'timestamp' | 'boolean' | 'other';

/** A column of a table. */
export interface TableField {
  readonly name: string;
  /** The engine's name of the type. */
  readonly type: string;
  readonly family: Family;
  /**
   * The field's alias in `aliased()`. Aliases are needed because names may contain any character
   * and, in queries, occur twice.
   */
  readonly alias: string;
}

/** Up to this many rows, distinct values are counted exactly. */
export const EXACT_ROWS = 1_000_000;

const families: readonly [Family, RegExp][] = [
  ['text', /^(?:VARCHAR|CHAR|BPCHAR|TEXT|STRING|UUID|ENUM)\b/],
  ['integer', /^(?:U?(?:TINY|SMALL|BIG|HUGE)INT|U?INTEGER)$/],
  ['decimal', /^(?:FLOAT|DOUBLE|DECIMAL)\b/],
  ['date', /^DATE$/],
  ['timestamp', /^TIMESTAMP\b|^TIMESTAMP_/],
  ['boolean', /^BOOLEAN$/],
];

/** The kind of values for an engine type. */
function familyOf(type: string): Family {
  // Lists of any element type, such as `DECIMAL(9,2)[3]`.
  if (type.endsWith(']')) return 'other';
  return families.find(([, pattern]) => pattern.test(type))?.[0] ?? 'other';
}

/** Returns an engine whose queries end with a signal. */
export const withSignal = (engine: Engine, signal: AbortSignal | undefined): Engine => ({
  query: (sql) => engine.query(sql, signal),
});

/**
 * Reads the columns of a table or query after FROM. Rejects with the engine's message if there is
 * no such table.
 */
export async function describeFields(engine: Engine, from: string): Promise<readonly TableField[]> {
  const { rows } = await engine.query(`DESCRIBE SELECT * FROM ${from}`);
  return rows.map(([name, type], at) => ({
    name: String(name),
    type: String(type),
    family: familyOf(String(type)),
    alias: `c${at}`,
  }));
}

/** `from` with its columns renamed to the aliases of its fields. */
export const aliased = (from: string, fields: readonly TableField[]): string =>
  `${from} AS t(${fields.map(({ alias }) => alias).join(', ')})`;

/**
 * Converts a value of a result to a number. Decimals are text there, and integers beyond 2^53 are
 * `bigint`.
 */
export const numericValue = (value: QueryResultValue | undefined): number => Number(value ?? 0);

/** The first row of a result. Empty if there is none. */
export const firstRow = async (engine: Engine, sql: string): Promise<readonly QueryResultValue[]> =>
  (await engine.query(sql)).rows[0] ?? [];

/** Counts rows, or values. `from` is the SQL that follows FROM. */
export const countRows = async (engine: Engine, from: string, what = '*'): Promise<number> =>
  numericValue((await firstRow(engine, `SELECT count(${what}) FROM ${from}`))[0]);

/** Splits a list into parts of at most `size` entries. */
export function chunked<T>(list: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, at) =>
    list.slice(at * size, (at + 1) * size),
  );
}
