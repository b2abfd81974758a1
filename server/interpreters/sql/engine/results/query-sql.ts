/** Builds the SQL of a query over a stored table. It needs no engine. */

import { fixedOffsetMinutes, isUtc } from '@tiding/client/model';
import type {
  ResultFilter,
  ResultGroupKey,
  ResultGroupValue,
  ResultSort,
} from '@tiding/client/protocol';
import { quoteText } from '../../script.ts';

/** A column of the table: its type in the engine, and its name in SQL. */
export interface StoredColumn {
  readonly type: string;
  readonly sql: string;
  /** Time zone of instants. Default: UTC. */
  readonly zone?: string | undefined;
}

/** How a column is read. */
type ReadAs = ResultSort['as'];

const isInteger = ({ type }: StoredColumn) => /^U?(?:TINY|SMALL|BIG|HUGE)?INT(?:EGER)?$/.test(type);
const isFloat = ({ type }: StoredColumn) => type === 'DOUBLE' || type === 'FLOAT';
const isDecimal = ({ type }: StoredColumn) => type.startsWith('DECIMAL(') && !type.endsWith(']');
const isEnum = ({ type }: StoredColumn) => /^ENUM\(.*\)$/s.test(type);
const isText = (column: StoredColumn) => column.type === 'VARCHAR' || isEnum(column);
/** Whether the values of a column are dates or timestamps. */
export const isTime = ({ type }: StoredColumn) =>
  type === 'DATE' || /^TIMESTAMP(?:_| |$)/.test(type);
const isNested = ({ type }: StoredColumn) =>
  /[\])]$/.test(type) && !/^(?:DECIMAL|ENUM)\([^\]]*$/.test(type);

/** Whether the values of a column are numbers. */
export const isNumber = (column: StoredColumn): boolean =>
  isInteger(column) || isFloat(column) || isDecimal(column);

/**
 * A number as JavaScript prints it: the engine prints `1e+16` and `1e-05`, JavaScript
 * `10000000000000000` and `0.00001`.
 */
function floatText({ sql }: StoredColumn): string {
  const text = `CAST(${sql} AS VARCHAR)`;
  const [mantissa, exponent] = [
    `replace(ltrim(split_part(${text}, 'e', 1), '-'), '.', '')`,
    `TRY_CAST(split_part(${text}, 'e', 2) AS INTEGER)`,
  ];
  const sign = `CASE WHEN ${sql} < 0 THEN '-' ELSE '' END`;
  return `CASE WHEN isnan(${sql}) THEN 'NaN'
    WHEN isinf(${sql}) THEN ${sign} || 'Infinity'
    WHEN NOT contains(${text}, 'e') THEN regexp_replace(${text}, '\\.0$', '')
    WHEN ${exponent} BETWEEN 16 AND 20 THEN ${sign} || rpad(${mantissa}, ${exponent} + 1, '0')
    WHEN ${exponent} BETWEEN -6 AND -1
      THEN ${sign} || '0.' || repeat('0', -${exponent} - 1) || ${mantissa}
    ELSE regexp_replace(regexp_replace(${text}, 'e([+-])0+', 'e\\1'), '\\.0e', 'e') END`;
}

const isInstant = ({ type }: StoredColumn) => type === 'TIMESTAMP WITH TIME ZONE';

/** A time as clocks show it, those of the column's zone for an instant. */
function wallClock(column: StoredColumn): string {
  const { sql, zone = 'UTC' } = column;
  if (!isInstant(column)) return sql;
  const fixed = fixedOffsetMinutes(zone);
  if (fixed === undefined) return `timezone(${quoteText(zone)}, ${sql})`;
  const utc = `timezone('UTC', ${sql})`;
  return fixed === 0 ? utc : `(${utc} + to_seconds(${Math.round(fixed * 60)}))`;
}

/** An instant as the table shows it: in the zone of the column, with the offset there. */
function zonedText(column: StoredColumn): string {
  const { sql, zone = 'UTC' } = column;
  const utc = `timezone('UTC', ${sql})`;
  const local = wallClock(column);
  const seconds = `CAST(epoch(${local}) - epoch(${utc}) AS BIGINT)`;
  const digits = (value: string) => `lpad(CAST(${value} AS VARCHAR), 2, '0')`;
  const offset = isUtc(zone)
    ? `'Z'`
    : `CASE WHEN ${seconds} < 0 THEN '-' ELSE '+' END || ` +
      `${digits(`abs(${seconds}) // 3600`)} || ':' || ${digits(`abs(${seconds}) // 60 % 60`)} || ` +
      `CASE WHEN ${seconds} % 60 = 0 THEN '' ELSE ':' || ${digits(`abs(${seconds}) % 60`)} END`;
  const text = (time: string) => `CAST(${time} AS VARCHAR)`;
  return `CASE WHEN isfinite(${sql}) THEN ${text(local)} || ${offset} ELSE ${text(utc)} END`;
}

