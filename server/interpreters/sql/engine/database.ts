/** The database of an engine process. */
import { chmod, mkdir } from 'node:fs/promises';
import { type DuckDBConnection, DuckDBInstance, StatementType } from '@duckdb/node-api';
import { Slots } from '../../../base/slots.ts';
import { quoteName, quoteText, splitStatements, tableNameParts } from '../script.ts';
import type { EngineLimits, EngineRequest, OpenOptions } from './messages.ts';
import { selectOf, withIntervals } from './results/parquet-types.ts';
import { SharedTables } from './shared-tables.ts';

/** An open, configured database. */
export class Database {
  readonly #instance: DuckDBInstance;
  /** Connections from before the configuration was locked. Later ones cannot report progress. */
  readonly #prepared: DuckDBConnection[];
  #isConfined: boolean;
  /** Absent if all its users share one database. */
  readonly shared: SharedTables | undefined;

  private constructor(
    instance: DuckDBInstance,
    prepared: DuckDBConnection[],
    { onlyFolders, sharedFile }: OpenOptions,
  ) {
    this.#instance = instance;
    this.#prepared = prepared;
    this.#isConfined = onlyFolders !== undefined;
    this.shared = sharedFile === undefined ? undefined : new SharedTables(sharedFile);
  }

  /** Rejects with the engine's message if the file is locked or is not a database. */
  static async open(options: OpenOptions): Promise<Database> {
    const { file, limits, onlyFolders, temporaryFolder, jsonErrors } = options;
    await mkdir(temporaryFolder, { recursive: true, mode: 0o700 });
    const instance = await DuckDBInstance.create(file, {
      memory_limit: limits.memory_limit,
      ...(limits.threads ? { threads: limits.threads } : {}),
      temp_directory: temporaryFolder,
      max_temp_directory_size: '20GiB',
      errors_as_json: String(jsonErrors),
      ...(onlyFolders
        ? { autoinstall_known_extensions: 'false', autoload_known_extensions: 'false' }
        : {}),
    });
    await chmod(file, 0o600);
    const first = await instance.connect();
    const prepared = [first];
    if (!onlyFolders) await showProgress(first);
    else {
      while (prepared.length < 8) prepared.push(await instance.connect());
      for (const connection of prepared) await showProgress(connection);
      await lock(first, onlyFolders);
    }
    return new Database(instance, prepared, options);
  }

  /** Applies changed limits, and confines the engine. Does nothing if it is confined already. */
  async configure(limits: EngineLimits, onlyFolders?: readonly string[]): Promise<void> {
    if (this.#isConfined) return;
    await withConnection(this.#instance, async (connection) => {
      await connection.run(`SET memory_limit=${quoteText(limits.memory_limit)}`);
      await connection.run(
        limits.threads === undefined ? 'RESET threads' : `SET threads=${Number(limits.threads)}`,
      );
      if (!onlyFolders) return;
      await connection.run('SET autoinstall_known_extensions=false');
      await connection.run('SET autoload_known_extensions=false');
      await lock(connection, onlyFolders);
      this.#isConfined = true;
    });
  }

  /**
   * Returns a new connection, which the caller must disconnect. It creates tables in `schema`,
   * which is created if necessary; without it, in `main`.
   */
  async connect(schema?: string): Promise<DuckDBConnection> {
    let connection = this.#prepared.pop();
    if (!connection) {
      connection = await this.#instance.connect();
      // Fails if the configuration is locked. In that case this connection reports no progress.
      await showProgress(connection).catch(() => undefined);
    }
    await useSchema(connection, schema);
    return connection;
  }

  /** Drops a schema with its tables. Does nothing if there is none. */
  async dropSchema(schema: string): Promise<void> {
    const sql = `DROP SCHEMA IF EXISTS ${quoteName(schema)} CASCADE`;
    await this.with(sql, undefined, (connection) => connection.run(sql));
  }

  /**
   * Runs `work` on a separate connection, then closes it. `signal` interrupts the work. `sql` tells
   * whether it needs the shared tables.
   */
  async with<T>(
    sql: string,
    signal: AbortSignal | undefined,
    work: (connection: DuckDBConnection) => Promise<T>,
  ): Promise<T> {
    return withConnection(this.#instance, (connection) => {
      const run = () => interruptible(connection, signal, () => work(connection));
      // Detaching the shared tables must not be interrupted.
      return this.shared ? this.shared.use({ connection, sql, signal }, run) : run();
    });
  }

  /** Writes everything to the file and closes it. */
  close(): void {
    this.#instance.closeSync();
  }

  /** Writes a table (by name) or the result of one SELECT to a Parquet file. */
  async writeParquet(
    { query, file, schema }: Extract<EngineRequest, { call: 'writeParquet' }>,
    signal?: AbortSignal,
  ): Promise<void> {
    const parts = tableNameParts(query);
    await this.with(query, signal, async (connection) => {
      await useSchema(connection, schema);
      const select = parts
        ? `SELECT * FROM ${parts.map(quoteName).join('.')}`
        : await oneSelect(connection, query);
      // The line end closes a trailing comment of the query.
      const options = '(FORMAT parquet, COMPRESSION zstd, USE_TMP_FILE false)';
      const rows = await withIntervals(connection, select);
      const sql = `COPY (${rows}\n) TO ${quoteText(file)} ${options}`;
      await slots.use(signal, () => connection.run(sql));
    });
  }

  /** Loads a Parquet file into a table, replacing a table or view of that name. */
  async readParquet(
    { name, file, schema }: Extract<EngineRequest, { call: 'readParquet' }>,
    signal?: AbortSignal,
  ): Promise<void> {
    const table = `CREATE OR REPLACE TABLE ${quoteName(name)} AS `;
    await this.with(table, signal, (connection) =>
      slots.use(signal, async () => {
        await useSchema(connection, schema);
        const sql = `${table}${await selectOf(connection, file)}`;
        try {
          await connection.run(sql);
        } catch (error) {
          if (!/is of type View/.test(errorText(error))) throw error;
          await connection.run('BEGIN');
          await connection.run(`DROP VIEW ${quoteName(name)}`);
          await connection.run(sql);
          await connection.run('COMMIT');
        }
      }),
    );
  }
}

