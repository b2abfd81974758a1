import type { TypedRows } from '@tiding/client/model';
import type { ResultQuery } from '@tiding/client/protocol';
import type { RemoteRows } from './remote-rows.ts';

/** How the grid interprets a column, regardless of its data type. */
export type ReadAs = 'string' | 'number' | 'date';

/** The conditions and the order of rows. */
export type RowConditions = Pick<ResultQuery, 'filters' | 'sorts'>;

/** Rows on the server, filtered and sorted there. */
export type RemoteTable = Pick<RemoteRows, keyof RemoteRows>;

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
