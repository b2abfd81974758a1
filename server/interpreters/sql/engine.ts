/**
 * The databases of the SQL engine. Each has its own process, which is shared by every session on it
 * and started on demand. The server only handles bounded pieces of its results.
 */
import { realpath } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type RecordBatch, RecordBatchReader } from 'apache-arrow';
import { privateFolder } from '../../storage/files.ts';
import type { InterpreterHost, KeptTable, RunEnd } from '../contract.ts';
import type { EngineLimits, EngineRequest, OutputPiece, StoredState } from './engine/messages.ts';
import { type CallOptions, EngineEnded, EngineProcess, LOST_STATE } from './engine/process.ts';
import type { QueryResult } from './engine/query-result.ts';
import type { EngineScript } from './engine/run.ts';

/** Location of a database and the files that it may access. */
export type EngineLocation = Pick<
  InterpreterHost,
  'folder' | 'fileFolders' | 'openFiles' | 'properties' | 'engineMegabytes'
> & {
  readonly tables: Pick<InterpreterHost['tables'], 'newFile'>;
  /** If it differs from `folder`, the database shares tables with others of this setting. */
  readonly settingFolder?: string;
  /** Whether errors are JSON with a position, instead of text that quotes the SQL. */
  readonly jsonErrors?: boolean;
};

const MEGABYTE = 2 ** 20;
const GIGABYTE = 2 ** 30;
/** Memory of an engine process beyond what DuckDB counts, in bytes. */
const UNCOUNTED_BYTES = 512 * MEGABYTE;

/** Name of the database in its folder. */
export const DATABASE_FILE = 'main.duckdb';
const SHARED_FILE = 'shared.duckdb';
/** Engines by database file. */
const engines = new Map<string, SqlEngine>();

interface SqlScript extends Omit<EngineScript, 'flush'> {
  progress(percent: number): void;
}

/** How to read or write a table. */
interface TableOptions {
  readonly signal?: AbortSignal | undefined;
  /** Schema that is searched before `main`, and in which tables are created. */
  readonly schema?: string | undefined;
}

/** The database of a folder. */
export class SqlEngine {
  readonly #file: string;
  #process: Promise<EngineProcess> | undefined;
  #confined = false;
  #limits: EngineLimits | undefined;
  #connections = 0;

  private constructor(file: string) {
    this.#file = file;
  }

  /**
   * Returns the database of `host.folder` and opens it if necessary. Rejects with the engine's
   * message if the file is locked by another process or is not a database. The next call tries
   * again.
   */
  static async open(host: EngineLocation): Promise<SqlEngine> {
    const file = join(host.folder, DATABASE_FILE);
    let engine = engines.get(file);
    if (!engine) engines.set(file, (engine = new SqlEngine(file)));
    await engine.#ready(host);
    return engine;
  }