/** The text of a value, by which it is searched and sorted. */
export function textOf(column: StoredColumn): string {
  const { sql, type } = column;
  if (isText(column)) return `CAST(${sql} AS VARCHAR)`;
  if (isFloat(column)) return floatText(column);
  if (type === 'BLOB') return `lower(hex(${sql}))`;
  if (isInstant(column)) return zonedText(column);
  if (isNested(column)) return `CAST(to_json(${sql}) AS VARCHAR)`;
  return `CAST(${sql} AS VARCHAR)`;
}

/** Numbers as the table reads them in texts: decimals, without signs such as `+`. */
const NUMBER_TEXT = quoteText('^\\s*-?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?\\s*$');

/** Milliseconds of `time`, a form of the column's value. */
const timeNumber = ({ sql }: StoredColumn, time: string): string =>
  // The engine has no number for infinite times, which are before or after all others.
  `CASE WHEN isfinite(${sql}) THEN epoch_us(${time}) / 1000.0
    WHEN isinf(${sql}) THEN CAST(CAST(${sql} AS VARCHAR) AS DOUBLE) END`;

/** The value of a column as a number or, for dates, as milliseconds; NULL if it has none. */
export function numberOf(column: StoredColumn, as: Exclude<ReadAs, 'string'>): string {
  const { sql, type } = column;
  if (as === 'date') {
    if (isTime(column))
      return timeNumber(column, isInstant(column) ? sql : `CAST(${sql} AS TIMESTAMP)`);
    return isText(column)
      ? `(epoch_us(TRY_CAST(CAST(${sql} AS VARCHAR) AS TIMESTAMP)) / 1000.0)`
      : 'CAST(NULL AS DOUBLE)';
  }
  if (isInteger(column) || isFloat(column)) return sql;
  if (isDecimal(column)) return `CAST(${sql} AS DOUBLE)`;
  if (type === 'BOOLEAN') return `CAST(${sql} AS INTEGER)`;
  if (!isText(column)) return 'CAST(NULL AS DOUBLE)';
  const text = `CAST(${sql} AS VARCHAR)`;
  return (
    `CASE WHEN regexp_full_match(${text}, ${NUMBER_TEXT}) ` +
    `AND isfinite(TRY_CAST(${text} AS DOUBLE)) THEN TRY_CAST(${text} AS DOUBLE) END`
  );
}

