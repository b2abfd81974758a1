/** Builds the SQL of statistics of a column. */
import type { ResultQuestion } from '@tiding/client/protocol';
import { isNumber, isTime, numberOf, type StoredColumn } from './query-sql.ts';

/** Statistics of a column. `rows`: a source and its condition. */
export function summarySql(
  { as, most }: Extract<ResultQuestion, { kind: 'summary' }>,
  column: StoredColumn,
  rows: string,
  hasCondition: boolean,
): string {
  const { sql } = column;
  const number = as === 'string' ? 'CAST(NULL AS DOUBLE)' : numberOf(column, as);
  // NaN and infinity have no place. Exact numbers and times are compared with all digits.
  const order = as === 'string' || isNumber(column) || isTime(column) ? sql : number;
  const usable =
    as === 'string'
      ? `${sql} IS NOT NULL`
      : `(${number}) IS NOT NULL AND isfinite(CAST(${number} AS DOUBLE))`;
  // Sums of whole numbers and decimals are exact.
  const added =
    as !== 'number' ? 'CAST(NULL AS DOUBLE)' : isNumber(column) ? sql : `CAST(${number} AS DOUBLE)`;
  const present = `${hasCondition ? 'AND' : 'WHERE'} ${sql} IS NOT NULL`;
  const parts = [
    'count(*) AS count',
    `count(*) - count(${sql}) AS missing`,
    as === 'string'
      ? '0 AS "notFinite"'
      : `count(*) FILTER (NOT isfinite(CAST(${number} AS DOUBLE))) AS "notFinite"`,
    `arg_min(${sql}, ${order}) FILTER (${usable}) AS low`,
    `arg_max(${sql}, ${order}) FILTER (${usable}) AS high`,
    `avg(CAST(${as === 'number' ? number : 'NULL'} AS DOUBLE)) FILTER (${usable}) AS mean`,
    `sum(${added}) FILTER (${usable}) AS total`,
  ];
  if (most !== undefined)
    parts.push(
      `(SELECT count(*) FROM (SELECT DISTINCT ${sql} FROM ${rows} ${present} ` +
        `LIMIT ${most + 1})) AS "distinct"`,
    );
  return `SELECT ${parts.join(', ')} FROM ${rows}`;
}

/** The bounds of the numbers or dates of a column, and an estimate of its distinct values. */
export function rangeSql(column: StoredColumn, rows: string): string {
  const own = `CAST(${numberOf(column, isTime(column) ? 'date' : 'number')} AS DOUBLE)`;
  const usable = `FILTER (isfinite(${own}))`;
  return (
    `SELECT min(${own}) ${usable} AS lowest, max(${own}) ${usable} AS highest, ` +
    `approx_count_distinct(${column.sql}) AS "distinct" FROM ${rows}`
  );
}
