/**
 * The databases of the platform. Each repository has its own, which can only access the server's
 * files.
 */

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { QuerySource } from '../interpreters/sql/complete.ts';
import type { QueryResult } from '../interpreters/sql/engine/query-result.ts';
import {
  type EngineLocation,
  errorText,
  type SqlConnection,
  SqlEngine,
} from '../interpreters/sql/engine.ts';
import { quoteName } from '../interpreters/sql/script.ts';
import { privateFolder } from '../storage/files.ts';
import { type Engine, ExecutionError } from './contract.ts';

/** Locations of the databases and the files. */
export interface EnginesOptions {
  /** Folder for the catalogue, engine and exports. Absolute path. */
  readonly folder: string;
  /** Folder with the users' files. Absolute path. */
  readonly files: string;
  /** Maximum memory of an engine process, in MB. */
  readonly engineMegabytes: number;
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

  /** Returns a repository's database, for statements that are independent of the sessions. */
  async database(repositoryId: number): Promise<QuerySource> {
    return SqlEngine.open(await this.#locationOf(repositoryId));
  }

  async #locationOf(repositoryId: number): Promise<EngineLocation> {
    const folder = await privateFolder(join(this.#options.folder, 'engine', String(repositoryId)));
    await privateFolder(this.exports);
    await mkdir(this.#options.files, { recursive: true });
    return {
      folder,
      fileFolders: [this.#options.files],
      openFiles: false,
      jsonErrors: true,
      engineMegabytes: this.#options.engineMegabytes,
      properties: {},
      tables: { newFile: () => join(this.exports, 'new') },
    };
  }

  /**
   * Connects to the database of a repository. Opens it first if necessary, and creates missing
   * `schemas`.
   */
  async connect(repositoryId: number, schemas: readonly string[]): Promise<SqlConnection> {
    const place = await this.#locationOf(repositoryId);
    const connection = await (await SqlEngine.open(place)).connect(place);
    // The connection may come from a pool of fresh ones, but has never been used.
    for (const sql of additions) await connection.query(sql);
    for (const schema of schemas)
      await connection.query(`CREATE SCHEMA IF NOT EXISTS ${quoteName(schema)}`);
    return connection;
  }
}

export class ConnectionEngine implements Engine {
  readonly connection: SqlConnection;

  constructor(connection: SqlConnection) {
    this.connection = connection;
  }

  async query(
    sql: string,
    signal?: AbortSignal,
    progress?: (percent: number) => void,
  ): Promise<QueryResult> {
    try {
      return await this.connection.query(sql, signal, progress);
    } catch (error) {
      signal?.throwIfAborted();
      throw engineError(errorText(error), sql);
    }
  }
}

/** An error as the engine reports it in JSON. Text may follow the JSON, after a line break. */
const reported = /^(?:[\w ]+ Error: )?(\{"exception_type":.*\})(?:\n([\s\S]*))?$/;

/** Converts an error text of the engine. `sql` is the SQL that it ran. */
export function engineError(text: string, sql: string): ExecutionError {
  const found = reported.exec(text);
  if (!found) return new ExecutionError(text.replace(/^Error: /, '').trim());
  const { exception_type, exception_message, position, name } = JSON.parse(found[1]!) as {
    exception_type: string;
    exception_message: string;
    position?: string;
    name?: string;
  };
  const [first = ''] = exception_message.split('\n');
  const wrong =
    name ?? [...first.matchAll(/"([^"]+)"|\bcolumn (\w+)/g)].at(-1)?.slice(1).find(Boolean);
  return new ExecutionError(
    [`${exception_type} Error: ${exception_message}`, ...(found[2] ? [found[2]] : [])]
      .join('\n')
      .trim(),
    {
      sql: { text: sql, offset: characterOffset(sql, position) },
      ...(wrong === undefined ? {} : { name: { ref: [wrong] } }),
    },
  );
}

/** Converts a position of the engine, in bytes of UTF-8, to an offset in the text. */
export const characterOffset = (
  text: string,
  position: string | number | undefined,
): number | undefined =>
  position === undefined
    ? undefined
    : Buffer.from(text).subarray(0, Number(position)).toString().length;
