/**
 * The databases of the platform. Each repository has its own, which can only access the server's
 * files.
 */

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { errorText, interruptible, SqlEngine, slots } from '../interpreters/sql/engine.ts';
import { formatValue } from '../interpreters/sql/format.ts';
import { quoteName } from '../interpreters/sql/script.ts';
import { privateFolder } from '../storage/files.ts';
import {
  type Engine,
  ExecutionError,
  type QueryResult,
  type QueryResultValue,
} from './contract.ts';

/** Locations of the databases and the files. */
export interface EnginesOptions {
  /** Folder of the platform's data. Absolute path. */
  readonly folder: string;
  /** Folder with the users' files. Absolute path. */
  readonly files: string;
}

/**
 * Functions and types of the command language that the engine does not have. Each session creates
 * them.
 */
const additions = [
  'CREATE OR REPLACE TEMP MACRO mid(text, start, length) AS substring(text, start, length)',
  'CREATE OR REPLACE TEMP MACRO nvl(value, other) AS coalesce(value, other)',
  'CREATE OR REPLACE TEMP MACRO "isnull"(value) AS value IS NULL',
  'CREATE OR REPLACE TEMP MACRO editdistance(one, other) AS levenshtein(one, other)',
  'CREATE TEMP TYPE money AS DECIMAL(19, 4)',
  'CREATE TEMP TYPE number AS DOUBLE',
];

/** Opens the database of each repository and connects to it. */
export class Engines {
  readonly #options: EnginesOptions;

  constructor(options: EnginesOptions) {
    this.#options = options;
  }

  /** Folder for downloadable files. Only the engine writes to it. */
  get exports(): string {
    return join(this.#options.folder, 'exports');
  }

  /** Runs `work` on a connection to a repository's database that is independent of the sessions. */
  async withConnection<T>(
    repositoryId: number,
    work: (connection: DuckDBConnection) => Promise<T>,
  ): Promise<T> {
    return (await this.#open(repositoryId)).with(undefined, work);
  }

  async #open(repositoryId: number): Promise<SqlEngine> {
    const folder = await privateFolder(join(this.#options.folder, 'engine', String(repositoryId)));
    await privateFolder(this.exports);
    await mkdir(this.#options.files, { recursive: true });
    return SqlEngine.open({
      folder,
      files: this.#options.files,
      openFiles: false,
      properties: {},
      tables: { newFile: () => join(this.exports, 'new') },
    });
  }

  /**
   * Connects to the database of a repository. Opens it first if necessary, and creates missing
   * `schemas`.
   */
  async connect(repositoryId: number, schemas: readonly string[]): Promise<DuckDBConnection> {
    const connection = await (await this.#open(repositoryId)).connect();
    // The connection may come from a pool of fresh ones, but has never been used.
    for (const sql of additions) await connection.run(sql);
    for (const schema of schemas)
      await connection.run(`CREATE SCHEMA IF NOT EXISTS ${quoteName(schema)}`);
    return connection;
  }
}

/** An {@link Engine} on one connection. */
export class ConnectionEngine implements Engine {
  readonly connection: DuckDBConnection;

  constructor(connection: DuckDBConnection) {
    this.connection = connection;
  }

  async query(sql: string, signal?: AbortSignal): Promise<QueryResult> {
    try {
      return await interruptible(this.connection, signal, () =>
        slots.use(signal, async () => {
          const result = await this.connection.runAndReadAll(sql);
          const columns = result
            .columnNames()
            .map((name, index) => ({ name, type: String(result.columnType(index)) }));
          return { columns, rows: result.getRows().map((row) => row.map(resultValueOf)) };
        }),
      );
    } catch (error) {
      signal?.throwIfAborted();
      throw new ExecutionError(engineMessage(errorText(error)));
    }
  }

  /** Runs `work` in a transaction. Rolls back if a statement fails or `work` throws. */
  async transaction(work: () => Promise<void>): Promise<void> {
    await this.query('BEGIN');
    try {
      await work();
      await this.query('COMMIT');
    } catch (error) {
      await this.query('ROLLBACK').catch(() => undefined);
      throw error;
    }
  }
}

function resultValueOf(value: Parameters<typeof formatValue>[0]): QueryResultValue {
  if (
    value === null ||
    typeof value === 'boolean' ||
    typeof value === 'number' ||
    typeof value === 'string'
  )
    return value;
  if (typeof value === 'bigint')
    return value >= -(2n ** 53n) && value <= 2n ** 53n ? Number(value) : value;
  return formatValue(value);
}

/** Removes the engine's `Error: ` prefix from a message. */
export function engineMessage(text: string): string {
  return text.replace(/^(?:Error: )?/, '').trim();
}
