/**
 * The tables that notes with their own databases share: the database `shared`. It is attached only
 * while a statement uses it, because several processes may read a file, but only one may write it.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { DuckDBConnection } from '@duckdb/node-api';
import { foldName, quoteText, tokenize } from '../script.ts';
import { errorText } from './database.ts';

/** A statement waits this long for statements of other notes, in ms. */
const MAX_WAIT_MS = 60_000;
const RETRY_MS = 50;
const isLocked = /Could not set lock on file|Unique file handle conflict/;
const isAbsent = /(?:catalog|schema) (?:with name )?"?shared"? does not exist/i;
const isReadOnly = /on database "shared" which is attached in read-only mode/;

interface SharedUse {
  readonly connection: DuckDBConnection;
  readonly sql: string;
  readonly signal?: AbortSignal | undefined;
  /** Whether a transaction is open. It keeps the tables, for writing, until {@link release}. */
  readonly inTransaction?: boolean;
}

/** Attaches the database of shared tables for statements that need it. */
export class SharedTables {
  readonly #file: string;
  #last: Promise<unknown> = Promise.resolve();
  /** The connection whose transaction uses the tables. */
  #keeper: DuckDBConnection | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  /** Runs `work`, which must not have an effect if it fails because a table is not attached. */
  async use<T>(use: SharedUse, work: () => Promise<T>): Promise<T> {
    if (this.#keeper) return work();
    if (!mentionsShared(use.sql)) {
      try {
        return await work();
      } catch (error) {
        // A view of the note reads a shared table.
        if (!isAbsent.test(errorText(error))) throw error;
      }
    }
    if (foldName(tokenize(use.sql)[0]!.text) === 'use')
      throw new Error("The shared tables can't be selected with USE. Write shared.NAME instead.");
    const result = this.#last.then(() => this.#attached(use, work));
    this.#last = result.catch(() => undefined);
    return result;
  }

  async #attached<T>(use: SharedUse, work: () => Promise<T>): Promise<T> {
    const { connection, inTransaction = false } = use;
    if (this.#keeper) return work();
    await this.#attach(use, inTransaction);
    try {
      try {
        return await work();
      } catch (error) {
        if (inTransaction || !isReadOnly.test(errorText(error))) throw error;
      }
      await this.#detach(connection);
      await this.#attach(use, true);
      return await work();
    } finally {
      if (inTransaction) this.#keeper = connection;
      else await this.#detach(connection);
    }
  }

  /** Detaches the tables after the transaction of a connection has ended. */
  async release(connection: DuckDBConnection): Promise<void> {
    if (this.#keeper !== connection) return;
    this.#keeper = undefined;
    await this.#detach(connection);
  }

  async #attach({ connection, signal }: SharedUse, isWritten: boolean): Promise<void> {
    const sql = `ATTACH ${quoteText(this.#file)} AS shared`;
    for (const deadline = Date.now() + MAX_WAIT_MS; ; ) {
      try {
        await connection.run(isWritten ? sql : `${sql} (READ_ONLY)`);
        return;
      } catch (error) {
        const text = errorText(error);
        if (!isWritten && /database does not exist/.test(text)) {
          await this.#attach({ connection, sql, signal }, true);
          return;
        }
        if (!isLocked.test(text)) throw error;
        if (Date.now() > deadline)
          throw new Error('Another note uses the shared tables. Run the statement again later.');
        await wait(RETRY_MS, undefined, { signal });
      }
    }
  }

  async #detach(connection: DuckDBConnection): Promise<void> {
    try {
      await connection.run('DETACH DATABASE IF EXISTS shared');
    } catch (error) {
      if (!/it is the default database/.test(errorText(error))) throw error;
      await connection.run('RESET search_path');
      await connection.run('DETACH DATABASE IF EXISTS shared');
    }
  }
}

const mentionsShared = (sql: string): boolean =>
  tokenize(sql).some(
    ({ kind, text }) =>
      (kind === 'word' && foldName(text) === 'shared') ||
      (kind === 'quoted' && foldName(text) === '"shared"'),
  );
