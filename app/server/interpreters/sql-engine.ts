/** The SQL engine's database: opened once per file, set up, and shared by every instance of the interpreter. */
import { chmod, mkdir, realpath } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { InterpreterHost } from './contract.ts';
import { quoteName, quoteText, splitStatements, tableNameParts } from './sql-script.ts';

/** Where a database is, and what it may reach. */
export type EnginePlace = Pick<InterpreterHost, 'folder' | 'files' | 'openFiles' | 'properties'> & {
  readonly tables: Pick<InterpreterHost['tables'], 'newFile'>;
};

const gigabyte = 1024 ** 3;

/**
 * Open databases by path. They stay open until the process ends: results keep the file open until they are garbage
 * collected, and a file opened twice by one process is not protected by its lock.
 */
const engines = new Map<string, Promise<SqlEngine>>();

/** A database that is open and set up. */
export class SqlEngine {
  readonly #instance: DuckDBInstance;
  /** Connections made before the configuration was locked: only these can report progress. */
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
   * The database of `host.folder`, opened when it is not open yet. Rejects with the engine's message when the file is
   * locked by another process or is no database; the next call tries again.
   */
  static open(host: EnginePlace): Promise<SqlEngine> {
    const file = join(host.folder, 'main.duckdb');
    const known = engines.get(file);
    // An engine that had every file loses them when somebody else may sign in; it never gets them back.
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

  /** Changed limits hold at once, except where the configuration is locked. */
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

  /** A new connection; the caller disconnects it. */
  async connect(): Promise<DuckDBConnection> {
    const ready = this.#prepared.pop();
    if (ready) return ready;
    const connection = await this.#instance.connect();
    // Refused where the configuration is locked; then this connection reports no progress.
    await showProgress(connection).catch(() => undefined);
    return connection;
  }

  /** Runs `work` on a connection of its own, which is closed after it; `signal` interrupts it. */
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

  /** Writes a table (by name) or the answer of one SELECT to a Parquet file. */
  async writeParquet(query: string, file: string, signal?: AbortSignal): Promise<void> {
    const parts = tableNameParts(query);
    await this.with(signal, async (connection) => {
      const select = parts
        ? `SELECT * FROM ${parts.map(quoteName).join('.')}`
        : await oneSelect(connection, query);
      // The line end closes a comment that the query may end with.
      const sql = `COPY (${select}\n) TO ${quoteText(file)} (FORMAT parquet, COMPRESSION zstd, USE_TMP_FILE false)`;
      await slots.use(signal, () => connection.run(sql));
    });
  }

  /** Makes a Parquet file a table, replacing a table or view of that name. */
  async readParquet(name: string, file: string, signal?: AbortSignal): Promise<void> {
    const sql = `CREATE OR REPLACE TABLE ${quoteName(name)} AS SELECT * FROM read_parquet(${quoteText(file)})`;
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

/** Rejects unless `query` is one SELECT; returns it without a trailing `;`. */
async function oneSelect(connection: DuckDBConnection, query: string): Promise<string> {
  const statements = splitStatements(query);
  const statement = statements[0];
  if (statement === undefined || statements.length > 1)
    throw new Error('Exactly one SELECT is wanted here.');
  const extracted = await connection.extractStatements(statement);
  if (extracted.count > 1) return statement;
  const prepared = await extracted.prepare(0);
  const { StatementType } = await import('@duckdb/node-api');
  const type = prepared.statementType;
  prepared.destroySync();
  if (type !== StatementType.SELECT)
    throw new Error('Only a SELECT gives a table; run other statements in a %sql paragraph.');
  return statement;
}

async function showProgress(connection: DuckDBConnection): Promise<void> {
  await connection.run('SET enable_progress_bar=true');
  await connection.run('SET enable_progress_bar_print=false');
  await connection.run('SET progress_bar_time=0');
}

/** Confines the engine to `folders`; nothing can loosen it afterwards. */
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

/** Half of the memory that this process may use, at most 8 GiB. */
function memoryLimit(): number {
  const constrained = process.constrainedMemory();
  const total = constrained > 0 && constrained < totalmem() ? constrained : totalmem();
  return Math.min(total / 2, 8 * gigabyte);
}

/** Runs `work`; while `signal` is aborted the connection is interrupted until `work` settles. */
export async function interruptible<T>(
  connection: DuckDBConnection,
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  let timer: NodeJS.Timeout | undefined;
  const stop = (): void => {
    connection.interrupt();
    // Again and again: an interrupt between two calls into the engine is lost.
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
 * Statements that run at the same time. A running statement holds a thread of Node's pool, which file access needs too:
 * one thread always stays free.
 */
class Slots {
  #free = Math.max(1, (Number(process.env['UV_THREADPOOL_SIZE']) || 4) - 1);
  readonly #waiting: (() => void)[] = [];

  /** Runs `work` when a slot is free. Rejects with the signal's reason when it aborts while waiting. */
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

/** The slots of this process. */
export const slots = new Slots();

/** The message of whatever was thrown. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
