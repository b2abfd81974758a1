/**
 * Manages databases of the SQL engine. Each file is opened and configured once, and shared by every
 * instance of the interpreter.
 */
import { chmod, mkdir, realpath } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { InterpreterHost } from '../contract.ts';
import { quoteName, quoteText, splitStatements, tableNameParts } from './script.ts';

/** Location of a database and the files that it may access. */
export type EnginePlace = Pick<InterpreterHost, 'folder' | 'files' | 'openFiles' | 'properties'> & {
  readonly tables: Pick<InterpreterHost['tables'], 'newFile'>;
};

const gigabyte = 1024 ** 3;

/**
 * Open databases by path. They stay open until the process ends: results keep the file open until
 * they are garbage collected, and the lock does not stop a process from opening a file twice.
 */
const engines = new Map<string, Promise<SqlEngine>>();

/** An open, configured database. */
export class SqlEngine {
  readonly #instance: DuckDBInstance;
  /** Connections from before the configuration was locked. Later ones cannot report progress. */
  readonly #prepared: DuckDBConnection[];

  #confined: Promise<void> | undefined;
  #limits: string;

  private constructor(
    instance: DuckDBInstance,
    prepared: DuckDBConnection[],
    confined: boolean,
    limits: string,
  ) {
    this.#limits = limits;
    this.#instance = instance;
    this.#prepared = prepared;
    if (confined) this.#confined = Promise.resolve();
  }