  /** Returns the running process, configured for `host`. */
  async #ready(host: EngineLocation): Promise<EngineProcess> {
    for (;;) {
      if (!this.#process) {
        const starting = this.#start(host);
        this.#process = starting;
        starting.catch(() => this.#process === starting && (this.#process = undefined));
      }
      const current = this.#process;
      const running = await current;
      if (!running.isOver) {
        await this.#configure(running, host);
        return running;
      }
      // The file is locked until the process has ended.
      await running.gone;
      if (this.#process === current) this.#process = undefined;
    }
  }

  async #start(host: EngineLocation): Promise<EngineProcess> {
    const limits = limitsOf(host);
    this.#limits = limits;
    this.#confined = !host.openFiles;
    const { folder } = host;
    const shared = sharedFolderOf(host);
    if (shared) await privateFolder(shared);
    const engine = await EngineProcess.start(folder, () => this.#limits!.processBytes);
    try {
      await engine.call({
        call: 'open',
        options: {
          file: this.#file,
          temporaryFolder: join(folder, 'temp'),
          limits,
          jsonErrors: host.jsonErrors === true,
          ...(shared ? { sharedFile: join(shared, SHARED_FILE) } : {}),
          ...(host.openFiles ? {} : { onlyFolders: await foldersOf(host) }),
        },
      });
    } catch (error) {
      await engine.close();
      throw error;
    }
    return engine;
  }

  /**
   * Applies changed limits. An engine with access to all files loses it as soon as other users may
   * sign in, and regains it only in a new process.
   */
  async #configure(engine: EngineProcess, host: EngineLocation): Promise<void> {
    const limits = limitsOf(host);
    const confine = !host.openFiles && !this.#confined;
    if (this.#confined || (!confine && isDeepStrictEqual(limits, this.#limits))) return;
    await engine.call({
      call: 'configure',
      limits,
      ...(confine ? { onlyFolders: await foldersOf(host) } : {}),
    });
    this.#limits = limits;
    this.#confined ||= confine;
  }

  /**
   * Returns a new connection, which the caller must close. It creates tables in `schema`, or in
   * `main` if absent.
   */
  async connect(host: EngineLocation, schema?: string): Promise<SqlConnection> {
    const engine = await this.#ready(host);
    const connection = (this.#connections += 1);
    await engine.call({ call: 'connect', connection, schema });
    return new SqlConnection(engine, connection);
  }

  /** Runs one statement on a separate connection. */
  async query(sql: string, signal?: AbortSignal): Promise<QueryResult> {
    return (await this.#call({ call: 'query', sql }, signal)) as QueryResult;
  }

  /** Writes a table (by name) or the result of one SELECT to a Parquet file. */
  async writeParquet(
    query: string,
    file: string,
    { signal, schema }: TableOptions = {},
  ): Promise<void> {
    await this.#call({ call: 'writeParquet', query, file, schema }, signal);
  }

  /** Loads a Parquet file into a table, replacing a table or view of that name. */
  async readParquet(
    name: string,
    file: string,
    { signal, schema }: TableOptions = {},
  ): Promise<void> {
    await this.#call({ call: 'readParquet', name, file, schema }, signal);
  }

  async dropSchema(schema: string): Promise<void> {
    await this.#call({ call: 'dropSchema', schema }, undefined);
  }

  async #call(request: EngineRequest, signal: AbortSignal | undefined): Promise<unknown> {
    const engine = await this.#process;
    if (!engine) throw new EngineEnded('The SQL engine has ended. Run the query again.');
    return engine.call(request, { signal });
  }
}

/** A connection: temporary tables, variables and a transaction of its own. */
export class SqlConnection {
  readonly #engine: EngineProcess;
  readonly #connection: number;
  readonly #interrupts = new Set<AbortController>();
  /** Whether statements have run whose effect is lost with the connection. */
  hasState = false;

  constructor(engine: EngineProcess, connection: number) {
    this.#engine = engine;
    this.#connection = connection;
  }

  /** Whether the engine has ended, so that the connection is of no use. */
  get isLost(): boolean {
    return this.#engine.isOver;
  }

  /**
   * Runs the statements in order. The first failure ends the script and rolls back an open
   * transaction. Rejects with {@link EngineEnded} if the process ends, unless `signal` aborted.
   */
  async run(script: SqlScript): Promise<RunEnd> {
    const { code, fileFolders, keep, limit, output, signal } = script;
    this.hasState ||= mayHaveState(code);
    const tables = new Map<number, KeptTable>();
    const handle = (piece: OutputPiece): void => {
      if (piece.kind === 'write') output.write(piece.text);
      else if (piece.kind === 'add') output.add('TEXT', piece.text);
      else if (piece.kind === 'begin')
        tables.set(piece.table, keep!.begin(RecordBatchReader.from(piece.schema).open().schema));
      else if (piece.kind === 'whole') output.whole(tables.get(piece.table)!);
      else if (piece.kind === 'storing') output.storing(tables.get(piece.table)!, piece.rows);
      else tables.get(piece.table)!.end(piece.written);
    };
    const store = async (table: number, bytes: Uint8Array | undefined): Promise<StoredState> => {
      const kept = tables.get(table)!;
      let accepts = true;
      if (!bytes) {
        const target = await kept.moveToDatabase?.();
        return { accepts, length: 0, stopped: kept.stopped, target };
      }
      for (const batch of RecordBatchReader.from(bytes) as Iterable<RecordBatch>)
        accepts = await kept.write(batch);
      return { accepts, length: kept.length, stopped: kept.stopped };
    };
    try {
      return (await this.#call(
        {
          call: 'run',
          connection: this.#connection,
          code,
          fileFolders,
          limit,
          keep: keep !== undefined,
        },
        {
          signal,
          output: (pieces) => pieces.forEach(handle),
          batch: store,
          progress: (percent) => script.progress(percent),
        },
      )) as RunEnd;
    } catch (error) {
      if (!signal.aborted) throw error;
      if (error instanceof EngineEnded) output.add('TEXT', `${error.message}\n`);
      return { code: 'ABORT' };
    }
  }

  /** Runs one statement. Rejects with the engine's message. */
  async query(
    sql: string,
    signal?: AbortSignal,
    progress?: (percent: number) => void,
  ): Promise<QueryResult> {
    return (await this.#call(
      { call: 'query', connection: this.#connection, sql },
      { signal, ...(progress ? { progress } : {}) },
    )) as QueryResult;
  }

  async #call(request: EngineRequest, options: CallOptions): Promise<unknown> {
    const interrupt = new AbortController();
    this.#interrupts.add(interrupt);
    const signals = options.signal ? [options.signal, interrupt.signal] : [interrupt.signal];
    try {
      return await this.#engine.call(request, { ...options, signal: AbortSignal.any(signals) });
    } finally {
      this.#interrupts.delete(interrupt);
    }
  }

