/** Builds the SQL of profiles. Fields are referred to by their aliases. */
import type { TableField } from './fields.ts';
import type { ProfileType, TimeCountName } from './profile-types.ts';

const BINS = 8;
/** Longer text values are truncated. */
const MAX_VALUE_LENGTH = 1_000;

/** Matches a time of day followed by a time zone. */
const ZONED = "':\\d\\d.*(Z|[+-]\\d\\d(:?\\d\\d)?)$'";
const timestampText = (alias: string): string =>
  `CASE WHEN regexp_matches(${alias}, ${ZONED}) ` +
  `THEN try_cast(${alias} AS TIMESTAMP WITH TIME ZONE) AT TIME ZONE 'UTC' ` +
  `ELSE try_cast(${alias} AS TIMESTAMP) END`;

/**
 * Types that a text field may be promoted to, in order of preference. `count` counts the values
 * that parse as the type.
 */
const PROMOTIONS: readonly {
  readonly type: ProfileType;
  readonly count: (alias: string) => string;
}[] = [
  {
    type: 'Numerical',
    count: (alias) => `count(*) FILTER (WHERE isfinite(try_cast(${alias} AS DOUBLE)))`,
  },
  {
    type: 'Date',
    count: (alias) =>
      `count(try_cast(${alias} AS DATE)) FILTER (WHERE NOT contains(${alias}, ':'))`,
  },
  { type: 'Timestamp', count: (alias) => `count(${timestampText(alias)})` },
  { type: 'Boolean', count: (alias) => `count(try_cast(${alias} AS BOOLEAN))` },
];

/**
 * The types that a text field may have, judging by a sample of its rows. `present` and `parsed` are
 * the results of `promotionColumns()`.
 */
export function promotionsOf(present: number, parsed: readonly number[]): readonly ProfileType[] {
  return PROMOTIONS.filter((_, at) => parsed[at] === present).map(({ type }) => type);
}

/** Counts the non-null values of a text field, and the values that parse as each type. */
export const promotionColumns = ({ alias }: TableField): string[] => [
  `count(${alias})`,
  ...PROMOTIONS.map(({ count }) => count(alias)),
];

/** Whether a field may be promoted to another type. */
export const isPlainText = ({ family, type }: TableField): boolean =>
  family === 'text' && /^VARCHAR/.test(type);

/**
 * Counts the non-null values, the distinct values, and the values that parse as each possible type.
 */
export function countColumns(
  { alias }: TableField,
  exact: boolean,
  possible: readonly ProfileType[],
): string[] {
  return [
    `count(${alias})`,
    exact ? `count(DISTINCT ${alias})` : `approx_count_distinct(${alias})`,
    ...PROMOTIONS.filter(({ type }) => possible.includes(type)).map(({ count }) => count(alias)),
  ];
}

/**
 * The profile type of a field: that of its column, or for text the first type that every value
 * parses as. `possible` and `parsed` correspond to `countColumns()`.
 */
export function promotedType(
  { family }: TableField,
  present: number,
  possible: readonly ProfileType[],
  parsed: readonly number[],
): ProfileType {
  if (family === 'text') return (present > 0 && possible[parsed.indexOf(present)]) || 'Text';
  return ofFamily[family] ?? 'Other';
}

const ofFamily: Partial<Record<TableField['family'], ProfileType>> = {
  integer: 'Numerical',
  decimal: 'Numerical',
  date: 'Date',
  timestamp: 'Timestamp',
  boolean: 'Boolean',
};

/** A field's value as a finite number, otherwise NULL. */
export function numberExpression({ alias, family }: TableField): string {
  const cast = family === 'text' ? `try_cast(${alias} AS DOUBLE)` : `CAST(${alias} AS DOUBLE)`;
  return family === 'integer' ? cast : `CASE WHEN isfinite(${cast}) THEN ${cast} END`;
}

/**
 * Percentiles are computed as one list, because each percentile aggregate keeps all values in
 * memory.
 */
function numberColumns(value: string, exact: boolean): string[] {
  return [
    `min(${value})`,
    `max(${value})`,
    `avg(${value})`,
    `fsum(${value})`,
    `count(${value})`,
    `${exact ? 'quantile_cont' : 'approx_quantile'}(${value}, [0.05, 0.25, 0.5, 0.75, 0.95])`,
  ];
}

/**
 * Builds a query with one result row: minimum, maximum, mean, sum, count and five percentiles of
 * each value.
 */
export function numberQuery(from: string, values: readonly string[], exact: boolean): string {
  const inner = values.map((value) => numberColumns(value, exact));
  const names = inner.flatMap((columns, at) =>
    columns.flatMap((_, n) =>
      n < columns.length - 1
        ? [`n${at}_${n}`]
        : [1, 2, 3, 4, 5].map((place) => `n${at}_${n}[${place}]`),
    ),
  );
  const aliased = inner.flatMap((columns, at) =>
    columns.map((column, n) => `${column} AS n${at}_${n}`),
  );
  return `SELECT ${names.join(', ')} FROM (SELECT ${aliased.join(', ')} FROM ${from})`;
}

/**
 * Columns for the histogram from `min` to `max` and for the standard deviation. The deviation is a
 * share of `scale`, because squares of large numbers would overflow.
 */