/** Returns `query` without a trailing `;`. Rejects unless it is exactly one SELECT. */
async function oneSelect(connection: DuckDBConnection, query: string): Promise<string> {
  const statements = splitStatements(query);
  const statement = statements[0];
  if (statement === undefined || statements.length > 1)
    throw new Error('Exactly one SELECT is allowed here.');
  const extracted = await connection.extractStatements(statement);
  if (extracted.count > 1) return statement;
  const prepared = await extracted.prepare(0);
  const type = prepared.statementType;
  prepared.destroySync();
  if (type !== StatementType.SELECT)
    throw new Error('Only a SELECT returns a table. Run other statements in a %sql paragraph.');
  return statement;
}

/** Lets a connection create tables in `schema`, and find those in `main` too. */
async function useSchema(connection: DuckDBConnection, schema: string | undefined): Promise<void> {
  if (schema === undefined) return;
  const name = quoteName(schema);
  await connection.run(`CREATE SCHEMA IF NOT EXISTS ${name}`);
  // The name under which databases of single notes share tables.
  await connection.run('CREATE SCHEMA IF NOT EXISTS shared');
  await connection.run(`SET search_path=${quoteText(`${name},main`)}`);
}

async function showProgress(connection: DuckDBConnection): Promise<void> {
  await connection.run('SET enable_progress_bar=true');
  await connection.run('SET enable_progress_bar_print=false');
  await connection.run('SET progress_bar_time=0');
}

/** Confines the engine to `folders`. This cannot be undone. */
async function lock(connection: DuckDBConnection, folders: readonly string[]): Promise<void> {
  const list = folders.map(quoteText).join(', ');
  await connection.run(`SET allowed_directories=[${list}]`);
  await connection.run('SET allow_community_extensions=false');
  await connection.run('SET enable_external_access=false');
  await connection.run('SET lock_configuration=true');
}

/** Returns the only value of a query, which is a number. */
export async function selectedNumber(connection: DuckDBConnection, sql: string): Promise<number> {
  const read = await connection.runAndReadAll(sql);
  return Number(read.getRows()[0]![0]);
}

/** Runs `work` on a connection of its own, which is closed then. */
async function withConnection<T>(
  instance: DuckDBInstance,
  work: (connection: DuckDBConnection) => Promise<T>,
): Promise<T> {
  const connection = await instance.connect();
  try {
    return await work(connection);
  } finally {
    connection.disconnectSync();
  }
}

/**
 * Runs `work` on a connection of its own when a thread is free; see {@link interruptible} for
 * `signal`.
 */
export const inSlot = <T>(
  instance: DuckDBInstance,
  signal: AbortSignal | undefined,
  work: (connection: DuckDBConnection) => Promise<T>,
): Promise<T> =>
  withConnection(instance, (connection) =>
    interruptible(connection, signal, () => slots.use(signal, () => work(connection))),
  );

/** Runs `work`. Once `signal` aborts, interrupts the connection until `work` settles. */
export async function interruptible<T>(
  connection: DuckDBConnection,
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  let timer: NodeJS.Timeout | undefined;
  const stop = (): void => {
    connection.interrupt();
    // Repeated, because an interrupt between two calls into the engine has no effect.
    timer ??= setInterval(() => connection.interrupt(), 25);
  };
  signal?.addEventListener('abort', stop, { once: true });
  try {
    return await work();
  } finally {
    signal?.removeEventListener('abort', stop);
    clearInterval(timer);
  }
}

/**
 * Limits the number of concurrent statements. A running statement holds a thread of Node's pool.
 * One thread always stays free for short calls.
 */
export const slots = new Slots(Math.max(1, (Number(process.env['UV_THREADPOOL_SIZE']) || 4) - 1));

/**
 * Returns the message of a thrown value. It names the file that was read, without its folders, and
 * leaves out the lists of options of its reader.
 */
export function errorText(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const file = /^\s*file = .*?([^/\n]+)$/m.exec(message)?.[1];
  const text = message
    .replace(
      /\n+(?:The search space used was|Possible (?:fixes|Solution)):[\s\S]*?(?=\n\nLINE |$)/,
      '',
    )
    .replace(/(["'])\/[^"'\n]*\/([^"'/\n]+)\1/g, '$1$2$1');
  return file === undefined ? text : `Reading ${file}: ${text}`;
}
