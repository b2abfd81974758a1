/**
 * The engine process that reads and queries stored tables. It has no users' data besides them and
 * runs only statements that it builds itself, so all notes share it. It starts on demand.
 */
import { mkdir } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import type { ResultQuery } from '@tiding/client/protocol';
import type { DatabaseTarget } from '../../interpreters/contract.ts';
import type { EngineRequest, ImportedTable } from '../../interpreters/sql/engine/messages.ts';
import {
  type CallOptions,
  EngineEnded,
  EngineProcess,
} from '../../interpreters/sql/engine/process.ts';
import type { QueryTables } from '../../interpreters/sql/engine/results/query-tables.ts';

const MEGABYTE = 2 ** 20;
/** Memory of the process beyond what DuckDB counts, in bytes. */
const UNCOUNTED_BYTES = 512 * MEGABYTE;
/** Maximum memory that DuckDB counts, in bytes. Beyond it, orders of rows move to the disk. */
const MAX_COUNTED_BYTES = 1_024 * MEGABYTE;
/** An unused process ends after this time, in ms. Orders of rows are then computed again. */
const IDLE_MS = 300_000;

/** Runs queries over stored tables. */
export class QueryEngine {
  readonly #folder: string;
  #process: Promise<EngineProcess> | undefined;
  #closed = false;

  /** @param folder for temporary files */
  constructor(folder: string) {
    this.#folder = folder;
  }

  #ready(): Promise<EngineProcess> {
    if (this.#closed) throw new Error('The server is stopping.');
    return (this.#process ??= this.#start().catch((error: unknown) => {
      this.#process = undefined;
      throw error;
    }));
  }

  async #start(): Promise<EngineProcess> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const counted = Math.min(MAX_COUNTED_BYTES, totalmem() / 4);
    const processBytes = counted + UNCOUNTED_BYTES;
    const engine = await EngineProcess.start(this.#folder, () => processBytes, IDLE_MS);
    void engine.gone.then(() => (this.#process = undefined));
    const memory_limit = `${Math.floor(counted / MEGABYTE)}MiB`;
    await engine.call({
      call: 'openResults',
      temporaryFolder: join(this.#folder, 'temp'),
      limits: { memory_limit, processBytes },
    });
    return engine;
  }

  /** A query that ended because of another one is repeated once. */
  async #call(request: EngineRequest, options: CallOptions): Promise<unknown> {
    for (let attempt = 1; ; attempt += 1) {
      const engine = await this.#ready();
      try {
        return await engine.call(request, options);
      } catch (error) {
        if (!(error instanceof EngineEnded) || attempt > 1 || options.signal?.aborted) throw error;
        await engine.gone;
      }
    }
  }

  /** Answers a query with an Arrow stream. */
  async query(
    table: Pick<Extract<EngineRequest, { call: 'queryResult' }>, 'file' | 'rows' | 'zones'>,
    query: ResultQuery,
    signal?: AbortSignal,
  ): Promise<Uint8Array> {
    return (await this.#call({ call: 'queryResult', ...table, query }, { signal })) as Uint8Array;
  }

  /** Returns the tables that each query names; undefined if it can't be parsed. Runs none. */
  async tables(queries: readonly string[]): Promise<(QueryTables | undefined)[]> {
    return (await this.#call({ call: 'queryTables', queries }, {})) as (QueryTables | undefined)[];
  }

  /** Turns a Parquet file or an Arrow stream into a database file. */
  async import(file: string, isParquet: boolean, target: DatabaseTarget): Promise<ImportedTable> {
    const request = { call: 'importResult', file, isParquet, target } as const;
    return (await this.#call(request, {})) as ImportedTable;
  }

  /** Reads a range of rows as Arrow streams with one batch each. */
  async *read(file: string, offset: number, limit: number): AsyncGenerator<Uint8Array> {
    const stop = new AbortController();
    let arrived = deferred<Uint8Array | undefined>();
    let wanted = deferred<boolean>();
    const end = this.#call(
      { call: 'readResult', file, offset, limit },
      {
        signal: stop.signal,
        batch: async (_, batch) => {
          arrived.resolve(batch);
          return { accepts: await wanted.promise, length: 0, stopped: undefined };
        },
      },
    ).then(() => arrived.resolve(undefined));
    end.catch((error: unknown) => arrived.reject(error));
    try {
      for (;;) {
        const batch = await arrived.promise;
        if (!batch) return;
        arrived = deferred();
        yield batch;
        const { resolve } = wanted;
        wanted = deferred();
        resolve(true);
      }
    } finally {
      arrived.promise.catch(() => undefined);
      wanted.resolve(false);
      stop.abort();
    }
  }

  /** Ends the process. */
  async close(): Promise<void> {
    this.#closed = true;
    await (await this.#process?.catch(() => undefined))?.close();
  }
}

interface Deferred<T> {
  readonly promise: Promise<T>;
  resolve(value: T): void;
  reject(error: unknown): void;
}

function deferred<T>(): Deferred<T> {
  let settle: Pick<Deferred<T>, 'resolve' | 'reject'>;
  const promise = new Promise<T>((resolve, reject) => (settle = { resolve, reject }));
  return { promise, ...settle! };
}