export function binsOf(
  value: string,
  min: number,
  max: number,
): { edges: number[]; columns: string[]; deviation: string; scale: number } {
  if (min === max)
    return {
      edges: [min, max],
      columns: [`count(${value})`],
      deviation: `CASE WHEN count(${value}) > 1 THEN 0 END`,
      scale: 1,
    };
  // Computed from halves, because the full range may exceed the largest double.
  const half = max / 2 - min / 2;
  const share = `((${value}) / 2 - ${literal(min / 2)}) / ${literal(half)}`;
  // least() would ignore NULL.
  const bin = `CASE WHEN ${share} >= 1 THEN ${BINS - 1} ELSE floor(${share} * ${BINS}) END`;
  const edges = Array.from({ length: BINS + 1 }, (_, n) =>
    n === BINS ? max : min + (half / (BINS / 2)) * n,
  );
  return {
    edges,
    columns: Array.from({ length: BINS }, (_, n) => `count(*) FILTER (WHERE ${bin} = ${n})`),
    deviation: `stddev_samp(${share})`,
    scale: max - min,
  };
}

const literal = (value: number): string =>
  `${value < 0 ? '(' : ''}${value}::DOUBLE${value < 0 ? ')' : ''}`;

/** A field's value as a finite date or UTC timestamp, otherwise NULL. */
export function timeExpression({ alias, family, type }: TableField, profile: ProfileType): string {
  const value =
    family === 'text'
      ? profile === 'Date'
        ? `try_cast(${alias} AS DATE)`
        : timestampText(alias)
      : type === 'TIMESTAMP WITH TIME ZONE'
        ? `(${alias} AT TIME ZONE 'UTC')`
        : family === 'timestamp'
          ? `CAST(${alias} AS TIMESTAMP)`
          : alias;
  return `CASE WHEN isfinite(${value}) THEN ${value} END`;
}

/** The minimum and the maximum of a time. */
export function rangeColumns(value: string, type: ProfileType): string[] {
  const format = type === 'Date' ? '%Y-%m-%d' : '%Y-%m-%dT%H:%M:%S.%gZ';
  return ['min', 'max'].map((name) => `strftime(${name}(${value}), '${format}')`);
}

/** Parts of a time that are counted. The names are members of the field profile. */
export const TIME_COUNTS: readonly {
  readonly name: TimeCountName;
  readonly of: (value: string) => string;
}[] = [
  { name: 'countByDayOfYear', of: (value) => `strftime(${value}, '--%m-%d')` },
  { name: 'countByYear', of: (value) => `year(${value})` },
  { name: 'countByMonth', of: (value) => `month(${value})` },
  { name: 'countByDayOfMonth', of: (value) => `day(${value})` },
  { name: 'countByDayOfWeek', of: (value) => `isodow(${value})` },
  { name: 'countByHourOfDay', of: (value) => `hour(${value})` },
  { name: 'countByMinuteOfHour', of: (value) => `minute(${value})` },
];

/**
 * Builds a query that returns index in `TIME_COUNTS`, value as text, and count. Groups by day and
 * by minute of the day first, because there are few of those however many timestamps there are.
 */
export function timeCountsQuery(from: string, value: string, type: ProfileType): string {
  const days = partsQuery(
    `SELECT CAST(v AS DATE) AS v, count(*) AS n FROM (SELECT ${value} AS v FROM ${from}) ` +
      'WHERE v IS NOT NULL GROUP BY 1',
    0,
    5,
  );
  const minutes = partsQuery(
    "SELECT TIMESTAMP '2000-01-01' + to_minutes(m) AS v, n " +
      'FROM (SELECT hour(v) * 60 + minute(v) AS m, count(*) AS n ' +
      `FROM (SELECT ${value} AS v FROM ${from}) WHERE v IS NOT NULL GROUP BY 1)`,
    5,
    7,
  );
  return (
    `SELECT k, value, n FROM (${type === 'Date' ? days : `${days} UNION ALL ${minutes}`}) ` +
    'ORDER BY k, try_cast(value AS INTEGER), value'
  );
}

/**
 * Counts the parts from `first` to before `end`. `times` is a query of times `v` with their
 * frequency `n`.
 */
function partsQuery(times: string, first: number, end: number): string {
  const parts = TIME_COUNTS.slice(first, end);
  const names = parts.map((_, at) => `p${at}`);
  // grouping() has a 0 bit for the part that the row is grouped by.
  const all = 2 ** parts.length - 1;
  const cases = parts.map(
    (_, at) => `WHEN ${all - 2 ** (parts.length - 1 - at)} THEN ${first + at}`,
  );
  const number = `CASE grouping(${names.join(', ')}) ${cases.join(' ')} END`;
  const inner =
    `SELECT ${parts.map(({ of }, at) => `CAST(${of('v')} AS VARCHAR) AS p${at}`).join(', ')}, ` +
    `n FROM (${times})`;
  return (
    `SELECT ${number} AS k, coalesce(${names.join(', ')}) AS value, ` +
    `CAST(sum(n) AS BIGINT) AS n FROM (${inner}) ` +
    `GROUP BY GROUPING SETS (${names.map((name) => `(${name})`).join(', ')})`
  );
}

/** Builds a query for the most frequent values of a field, as text. */
export function topValuesQuery(from: string, { alias }: TableField, limit: number): string {
  return (
    `SELECT CASE WHEN length(v) > ${MAX_VALUE_LENGTH} ` +
    `THEN left(v, ${MAX_VALUE_LENGTH - 1}) || '…' ELSE v END, n FROM (` +
    // Group before the conversion to text, which is much faster for numbers.
    'SELECT CAST(g AS VARCHAR) AS v, CAST(sum(m) AS BIGINT) AS n ' +
    `FROM (SELECT ${alias} AS g, count(*) AS m FROM ${from} WHERE ${alias} IS NOT NULL ` +
    `GROUP BY 1) GROUP BY 1 ORDER BY n DESC, v LIMIT ${limit}) ORDER BY n DESC, v`
  );
}
