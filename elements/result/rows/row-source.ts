import type { QueryAnswer } from '@tiding/client';
import type { TypedRows } from '@tiding/client/model';
import type { ResultQuery, ResultQuestion } from '@tiding/client/protocol';

/** How the grid interprets a column, regardless of its data type. */
export type ReadAs = 'string' | 'number' | 'date';

/** The conditions and the order of rows. */
export type RowConditions = Pick<ResultQuery, 'filters' | 'sorts'>;

/** Rows on the server, filtered and sorted there. */
export interface RemoteTable {
  /** Number of rows that pass the filters. */
  readonly total: number;
  /** Number of rows at the start that are loaded: samples of the table are taken from them. */
  readonly sampled: number;
  /** The rows that were loaded last, from the first to before the last. */
  readonly latest: readonly [from: number, to: number];
  /** Why the last request failed; undefined after one succeeded. */
  readonly error: Error | undefined;
  /** Number of a row in the table, from 0; undefined if it is not loaded. */
  numberOf(row: number): number | undefined;
  /** The rows as a source; a new object whenever rows have arrived. */
  readonly source: () => RowSource;
  /** Notifies about new rows. Returns a function that ends it and stops loading. */
  readonly subscribe: (listener: () => void) => () => void;
  /** Returns the same rows under other conditions. */
  arrange(conditions: RowConditions, signal: AbortSignal): Promise<RemoteTable>;
  /** Asks about the rows that pass the filters. */
  ask(question: ResultQuestion, signal: AbortSignal): Promise<QueryAnswer>;
  /** Reads a range of rows into memory. */
  read(from: number, to: number, signal: AbortSignal): Promise<RowSource>;
}

/** The rows of a table in a view: all of them, those that have arrived, or those on the server. */
export interface RowSource extends TypedRows {
  /** Whether the table is complete; otherwise more rows may follow. */
  readonly complete: boolean;
  /** Expected number of rows, if known. */
  readonly total?: number | undefined;
  /**
   * The rows on the server, if the page holds only those around what is on screen. Rows that are
   * not loaded have no value yet.
   */
  readonly remote?: RemoteTable | undefined;
}
