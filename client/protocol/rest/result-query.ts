/**
 * Queries over a stored table, which the server answers from all of its rows.
 *
 * The answer is an Arrow stream. Its metadata has `total`: the number of rows that pass the
 * filters. A client sends values instead of typed text, so that only the client interprets what
 * people type in their language.
 */
import * as z from 'zod/mini';
import { open } from '../define.ts';

/** Maximum number of rows in the answer to a query. */
export const MAX_QUERY_ROWS = 50_000;

const index = z.number().check(z.int(), z.gte(0), z.lte(100_000));
const size = z.number().check(z.int(), z.gte(1), z.lte(MAX_QUERY_ROWS));
const text = z.string().check(z.maxLength(10_000));
/**
 * A bound: a decimal number, `NaN` (the greatest number, as in SQL) or `Infinity`; for dates,
 * milliseconds since 1970 as if clocks showed UTC. Instants are compared by what clocks show in the
 * time zone of their column.
 */
const bound = z
  .string()
  .check(z.regex(/^(-?(\d{1,400}(\.\d{1,400})?(e[+-]?\d{1,3})?|Infinity)|NaN)$/));
/** How a column is interpreted, regardless of its type. */
const readAs = z.enum(['string', 'number', 'date']);

const range = {
  from: z.optional(bound),
  to: z.optional(bound),
  fromOpen: z.optional(z.boolean()),
  toOpen: z.optional(z.boolean()),
};

/**
 * Keeps rows by the value of a column. `contains` and `equal` compare with `text`, which is in
 * lower case; `range` keeps values from `from` to `to`, without the bound itself if it is open;
 * `oneOf` keeps values that are one of `texts` or in one of `ranges`, and missing values if
 * `missing` is true.
 */
const resultFilter = open({
  column: index,
  as: readAs,
  test: z.enum([
    'contains',
    'equal',
    'range',
    'oneOf',
    'true',
    'false',
    'null',
    'notNull',
    'never',
  ]),
  text: z.optional(text),
  ...range,
  texts: z.optional(z.array(text).check(z.maxLength(1_000))),
  ranges: z.optional(z.array(open(range)).check(z.maxLength(1_000))),
  missing: z.optional(z.boolean()),
});
/** A filter of a query. */
export type ResultFilter = z.infer<typeof resultFilter>;

/** Sorts by a column. Missing values are last; equal rows keep their order. */
const resultSort = open({ column: index, as: readAs, descending: z.optional(z.boolean()) });
/** A sort order of a query. */
export type ResultSort = z.infer<typeof resultSort>;

/** A key: the value of a column, or the start of the period or interval that contains it. */
const groupKey = open({
  column: index,
  period: z.optional(
    z.enum(['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year']),
  ),
  /** Width of the intervals of numbers. */
  width: z.optional(z.number().check(z.gt(0))),
});
/** A key of groups. */
export type ResultGroupKey = z.infer<typeof groupKey>;

const groupValue = open({
  column: index,
  aggregate: z.enum(['sum', 'avg', 'min', 'max', 'count', 'q1', 'median', 'q3']),
});
/** An aggregated column of groups. */
export type ResultGroupValue = z.infer<typeof groupValue>;

/** What a query returns. */
const resultQuestion = z.discriminatedUnion('kind', [
  /** Rows in order. The last column is the number of the row in the table, from 0. */
  z.object({
    kind: z.literal('rows'),
    offset: z.number().check(z.int(), z.gte(0)),
    limit: size,
  }),
  /**
   * Cells whose text contains a term, in reading order, from the row `from` on: `position` among
   * the rows and `place` among `columns`.
   */
  z.object({
    kind: z.literal('find'),
    columns: z
      .array(open({ column: index, as: readAs, text }))
      .check(z.minLength(1), z.maxLength(1_000)),
    from: z.optional(z.number().check(z.int(), z.gte(0))),
    limit: size,
  }),
  /**
   * One row: `count`, `missing`, `low`, `high`, `mean` and `total` of a column. With `most`, also
   * `distinct`, which is counted up to `most` + 1.
   */
  z.object({
    kind: z.literal('summary'),
    column: index,
    as: readAs,
    most: z.optional(size),
  }),
  /** `bin` and `rows`: counts in intervals of equal width between two numbers. */
  z.object({
    kind: z.literal('histogram'),
    column: index,
    as: readAs,
    low: z.number(),
    high: z.number(),
    bins: z.number().check(z.int(), z.gte(1), z.lte(1_000)),
  }),
  /**
   * Aggregates per group: the keys, the values, `rows`, and `groups`, the number of all groups, of
   * which at most `limit` are returned. In order of the first row, by size, or by the first key.
   */
  z.object({
    kind: z.literal('groups'),
    keys: z.array(groupKey).check(z.maxLength(20)),
    values: z.array(groupValue).check(z.maxLength(100)),
    order: z.enum(['first', 'size', 'key']),
    limit: size,
  }),
  /** `lowest`, `highest` and `distinct` (estimated) of columns, one row for each. */
  z.object({ kind: z.literal('ranges'), columns: z.array(index).check(z.maxLength(20)) }),
  /** A random sample of rows, the same each time. */
  z.object({
    kind: z.literal('sample'),
    columns: z.array(index).check(z.minLength(1), z.maxLength(20)),
    limit: size,
  }),
]);
/** What a query returns; see {@link ResultQuery}. */
export type ResultQuestion = z.infer<typeof resultQuestion>;

/** A query over a stored table. */
export const resultQuery = open({
  filters: z.optional(z.array(resultFilter).check(z.maxLength(1_000))),
  sorts: z.optional(z.array(resultSort).check(z.maxLength(100))),
  question: resultQuestion,
});
/** A query over a stored table: filters, order, and what to return of these rows. */
export type ResultQuery = z.infer<typeof resultQuery>;
