/** Complete tables of runs, of which the outputs show only the first rows. */

import type { RecordBatch, Schema } from 'apache-arrow';

/**
 * Stores the tables of a run. At the end of the run, tables that are incomplete or that no output
 * shows are deleted.
 */
export interface TableKeeper {
  /** Limits for each stored table. */
  readonly limits: { readonly rows: number; readonly bytes: number };
  /**
   * Starts a table with these columns. It never throws: a table that cannot be written to disk is
   * not stored.
   */
  begin(schema: Schema): KeptTable;
  /**
   * Takes over a file with a complete Arrow stream. The file is checked at the end of the run and
   * deleted if it is invalid.
   */
  adopt(file: string): KeptTable;
}

/** A complete table, written batch by batch. */
export interface KeptTable {
  /**
   * Appends rows. Resolves when they are written; `false` if the table accepts no more rows,
   * because of a limit or a failure. The types of the first batch are those of the table.
   */
  write(batch: RecordBatch): Promise<boolean>;
  /**
   * Moves a large table to a database file that the caller writes itself, with all rows from the
   * first on; batches so far are dropped. Resolves to undefined if the table can't be stored.
   */
  moveToDatabase?(): Promise<DatabaseTarget | undefined>;
  /** Marks the table as complete, within its limits. `written`: what its database file has. */
  end(written?: WrittenDatabase): void;
  /** Number of rows so far. */
  readonly length: number;
  /** Why the table accepts no more rows. */
  readonly stopped: 'limit' | 'failure' | undefined;
}

/** A new database file for the rows of a table, and its limits. */
export interface DatabaseTarget {
  readonly file: string;
  readonly rows: number;
  readonly bytes: number;
}

/** What was written to a database file. */
export interface WrittenDatabase {
  readonly rows: number;
  /** Whether rows are missing because of a limit. */
  readonly isCut: boolean;
}
