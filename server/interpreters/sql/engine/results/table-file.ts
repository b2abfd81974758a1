/**
 * Writes all rows of a large result to a database file of its own. The engine compresses them, and
 * its queries read only the columns and row groups that they need.
 */
import { statSync } from 'node:fs';
import {
  type DuckDBAppender,
  type DuckDBConnection,
  type DuckDBDataChunk,
  DuckDBInstance,
} from '@duckdb/node-api';
import type { DatabaseTarget, WrittenDatabase } from '../../../contract.ts';

/** Name of the table in its file. Its columns are named c0, c1 and so on. */
export const STORED_TABLE = 'stored';
/** Memory for writing. Complete row groups leave it at once. */
const MEMORY_LIMIT = '256MiB';
/** The size of the file is checked after this many rows: it grows by a row group at a time. */
const CHECKED_ROWS = 122_880;
/** The engine's type of columns that are NULL only, which tables can't have. */
const NULL_TYPE = '"NULL"';

/** A table that is being written. Nothing is in the file unless `finish` resolved. */
export class TableFile {
  readonly #target: DatabaseTarget;
  readonly #instance: DuckDBInstance;
  readonly #connection: DuckDBConnection;
  readonly #appender: DuckDBAppender;
  #rows = 0;
  #checked = 0;
  #isCut = false;

  private constructor(
    target: DatabaseTarget,
    instance: DuckDBInstance,
    connection: DuckDBConnection,
    appender: DuckDBAppender,
  ) {
    this.#target = target;
    this.#instance = instance;
    this.#connection = connection;
    this.#appender = appender;
  }

  /** @param types types of the columns in SQL */
  static async create(target: DatabaseTarget, types: readonly string[]): Promise<TableFile> {
    const instance = await DuckDBInstance.create(target.file, {
      threads: '1',
      memory_limit: MEMORY_LIMIT,
    });
    try {
      const connection = await instance.connect();
      const columns = types.map(
        (type, index) => `c${index} ${type === NULL_TYPE || type === 'SQLNULL' ? 'VARCHAR' : type}`,
      );
      await connection.run(`CREATE TABLE ${STORED_TABLE} (${columns.join(', ')})`);
      // In one transaction, complete row groups are written to the file and not to a log.
      await connection.run('BEGIN');
      const appender = await connection.createAppender(STORED_TABLE);
      return new TableFile(target, instance, connection, appender);
    } catch (error) {
      instance.closeSync();
      throw error;
    }
  }

  /** Number of rows so far. */
  get rows(): number {
    return this.#rows;
  }

  /** Appends rows. Returns `false` if a limit is reached; the chunk then is not in the table. */
  append(chunk: DuckDBDataChunk): boolean {
    if (this.#isCut) return false;
    if (this.#rows - this.#checked >= CHECKED_ROWS) {
      this.#checked = this.#rows;
      this.#isCut = statSync(this.#target.file).size > this.#target.bytes;
    }
    this.#isCut ||= this.#rows + chunk.rowCount > this.#target.rows;
    if (this.#isCut) return false;
    this.#appender.appendDataChunk(chunk);
    this.#rows += chunk.rowCount;
    return true;
  }

  async finish(): Promise<WrittenDatabase> {
    try {
      this.#appender.closeSync();
      await this.#connection.run('COMMIT');
      await this.#connection.run('CHECKPOINT');
      return { rows: this.#rows, isCut: this.#isCut };
    } finally {
      this.discard();
    }
  }

  /** Ends writing. The caller deletes the file. */
  discard(): void {
    this.#connection.disconnectSync();
    this.#instance.closeSync();
  }
}
