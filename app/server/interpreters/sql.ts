/** `%sql`: DuckDB inside the server's process. */
import { mkdir } from 'node:fs/promises';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { Completion } from 'tiding/protocol';
import type { Interpreter, InterpreterHost, InterpreterSpec, Run, RunEnd } from './contract.ts';
import { injectProperty } from './credential-text.ts';
import { completeSql } from './sql-complete.ts';
import { errorText, SqlEngine } from './sql-engine.ts';
import { SqlSession } from './sql-run.ts';
import { defaultRowLimit } from './table-text.ts';

const largestLimit = 1_000_000;
const memoryPattern = /^[1-9]\d{0,8}(\.\d+)? ?[KMGT]i?B$/i;

/**
 * One database per host folder, shared by the instances made on it; each instance has a connection of its own (temporary
 * tables, variables, transaction). With `host.openFiles` false the engine reads and writes only `host.files` (and the
 * table exchange), loads no extensions and its configuration cannot be changed. Option: `limit`, rows shown per result.
 */
export const sql: InterpreterSpec = {
  name: 'sql',
  aliases: ['duckdb'],
  sessions: true,
  properties: [
    {
      name: 'sql.memoryLimit',
      type: 'string',
      defaultValue: '',
      description:
        "Memory of the engine, for example 4GB; empty: half of the machine's, at most 8 GB. Where several people sign in, a database that is open takes it at the next start of the server",
      check: (value) =>
        value === '' || memoryPattern.test(value)
          ? undefined
          : 'is an amount of memory, for example 500MB or 4GB',
    },
    {
      name: 'sql.threads',
      type: 'number',
      defaultValue: '',
      description: 'Threads of the engine; empty: one a core. Takes effect as the memory does',
      check: (value) =>
        value === '' || (/^\d{1,4}$/.test(value) && Number(value) > 0)
          ? undefined
          : 'is a whole number above 0',
    },
    {
      name: 'sql.maxRows',
      type: 'number',
      defaultValue: String(defaultRowLimit),
      description: 'Rows shown of a result where %sql(limit=…) does not say otherwise',
      check: (value) =>
        rowLimit(value) === undefined ? `is a whole number from 1 to ${largestLimit}` : undefined,
    },
    injectProperty,
  ],
  editor: { language: 'sql', editOnDblClick: false, completionKey: 'TAB', completionSupport: true },
  create: (host) => new SqlInterpreter(host),
};

class SqlInterpreter implements Interpreter {
  readonly #host: InterpreterHost;
  readonly #closing = new AbortController();
  #connection: DuckDBConnection | undefined;
  #session: SqlSession | undefined;
  #running: Promise<unknown> = Promise.resolve();

  constructor(host: InterpreterHost) {
    this.#host = host;
    // These open the database when no paragraph has done so, and never use the connection of a run.
    host.tables.setOwner({
      write: async (query, file, signal) =>
        (await SqlEngine.open(host)).writeParquet(query, file, signal),
      read: async (name, file, signal) =>
        (await SqlEngine.open(host)).readParquet(name, file, signal),
    });
  }

  run(run: Run): Promise<RunEnd> {
    const result = this.#run(run);
    this.#running = result.catch(() => undefined);
    return result;
  }

  async #run(run: Run): Promise<RunEnd> {
    const limit = rowLimit(
      run.options['limit'] ?? (this.#host.properties['sql.maxRows'] || undefined),
    );
    if (limit === undefined) {
      return {
        code: 'ERROR',
        message: `limit must be a whole number from 1 to ${largestLimit}, for example %sql(limit=50).`,
      };
    }
    const signal = AbortSignal.any([run.signal, this.#closing.signal]);
    if (signal.aborted) return { code: 'ABORT' };
    let session: SqlSession | 'ABORT';
    try {
      // Opening replays the log of a killed server, which cannot be interrupted: then it goes on without this run.
      session = await Promise.race([this.#open(), aborted(signal)]);
    } catch (error) {
      const reason = `The database could not be opened: ${errorText(error)}`;
      this.#host.setStatus('ERROR', reason);
      return { code: 'ERROR', message: reason };
    }
    if (session === 'ABORT') return { code: 'ABORT' };
    return session.run({
      code: run.code,
      limit,
      files: this.#host.files,
      output: run.output,
      keep: run.keep,
      signal,
      progress: (percent) => run.progress(percent),
    });
  }

  async #open(): Promise<SqlSession> {
    if (this.#session) return this.#session;
    await mkdir(this.#host.files, { recursive: true });
    const engine = await SqlEngine.open(this.#host);
    const connection = await engine.connect();
    if (this.#session || this.#closing.signal.aborted) connection.disconnectSync();
    else {
      this.#connection = connection;
      this.#session = new SqlSession(connection, await import('@duckdb/node-api'));
      this.#host.setStatus('READY');
    }
    if (!this.#session) throw new Error('The interpreter was closed.');
    return this.#session;
  }

  async complete(code: string, cursor: number): Promise<Completion[]> {
    try {
      const engine = await SqlEngine.open(this.#host);
      return await engine.with(undefined, (connection) => completeSql(connection, code, cursor));
    } catch (error) {
      this.#host.log('sql completion failed', { error: errorText(error) });
      return [];
    }
  }

  /** Ends the run and the connection. The database itself stays open in the process, see {@link SqlEngine}. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
    this.#connection?.disconnectSync();
    this.#connection = this.#session = undefined;
  }
}

function rowLimit(text: string | undefined): number | undefined {
  if (text === undefined) return defaultRowLimit;
  const value = Number(text);
  return /^\d+$/.test(text.trim()) && value >= 1 && value <= largestLimit ? value : undefined;
}

function aborted(signal: AbortSignal): Promise<'ABORT'> {
  return new Promise((resolve) =>
    signal.addEventListener('abort', () => resolve('ABORT'), { once: true }),
  );
}
