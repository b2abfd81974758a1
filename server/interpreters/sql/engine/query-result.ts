/** Results of queries that other parts of the server ask of the engine. */

/**
 * A column of a query result. `type` is the engine's name for it: `VARCHAR`, `DECIMAL(9,2)`,
 * `TIMESTAMP WITH TIME ZONE`.
 */
interface QueryResultColumn {
  readonly name: string;
  readonly type: string;
}

/**
 * A value of a query result. Integers beyond 2^53 are `bigint`. Dates, times, decimals and nested
 * values are text, formatted by the engine.
 */
export type QueryResultValue = null | boolean | number | bigint | string;

/** A query result, fully loaded into memory. For metadata and aggregates, not for user data. */
export interface QueryResult {
  readonly columns: readonly QueryResultColumn[];
  readonly rows: readonly (readonly QueryResultValue[])[];
}