/** A bound as a literal. Columns of whole numbers and decimals are compared with all digits. */
function literal(text: string, column: StoredColumn, as: ReadAs): string {
  if (as === 'number' && isInteger(column) && /^-?\d{1,38}$/.test(text)) {
    const value = BigInt(text);
    return value >= -(2n ** 127n) + 1n && value < 2n ** 127n
      ? `CAST(${quoteText(text)} AS HUGEINT)`
      : `CAST(${quoteText(text)} AS DOUBLE)`;
  }
  const [, scale] = /^DECIMAL\(\d+,(\d+)\)$/.exec(column.type) ?? [];
  const [, whole = '', part = ''] = /^-?(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (scale && whole && whole.length + +scale <= 38 && part.length <= +scale)
    return `CAST(${quoteText(text)} AS DECIMAL(38, ${scale}))`;
  return `CAST(${quoteText(text)} AS DOUBLE)`;
}

/** What clocks show in the zone of an instant's column, in ms as if they showed UTC. */
function clockNumber(column: StoredColumn): string {
  const fixed = fixedOffsetMinutes(column.zone ?? 'UTC');
  // Data of time zones takes the engine many times longer than a sum.
  return fixed === undefined
    ? timeNumber(column, wallClock(column))
    : `(${numberOf(column, 'date')}) + ${Math.round(fixed * 60_000)}`;
}

/** No clock is further from UTC. */
const DAY_MS = 86_400_000;
/** JavaScript dates end here. */
const MAX_MS = 8.64e15 - DAY_MS;

/** Excludes most instants that are not in a range of wall-clock times, without their offsets. */
function nearSql(sql: string, sign: '>=' | '<=', bound: string | undefined): string[] {
  const ms = Number(bound);
  if (!(Math.abs(ms) < MAX_MS)) return [];
  const near = Math.trunc(sign === '>=' ? ms - DAY_MS : ms + DAY_MS);
  return [`${sql} ${sign} make_timestamptz(${near}000)`];
}

/** The condition that a value is in a range. */
function rangeSql(
  { as, from, to, fromOpen, toOpen }: Omit<ResultFilter, 'column' | 'test'>,
  column: StoredColumn,
): string {
  if (as === 'string') return 'false';
  const isClock = as === 'date' && isInstant(column);
  const value = isClock
    ? clockNumber(column)
    : as === 'number' && isDecimal(column)
      ? column.sql
      : numberOf(column, as);
  const parts = [
    ...(isClock ? [...nearSql(column.sql, '>=', from), ...nearSql(column.sql, '<=', to)] : []),
    ...(from === undefined
      ? []
      : [`${value} ${fromOpen ? '>' : '>='} ${literal(from, column, as)}`]),
    ...(to === undefined ? [] : [`${value} ${toOpen ? '<' : '<='} ${literal(to, column, as)}`]),
    `${value} IS NOT NULL`,
  ];
  return parts.map((part) => `(${part})`).join(' AND ');
}

/** The condition of a filter. */
export function filterSql(filter: ResultFilter, column: StoredColumn): string {
  const { as, test, text = '' } = filter;
  const { sql } = column;
  const isBoolean = (): string =>
    column.type === 'BOOLEAN' ? `${sql} IS ${test.toUpperCase()}` : 'false';
  const conditions: Readonly<Record<ResultFilter['test'], () => string>> = {
    never: () => 'false',
    null: () => `${sql} IS NULL`,
    notNull: () => `${sql} IS NOT NULL`,
    true: isBoolean,
    false: isBoolean,
    contains: () => `coalesce(contains(lower(${textOf(column)}), ${quoteText(text)}), false)`,
    equal: () => `coalesce(lower(${textOf(column)}) = ${quoteText(text)}, false)`,
    range: () => rangeSql(filter, column),
    oneOf: () => {
      const { missing, texts = [], ranges = [] } = filter;
      const parts = [
        ...(missing ? [`${sql} IS NULL`] : []),
        ...(texts.length > 0
          ? [`coalesce(${textOf(column)} IN (${texts.map(quoteText).join(', ')}), false)`]
          : []),
        ...ranges.map((range) => rangeSql({ as, ...range }, column)),
      ];
      return parts.length === 0 ? 'false' : parts.map((part) => `(${part})`).join(' OR ');
    },
  };
  return conditions[test]();
}

/** Language of text order: numbers inside texts are compared by value. */
const COLLATION = 'en-u-kn-true';

/** Whether the text of a column decides its order. */
export const sortsByText = (column: StoredColumn, as: ReadAs): boolean =>
  column.type !== 'BOOLEAN' &&
  column.type !== 'INTERVAL' &&
  (as === 'string' ? !isEnum(column) : !isNumber(column) && !isTime(column));

export const textKey = (text: string): string => `icu_sort_key(${text}, ${quoteText(COLLATION)})`;

/** The terms of an ORDER BY: missing values are last, and values of another type before them. */
export function orderSql(
  { as, descending = false }: ResultSort,
  column: StoredColumn,
  key: string | undefined,
): string[] {
  const direction = descending ? 'DESC' : 'ASC';
  const { sql } = column;
  if (sortsByText(column, as) && as !== 'string') {
    const number = numberOf(column, as);
    const other = `CASE WHEN (${number}) IS NULL THEN ${key ?? textKey(textOf(column))} END`;
    return [
      `CASE WHEN ${sql} IS NULL THEN 2 WHEN (${number}) IS NULL THEN 1 ELSE 0 END`,
      `${number} ${direction} NULLS LAST`,
      `${other} ${direction} NULLS LAST`,
    ];
  }
  if (sortsByText(column, as)) return [`${key ?? textKey(textOf(column))} ${direction} NULLS LAST`];
  return [`${sql} ${direction} NULLS LAST`];
}

export function keySql({ period, width }: ResultGroupKey, column: StoredColumn): string {
  const { sql } = column;
  if (period && isTime(column)) {
    const time = `CAST(${wallClock(column)} AS TIMESTAMP)`;
    // The engine fails at tables whose only time is infinite, unless it gets none.
    const finite = `CASE WHEN isfinite(${sql}) THEN ${time} END`;
    const start = `coalesce(date_trunc(${quoteText(period)}, ${finite}), ${time})`;
    return ['second', 'minute', 'hour'].includes(period) ? start : `CAST(${start} AS DATE)`;
  }
  if (width !== undefined && isNumber(column))
    return `(floor(CAST(${sql} AS DOUBLE) / ${width}::DOUBLE + 1e-11) * ${width}::DOUBLE)`;
  return sql;
}

/** The expression of an aggregate. Texts that are not numbers have no value. */
export function aggregateSql({ aggregate }: ResultGroupValue, column: StoredColumn): string {
  if (aggregate === 'count') return `count(${column.sql})`;
  const number = isNumber(column) ? column.sql : numberOf(column, 'number');
  const quartile = { q1: 0.25, median: 0.5, q3: 0.75 }[aggregate as string];
  return quartile === undefined
    ? `${aggregate}(${number})`
    : `quantile_cont(CAST(${number} AS DOUBLE), ${quartile})`;
}