  /**
   * Returns the database of `host.folder` and opens it if necessary. Rejects with the engine's
   * message if the file is locked by another process or is not a database. The next call tries
   * again.
   */
  static open(host: EnginePlace): Promise<SqlEngine> {
    const file = join(host.folder, 'main.duckdb');
    const known = engines.get(file);
    // An engine with access to all files loses it as soon as other users may sign in, and never
    // regains it.
    if (known)
      return known.then((engine) =>
        engine
          .#limit(host)
          .then(() => (host.openFiles ? undefined : engine.#confine(host)))
          .then(() => engine),
      );
    const opening = SqlEngine.#create(host, file);
    engines.set(file, opening);
    opening.catch(() => engines.delete(file));
    return opening;
  }

  static async #create(host: EnginePlace, file: string): Promise<SqlEngine> {
    const { DuckDBInstance: Instance } = await import('@duckdb/node-api');
    const temp = join(host.folder, 'temp');
    await mkdir(temp, { recursive: true, mode: 0o700 });
    const instance = await Instance.create(file, {
      ...limitsOf(host),
      temp_directory: temp,
      max_temp_directory_size: '20GiB',
      ...(host.openFiles
        ? {}
        : { autoinstall_known_extensions: 'false', autoload_known_extensions: 'false' }),
    });
    await chmod(file, 0o600);
    const first = await instance.connect();
    const prepared = [first];
    if (host.openFiles) await showProgress(first);
    else {
      while (prepared.length < 8) prepared.push(await instance.connect());
      for (const connection of prepared) await showProgress(connection);
      await lock(first, [host.files, dirname(host.tables.newFile())]);
    }
    return new SqlEngine(instance, prepared, !host.openFiles, JSON.stringify(limitsOf(host)));
  }

  /** Applies changed limits immediately, unless the configuration is locked. */
  async #limit(host: EnginePlace): Promise<void> {
    const limits = limitsOf(host);
    const text = JSON.stringify(limits);
    if (text === this.#limits || this.#confined) return;
    this.#limits = text;
    const connection = await this.#instance.connect();
    try {
      await connection.run(`SET memory_limit=${quoteText(limits.memory_limit)}`);
      await connection.run(
        limits.threads === undefined ? 'RESET threads' : `SET threads=${Number(limits.threads)}`,
      );
    } finally {
      connection.disconnectSync();
    }
  }

  #confine(host: EnginePlace): Promise<void> {
    this.#confined ??= (async () => {
      const connection = await this.connect();
      try {
        await connection.run('SET autoinstall_known_extensions=false');
        await connection.run('SET autoload_known_extensions=false');
        await lock(connection, [host.files, dirname(host.tables.newFile())]);
      } finally {
        connection.disconnectSync();
      }
    })();
    this.#confined.catch(() => (this.#confined = undefined));
    return this.#confined;
  }

  /** Returns a new connection, which the caller must disconnect. */
  async connect(): Promise<DuckDBConnection> {
    const ready = this.#prepared.pop();
    if (ready) return ready;
    const connection = await this.#instance.connect();
    // Fails if the configuration is locked. In that case this connection reports no progress.
    await showProgress(connection).catch(() => undefined);
    return connection;
  }

  /** Runs `work` on a separate connection, then closes it. `signal` interrupts the work. */
  async with<T>(
    signal: AbortSignal | undefined,
    work: (connection: DuckDBConnection) => Promise<T>,
  ): Promise<T> {
    const connection = await this.#instance.connect();
    try {
      return await interruptible(connection, signal, () => work(connection));
    } finally {
      connection.disconnectSync();
    }
  }

  /** Writes a table (by name) or the result of one SELECT to a Parquet file. */
  async writeParquet(query: string, file: string, signal?: AbortSignal): Promise<void> {
    const parts = tableNameParts(query);
    await this.with(signal, async (connection) => {
      const select = parts
        ? `SELECT * FROM ${parts.map(quoteName).join('.')}`
        : await oneSelect(connection, query);
      // The line end closes a trailing comment of the query.
      const options = '(FORMAT parquet, COMPRESSION zstd, USE_TMP_FILE false)';
      const sql = `COPY (${select}\n) TO ${quoteText(file)} ${options}`;
      await slots.use(signal, () => connection.run(sql));
    });
  }

  /** Loads a Parquet file into a table, replacing a table or view of that name. */
  async readParquet(name: string, file: string, signal?: AbortSignal): Promise<void> {
    const rows = `SELECT * FROM read_parquet(${quoteText(file)})`;
    const sql = `CREATE OR REPLACE TABLE ${quoteName(name)} AS ${rows}`;
    await this.with(signal, (connection) =>
      slots.use(signal, async () => {
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
  const { StatementType } = await import('@duckdb/node-api');
  const type = prepared.statementType;
  prepared.destroySync();
  if (type !== StatementType.SELECT)
    throw new Error('Only a SELECT returns a table. Run other statements in a %sql paragraph.');
  return statement;
}

async function showProgress(connection: DuckDBConnection): Promise<void> {
  await connection.run('SET enable_progress_bar=true');
  await connection.run('SET enable_progress_bar_print=false');
  await connection.run('SET progress_bar_time=0');
}

/** Confines the engine to `folders`. This cannot be undone. */
async function lock(connection: DuckDBConnection, folders: readonly string[]): Promise<void> {
  const real = await Promise.all(folders.map((folder) => realpath(folder).catch(() => folder)));
  const list = [...new Set([...folders, ...real])].map(quoteText).join(', ');
  await connection.run(`SET allowed_directories=[${list}]`);
  await connection.run('SET allow_community_extensions=false');
  await connection.run('SET enable_external_access=false');
  await connection.run('SET lock_configuration=true');
}

function limitsOf({ properties }: EnginePlace): { memory_limit: string; threads?: string } {
  const threads = properties['sql.threads'];
  return {
    memory_limit: properties['sql.memoryLimit'] || `${Math.floor(memoryLimit() / 1024 ** 2)}MiB`,
    ...(threads ? { threads } : {}),
  };
}

/** Default memory limit in bytes: half of the memory available to this process, at most 8 GiB. */
function memoryLimit(): number {
  const constrained = process.constrainedMemory();
  const total = constrained > 0 && constrained < totalmem() ? constrained : totalmem();
  return Math.min(total / 2, 8 * gigabyte);
}

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
 * Limits the number of concurrent statements. A running statement holds a thread of Node's pool,
 * which file access also needs, so one thread always stays free.
 */
class Slots {
  #free = Math.max(1, (Number(process.env['UV_THREADPOOL_SIZE']) || 4) - 1);
  readonly #waiting: (() => void)[] = [];

  /**
   * Runs `work` when a slot is free. Rejects with the signal's reason if it aborts while waiting.
   */
  async use<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await this.#wait(signal);
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    }
  }

  #wait(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const go = (): void => {
        signal?.removeEventListener('abort', stop);
        resolve();
      };
      const stop = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(go), 1);
        reject(signal?.reason instanceof Error ? signal.reason : new Error('Aborted'));
      };
      this.#waiting.push(go);
      signal?.addEventListener('abort', stop, { once: true });
    });
  }
}

export const slots = new Slots();

/** Returns the message of a thrown value. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
