/** The program of an engine process. `messages.ts` describes what it receives and sends. */
import type { DuckDBConnection } from '@duckdb/node-api';
import type { Schema } from 'apache-arrow';
import type { KeptTable, RunOutput, TableKeeper } from '../../contract.ts';
import { streamOf } from './arrow.ts';
import { boundedValue } from './bounded-value.ts';
import { Database, errorText, interruptible, slots } from './database.ts';
import { resultValueOf } from './format.ts';
import { guardMemory } from './memory-guard.ts';
import type { EngineRequest, FromEngine, OutputPiece, StoredState, ToEngine } from './messages.ts';
import type { QueryResult } from './query-result.ts';
import { importArrow } from './results/import-arrow.ts';
import { importParquet } from './results/import-parquet.ts';
import { StoredResults } from './results/stored-results.ts';
import { SqlSession } from './run.ts';

/** Maximum size of a {@link QueryResult}, in characters. */
const MAX_QUERY_RESULT = 64 * 2 ** 20;

interface Session {
  readonly connection: DuckDBConnection;
  readonly session: SqlSession;
}

let database: Database | undefined;
let storedResults: StoredResults | undefined;
let setMemoryLimit: ((bytes: number) => void) | undefined;
const sessions = new Map<number, Session>();
const active = new Map<number, AbortController>();
const confirmations = new Map<number, (state: StoredState | undefined) => void>();

const send = (message: FromEngine): void => void process.send!(message);

/** Sends a message and waits until the server has handled it. */
function sendAndWait(message: FromEngine): Promise<StoredState | undefined> {
  return new Promise((resolve) => {
    confirmations.set(message.id, resolve);
    send(message);
  });
}

/** Sends the output of a run. Nothing is sent before `flush`, except complete batches. */
class Output implements Pick<RunOutput, 'write' | 'add' | 'whole' | 'storing'> {
  readonly #id: number;
  #pieces: OutputPiece[] = [];
  #tables = new Map<KeptTable, number>();

  constructor(id: number) {
    this.#id = id;
  }