  /** Interrupts the active statements, which then reject. */
  interrupt(): void {
    for (const each of this.#interrupts) each.abort();
  }

  /** Closes the connection, which drops its temporary tables. */
  async close(): Promise<void> {
    await this.#engine
      .call({ call: 'disconnect', connection: this.#connection })
      .catch(() => undefined);
  }
}

/** Notice for a session whose engine ended between two runs. */
export const RESTARTED_NOTICE = `The SQL engine was restarted. ${LOST_STATE}`;

/** Whether a script may leave something that is lost when its connection is closed. */
const mayHaveState = (code: string): boolean =>
  /\b(?:temp|temporary|variable|begin|start|use|set|prepare|attach)\b/i.test(code);

/** The folder of the tables that a database shares with others, if it does. */
function sharedFolderOf({ folder, settingFolder = folder }: EngineLocation): string | undefined {
  return settingFolder === folder ? undefined : join(settingFolder, 'shared');
}

async function foldersOf(host: EngineLocation): Promise<string[]> {
  const shared = sharedFolderOf(host);
  const folders = [
    ...host.fileFolders,
    dirname(host.tables.newFile()),
    ...(shared ? [shared] : []),
  ];
  const real = await Promise.all(folders.map((folder) => realpath(folder).catch(() => folder)));
  return [...new Set([...folders, ...real])];
}

const units: Readonly<Record<string, number>> = { k: 1, m: 2, g: 3, t: 4 };

/** Converts `512MiB` or `4GB` to bytes, as the engine does. */
function bytesOf(text: string): number {
  const [, number, unit, binary] = /^([\d.]+) ?([KMGT])(i?)B$/i.exec(text)!;
  return Number(number) * (binary ? 1024 : 1000) ** units[unit!.toLowerCase()]!;
}

/** Limits of an engine process. What DuckDB counts stays below the limit of the process. */
function limitsOf({ engineMegabytes, properties }: EngineLocation): EngineLimits {
  const threads = properties['sql.threads'];
  const most = engineMegabytes * MEGABYTE;
  const counted = most > 2 * UNCOUNTED_BYTES ? most - UNCOUNTED_BYTES : most / 2;
  const wanted = properties['sql.memoryLimit'];
  const bytes = wanted ? bytesOf(wanted) : defaultMemory();
  return {
    memory_limit:
      wanted && bytes <= counted ? wanted : `${Math.floor(Math.min(bytes, counted) / MEGABYTE)}MiB`,
    processBytes: Math.min(most, bytes + UNCOUNTED_BYTES),
    ...(threads ? { threads } : {}),
  };
}

/** Half of the memory available to this process, at most 8 GiB. */
function defaultMemory(): number {
  const constrained = process.constrainedMemory();
  const total = constrained > 0 && constrained < totalmem() ? constrained : totalmem();
  return Math.min(total / 2, 8 * GIGABYTE);
}

/** Returns the message of a thrown value. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
