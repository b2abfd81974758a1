/** The SQL of profiles. Fields stand in it by their aliases. */
import type { Field } from './fields.ts';
import type { ProfileType } from './profile-types.ts';

const BINS = 8;
/** Longer texts are cut where they are told as a value. */
const MAX_VALUE_LENGTH = 1_000;

/** A time of day, with a zone behind it. */
const ZONED = "':\\d\\d.*(Z|[+-]\\d\\d(:?\\d\\d)?)$'";
const timestampText = (alias: string): string =>
  `CASE WHEN regexp_matches(${alias}, ${ZONED}) THEN try_cast(${alias} AS TIMESTAMP WITH TIME ZONE) AT TIME ZONE 'UTC' ELSE try_cast(${alias} AS TIMESTAMP) END`;

/** What text may turn out to be, in the order in which it is decided, with how many values of a field are that. */
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

/** The types that the texts of a field may be, by a look at some of them: `present` and `parsed` are what `promotionColumns()` told of these. */
export function promotionsOf(present: number, parsed: readonly number[]): readonly ProfileType[] {
  return PROMOTIONS.filter((_, at) => parsed[at] === present).map(({ type }) => type);
}

/** How many values of a text there are, and how many of each type. */
export const promotionColumns = ({ alias }: Field): string[] => [
  `count(${alias})`,
  ...PROMOTIONS.map(({ count }) => count(alias)),
];

/** Whether the values of a field may be promoted. */
export const isPlainText = ({ family, type }: Field): boolean =>
  family === 'text' && /^VARCHAR/.test(type);

/** Values present, distinct ones, and how many are of each of the types that are possible. */
export function countColumns(
  { alias }: Field,
  exact: boolean,
  possible: readonly ProfileType[],
): string[] {
  return [
    `count(${alias})`,
    exact ? `count(DISTINCT ${alias})` : `approx_count_distinct(${alias})`,
    ...PROMOTIONS.filter(({ type }) => possible.includes(type)).map(({ count }) => count(alias)),
  ];
}

/** The type of the profile: that of the column, and for text that of every value of it. `possible` and `parsed` are as `countColumns()` has them. */
export function promotedType(
  { family }: Field,
  present: number,
  possible: readonly ProfileType[],
  parsed: readonly number[],
): ProfileType {
  switch (family) {
    case 'integer':
    case 'decimal':
      return 'Numerical';
    case 'date':
      return 'Date';
    case 'timestamp':
      return 'Timestamp';
    case 'boolean':
      return 'Boolean';
    case 'text':
      return (present > 0 && possible[parsed.findIndex((count) => count === present)]) || 'Text';
    default:
      return 'Other';
  }
}

/** A field as a finite number, else NULL. */
export function numberExpression({ alias, family }: Field): string {
  const cast = family === 'text' ? `try_cast(${alias} AS DOUBLE)` : `CAST(${alias} AS DOUBLE)`;
  return family === 'integer' ? cast : `CASE WHEN isfinite(${cast}) THEN ${cast} END`;
}

/** The percentiles are a list: each aggregate of them keeps all values. */
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

/** One row: of each value least, greatest, mean, sum, count, and five percentiles. */
export function numberQuery(from: string, values: readonly string[], exact: boolean): string {
  const inner = values.map((value) => numberColumns(value, exact));
  const names = inner.flatMap((columns, at) =>
    columns.flatMap((_, n) =>
      n < columns.length - 1
        ? [`n${at}_${n}`]
        : [1, 2, 3, 4, 5].map((place) => `n${at}_${n}[${place}]`),
    ),
  );
  return `SELECT ${names.join(', ')} FROM (SELECT ${inner.flatMap((columns, at) => columns.map((column, n) => `${column} AS n${at}_${n}`)).join(', ')} FROM ${from})`;
}

/** The bins from `min` to `max` and the deviation, as a share of `scale`: squares of large numbers would be out of range. */
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
  // Halves: the whole distance may be beyond what a number can be.
  const half = max / 2 - min / 2;
  const share = `((${value}) / 2 - ${literal(min / 2)}) / ${literal(half)}`;
  // Not least(): that passes over NULL.
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

/** A field as a finite day or, in UTC, moment; else NULL. */
export function timeExpression({ alias, family, type }: Field, profile: ProfileType): string {
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

/** First and last. */
export function rangeColumns(value: string, type: ProfileType): string[] {
  const format = type === 'Date' ? '%Y-%m-%d' : '%Y-%m-%dT%H:%M:%S.%gZ';
  return ['min', 'max'].map((name) => `strftime(${name}(${value}), '${format}')`);
}

/** The parts of a time that are counted. */
export const TIME_COUNTS: readonly {
  readonly name: string;
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

/** Rows of number in `TIME_COUNTS`, value as text, count. Days and minutes of the day are counted first: there are few of them, however many moments. */
export function timeCountsQuery(from: string, value: string, type: ProfileType): string {
  const days = partsQuery(
    `SELECT CAST(v AS DATE) AS v, count(*) AS n FROM (SELECT ${value} AS v FROM ${from}) WHERE v IS NOT NULL GROUP BY 1`,
    0,
    5,
  );
  const minutes = partsQuery(
    `SELECT TIMESTAMP '2000-01-01' + to_minutes(m) AS v, n FROM (SELECT hour(v) * 60 + minute(v) AS m, count(*) AS n FROM (SELECT ${value} AS v FROM ${from}) WHERE v IS NOT NULL GROUP BY 1)`,
    5,
    7,
  );
  return `SELECT k, value, n FROM (${type === 'Date' ? days : `${days} UNION ALL ${minutes}`}) ORDER BY k, try_cast(value AS INTEGER), value`;
}

/** Rows of number, value and count of the parts from `first` to before `end`, of times `v` that are there `n` times. */
function partsQuery(times: string, first: number, end: number): string {
  const parts = TIME_COUNTS.slice(first, end);
  const names = parts.map((_, at) => `p${at}`);
  // The bit of a part is not set where it is the one that rows are grouped by.
  const all = 2 ** parts.length - 1;
  const number = `CASE grouping(${names.join(', ')}) ${parts.map((_, at) => `WHEN ${all - 2 ** (parts.length - 1 - at)} THEN ${first + at}`).join(' ')} END`;
  const inner = `SELECT ${parts.map(({ of }, at) => `CAST(${of('v')} AS VARCHAR) AS p${at}`).join(', ')}, n FROM (${times})`;
  return `SELECT ${number} AS k, coalesce(${names.join(', ')}) AS value, CAST(sum(n) AS BIGINT) AS n FROM (${inner}) GROUP BY GROUPING SETS (${names.map((name) => `(${name})`).join(', ')})`;
}

/** The most frequent values of a field as text. */
export function topValuesQuery(from: string, { alias }: Field, limit: number): string {
  return (
    `SELECT CASE WHEN length(v) > ${MAX_VALUE_LENGTH} THEN left(v, ${MAX_VALUE_LENGTH - 1}) || '…' ELSE v END, n FROM (` +
    // Grouped before they are made texts: of numbers that is much faster.
    `SELECT CAST(g AS VARCHAR) AS v, CAST(sum(m) AS BIGINT) AS n FROM (SELECT ${alias} AS g, count(*) AS m FROM ${from} WHERE ${alias} IS NOT NULL GROUP BY 1) GROUP BY 1 ORDER BY n DESC, v LIMIT ${limit}) ORDER BY n DESC, v`
  );
}