  async flush(): Promise<void> {
    if (this.#pieces.length === 0) return;
    const pieces = this.#pieces;
    this.#pieces = [];
    await sendAndWait({ id: this.#id, pieces });
  }

  write(text: string): void {
    this.#pieces.push({ kind: 'write', text });
  }

  add(_type: string, text: string): void {
    this.#pieces.push({ kind: 'add', text });
  }

  whole(table: KeptTable): void {
    this.#pieces.push({ kind: 'whole', table: this.#tables.get(table)! });
  }

  storing(table: KeptTable, rows: number): void {
    this.#pieces.push({ kind: 'storing', table: this.#tables.get(table)!, rows });
  }

  /** Stores tables in the server. */
  keeper(): TableKeeper {
    return {
      limits: { rows: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY },
      begin: (schema) => this.#begin(schema),
      adopt: () => {
        throw new Error('The engine writes batches only.');
      },
    };
  }

  #begin(schema: Schema): KeptTable {
    const table = this.#tables.size;
    this.#pieces.push({ kind: 'begin', table, schema: streamOf(schema) });
    let state: StoredState = { accepts: true, length: 0, stopped: undefined };
    const kept: KeptTable = {
      write: async (batch) => {
        if (!state.accepts) return false;
        await this.flush();
        state = (await sendAndWait({
          id: this.#id,
          table,
          batch: streamOf(batch.schema, [batch]),
        }))!;
        return state.accepts;
      },
      moveToDatabase: async () => {
        await this.flush();
        return (await sendAndWait({ id: this.#id, table }))?.target;
      },
      end: (written) => void this.#pieces.push({ kind: 'end', table, written }),
      get length() {
        return state.length;
      },
      get stopped() {
        return state.stopped;
      },
    };
    this.#tables.set(kept, table);
    return kept;
  }
}

async function query(connection: DuckDBConnection, sql: string): Promise<QueryResult> {
  const result = await connection.run(sql);
  const columns = result
    .columnNames()
    .map((name, index) => ({ name, type: String(result.columnType(index)) }));
  const budget = { left: MAX_QUERY_RESULT, cut: false };
  const rows: QueryResult['rows'][number][] = [];
  for await (const chunk of result) {
    const vectors = columns.map((_, index) => chunk.getColumnVector(index));
    for (let row = 0; row < chunk.rowCount && !budget.cut; row += 1)
      rows.push(vectors.map((vector) => resultValueOf(boundedValue(vector, row, budget))));
    if (budget.cut || budget.left <= 0)
      throw new Error('The result is larger than 64 MB. Select fewer rows or columns.');
  }
  return { columns, rows };
}

/** Reports the progress of a connection until work is done. */
async function withProgress<T>(
  id: number,
  connection: DuckDBConnection,
  work: () => Promise<T>,
): Promise<T> {
  let last = 0;
  const poll = setInterval(() => {
    const percentage = Math.min(100, Math.round(connection.progress.percentage));
    if (percentage > 0 && percentage !== last) send({ id, progress: (last = percentage) });
  }, 100);
  return work().finally(() => clearInterval(poll));
}

async function answer(id: number, request: EngineRequest, signal: AbortSignal): Promise<unknown> {
  if (request.call === 'open') {
    setMemoryLimit = guardMemory(request.options.limits.processBytes);
    database = await Database.open(request.options);
    return undefined;
  }
  if (request.call === 'close') {
    for (const { connection } of sessions.values()) connection.disconnectSync();
    database?.close();
    process.exit(0);
  }
  if (request.call === 'openResults') {
    setMemoryLimit = guardMemory(request.limits.processBytes);
    storedResults = await StoredResults.open(request.temporaryFolder, request.limits);
    return undefined;
  }
  if (request.call === 'readTables') {
    setMemoryLimit ??= guardMemory(request.processBytes);
    const { readTables } = await import('./files/read-tables.ts');
    return readTables(request, signal);
  }
  if (request.call === 'queryResult') return storedResults!.query(request, signal);
  if (request.call === 'queryTables') return storedResults!.tables(request.queries, signal);
  if (request.call === 'importResult')
    return (request.isParquet ? importParquet : importArrow)(request.file, request.target, signal);
  if (request.call === 'readResult')
    return storedResults!.read(request, signal, async (batch) => {
      const state = await sendAndWait({ id, table: 0, batch });
      return state?.accepts === true;
    });
  if (!database) throw new Error('The database is not open.');
  switch (request.call) {
    case 'configure':
      setMemoryLimit?.(request.limits.processBytes);
      return database.configure(request.limits, request.onlyFolders);
    case 'connect': {
      const connection = await database.connect(request.schema);
      const session = new SqlSession(connection, database.shared);
      sessions.set(request.connection, { connection, session });
      return undefined;
    }
    case 'disconnect':
      await sessions.get(request.connection)?.session.close();
      sessions.delete(request.connection);
      return undefined;
    case 'run': {
      const { connection, session } = sessions.get(request.connection)!;
      const output = new Output(id);
      return withProgress(id, connection, async () => {
        const end = await session.run({
          ...request,
          output,
          keep: request.keep ? output.keeper() : undefined,
          signal,
          flush: () => output.flush(),
        });
        await output.flush();
        return end;
      });
    }
    case 'query': {
      const own = request.connection;
      if (own === undefined)
        return database.with(request.sql, signal, (connection) => query(connection, request.sql));
      const { connection } = sessions.get(own)!;
      const work = () => slots.use(signal, () => query(connection, request.sql));
      return withProgress(id, connection, () => interruptible(connection, signal, work));
    }
    case 'writeParquet':
      return database.writeParquet(request, signal);
    case 'readParquet':
      return database.readParquet(request, signal);
    case 'dropSchema':
      return database.dropSchema(request.schema);
  }
}

process.on('message', (message: ToEngine) => {
  if ('cancel' in message) active.get(message.cancel)?.abort();
  else if ('confirm' in message) {
    confirmations.get(message.confirm)?.(message.state);
    confirmations.delete(message.confirm);
  } else {
    const { id, request } = message;
    const abort = new AbortController();
    active.set(id, abort);
    answer(id, request, abort.signal)
      .then(
        (value) => send({ id, value }),
        (error: unknown) => send({ id, error: errorText(error) }),
      )
      .finally(() => active.delete(id))
      // The server is gone.
      .catch(() => undefined);
  }
});
// The server has ended. Running statements would keep the process alive.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
