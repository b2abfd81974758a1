/** The databases of the platform: one a repository, confined to the files of the server. */
import type { DuckDBConnection } from '@duckdb/node-api';
import { join } from 'node:path';
import { mkdir } from 'node:fs/promises';
import { privateFolder } from '../files.ts';
import { errorText, interruptible, slots, SqlEngine } from '../interpreters/sql-engine.ts';
import { formatValue } from '../interpreters/sql-format.ts';
import { quoteName } from '../interpreters/sql-script.ts';
import { ExecutionError, type Answer, type AnswerValue, type Engine } from './contract.ts';

/** Where the databases are and what they reach. */
export interface EnginesOptions {
  /** Folder of the platform. Absolute. */
  readonly folder: string;
  /** Folder of the users' files. Absolute. */
  readonly files: string;
}

/** Functions and types that the platform has and the engine has not. Each session makes its own. */
const additions = [
  'CREATE OR REPLACE TEMP MACRO mid(text, start, length) AS substring(text, start, length)',
  'CREATE OR REPLACE TEMP MACRO nvl(value, other) AS coalesce(value, other)',
  'CREATE OR REPLACE TEMP MACRO "isnull"(value) AS value IS NULL',
  'CREATE OR REPLACE TEMP MACRO editdistance(one, other) AS levenshtein(one, other)',
  'CREATE TEMP TYPE money AS DECIMAL(19, 4)',
  'CREATE TEMP TYPE number AS DOUBLE',
];

/** See the head of this file. */
export class Engines {
  readonly #options: EnginesOptions;

  constructor(options: EnginesOptions) {
    this.#options = options;
  }

  /** Folder that the engine and nobody else writes files for download to. */
  get exports(): string {
    return join(this.#options.folder, 'exports');
  }

  /** Asks the database of a repository something beside the sessions. */
  async look<T>(
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

  /** A connection to the database of a repository, which is opened and brought in line with `schemas` where it is not open yet. */
  async connect(repositoryId: number, schemas: readonly string[]): Promise<DuckDBConnection> {
    const connection = await (await this.#open(repositoryId)).connect();
    // A connection may be one of those that were made beforehand, never one that was used.
    for (const sql of additions) await connection.run(sql);
    for (const schema of schemas)
      await connection.run(`CREATE SCHEMA IF NOT EXISTS ${quoteName(schema)}`);
    return connection;
  }
}

/** A connection as an {@link Engine}. */
export class ConnectionEngine implements Engine {
  readonly connection: DuckDBConnection;

  constructor(connection: DuckDBConnection) {
    this.connection = connection;
  }

  async query(sql: string, signal?: AbortSignal): Promise<Answer> {
    try {
      return await interruptible(this.connection, signal, () =>
        slots.use(signal, async () => {
          const result = await this.connection.runAndReadAll(sql);
          const columns = result
            .columnNames()
            .map((name, index) => ({ name, type: String(result.columnType(index)) }));
          return { columns, rows: result.getRows().map((row) => row.map(valueOf)) };
        }),
      );
    } catch (error) {
      signal?.throwIfAborted();
      throw new ExecutionError(engineMessage(errorText(error)));
    }
  }

  /** Runs statements in a transaction; what fails, and what `then` throws, undoes all of them. */
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

function valueOf(value: Parameters<typeof formatValue>[0]): AnswerValue {
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

/** The engine's words, without what it says of itself. */
export function engineMessage(text: string): string {
  return text.replace(/^(?:Error: )?/, '').trim();
}
