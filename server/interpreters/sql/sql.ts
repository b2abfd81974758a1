/** `%sql`: DuckDB in a process of its own. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Completion } from '@tiding/client/protocol';
import { aborted } from '../../base/aborted.ts';
import { privateFolder } from '../../storage/files.ts';
import { ClosingInterpreter } from '../closing-interpreter.ts';
import { completingEditor } from '../completing-editor.ts';
import type { InterpreterHost, InterpreterSpec, Run, RunEnd, TableSchema } from '../contract.ts';
import { injectProperty } from '../credential-text.ts';
import { defaultRowLimit } from '../table-text.ts';
import { completeSql, NOTE_SCHEMA_PREFIX, tableSchemas } from './complete.ts';
import {
  DATABASE_FILE,
  errorText,
  RESTARTED_NOTICE,
  type SqlConnection,
  SqlEngine,
} from './engine.ts';

const MAX_LIMIT = 1_000_000;
const SCHEMA_PROPERTY = 'sql.schema';
const schemaOf = (noteId: string): string => `${NOTE_SCHEMA_PREFIX}${noteId}`;
const MEMORY_PATTERN = /^[1-9]\d{0,8}(\.\d+)? ?[KMGT]i?B$/i;

/**
 * Instances on the same host folder share one database and its process. Each has a separate
 * connection with its own temporary tables, variables and transaction. If `host.openFiles` is
 * false, the engine accesses only `host.fileFolders` and the table exchange, loads no extensions,
 * and its configuration cannot be changed. Option: `limit`, the maximum number of rows shown per
 * result.
 */
export const sql: InterpreterSpec = {
  name: 'sql',
  aliases: ['duckdb'],
  sessions: true,
  sharesProcess: true,
  sharing: { perNote: 'isolated', perUser: '' },
  properties: [
    {
      name: 'sql.memoryLimit',
      type: 'string',
      defaultValue: '',
      description:
        "Memory limit of the engine, for example 4GB. Empty: half of the machine's memory, at " +
        'most 8 GB. Its process ends if it needs 512 MB more. If several users can sign in, ' +
        'changes apply to an open database only after the server restarts.',
      check: (value) =>
        value === '' || MEMORY_PATTERN.test(value)
          ? undefined
          : 'must be an amount of memory, for example 500MB or 4GB',
    },
    {
      name: 'sql.threads',
      type: 'number',
      defaultValue: '',
      description:
        'Number of threads of the engine. Empty: one per core. Changes apply like those of the ' +
        'memory limit.',
      check: (value) =>
        value === '' || (/^\d{1,4}$/.test(value) && Number(value) > 0)
          ? undefined
          : 'must be a whole number above 0',
    },
    {
      name: 'sql.maxRows',
      type: 'number',
      defaultValue: String(defaultRowLimit),
      description: 'Maximum number of rows shown per result, unless %sql(limit=…) is given',
      check: (value) =>
        rowLimit(value) === undefined ? `must be a whole number from 1 to ${MAX_LIMIT}` : undefined,
    },
    {
      name: SCHEMA_PROPERTY,
      type: 'string',
      defaultValue: 'note',
      description:
        'Schema in which tables are created if notes share a database (Per Note, scoped). ' +
        'note: one for each note. main: all notes share their tables.',
      check: (value) => (value === 'note' || value === 'main' ? undefined : 'must be note or main'),
    },
    injectProperty,
  ],
  older: {
    properties: { [SCHEMA_PROPERTY]: 'main' },
    sharing: { perNote: 'scoped', perUser: '' },
  },
  async forgetNote(host, noteId) {
    if (!existsSync(join(host.folder, DATABASE_FILE))) return;
    await (await SqlEngine.open(host)).dropSchema(schemaOf(noteId));
  },
  editor: completingEditor('sql'),
  create: (host) => new SqlInterpreter(host),
};

class SqlInterpreter extends ClosingInterpreter {
  readonly #host: InterpreterHost;
  /** Schema of its tables; `undefined`: `main`. */
  readonly #schema: string | undefined;
  #connection: SqlConnection | undefined;

  constructor(host: InterpreterHost) {
    super();
    this.#host = host;
    // These open the database if necessary, and never use the connection of a run.
    this.#schema =
      host.noteId !== undefined &&
      host.folder === host.settingFolder &&
      host.properties[SCHEMA_PROPERTY] !== 'main'
        ? schemaOf(host.noteId)
        : undefined;
    const schema = this.#schema;
    host.tables.setOwner({
      write: async (query, file, signal) =>
        (await SqlEngine.open(host)).writeParquet(query, file, { signal, schema }),
      read: async (name, file, signal) =>
        (await SqlEngine.open(host)).readParquet(name, file, { signal, schema }),
    });
  }

  get state(): string | undefined {
    return this.#connection?.hasState && !this.#connection.isLost
      ? 'temporary tables and variables'
      : undefined;
  }

  protected async start(run: Run, signal: AbortSignal): Promise<RunEnd> {
    const limit = rowLimit(
      run.options['limit'] ?? (this.#host.properties['sql.maxRows'] || undefined),
    );
    if (limit === undefined) {
      return {
        code: 'ERROR',
        message:
          `limit must be a whole number from 1 to ${MAX_LIMIT}, ` + 'for example %sql(limit=50).',
      };
    }
    if (signal.aborted) return { code: 'ABORT' };
    let session: SqlConnection | undefined;
    const before = this.#connection;
    try {
      // Opening replays the log of a killed server, which cannot be interrupted. It continues after
      // this run is cancelled.
      session = await Promise.race([this.#open(), aborted(signal)]);
    } catch (error) {
      const reason = `The database could not be opened: ${errorText(error)}`;
      this.#host.setStatus('ERROR', reason);
      return { code: 'ERROR', message: reason };
    }
    if (!session) return { code: 'ABORT' };
    if (before !== session && before?.hasState) run.output.add('TEXT', `${RESTARTED_NOTICE}\n`);
    const running = session.run({
      code: run.code,
      limit,
      fileFolders: this.#host.fileFolders,
      output: run.output,
      keep: run.keep,
      signal,
      progress: (percent) => run.progress(percent),
    });
    try {
      return await running;
    } catch (error) {
      return { code: 'ERROR', message: errorText(error) };
    } finally {
      // The output said so already.
      if (this.#connection?.isLost) this.#connection = undefined;
    }
  }

  async #open(): Promise<SqlConnection> {
    // Also confines an open engine if another user was added since its last run.
    const engine = await SqlEngine.open(this.#host);
    if (this.#connection && !this.#connection.isLost) return this.#connection;
    await privateFolder(this.#host.files);
    const connection = await engine.connect(this.#host, this.#schema);
    // A cancelled run may have opened another connection in the meantime.
    const own = this.#connection;
    if (own?.isLost === false || this.closing.aborted) await connection.close();
    else {
      this.#connection = connection;
      this.#host.setStatus('READY');
      return connection;
    }
    if (!own) throw new Error('The interpreter was closed.');
    return own;
  }

  async complete(code: string, cursor: number): Promise<Completion[]> {
    try {
      const engine = await SqlEngine.open(this.#host);
      return await completeSql(engine, code, cursor, this.#schema);
    } catch (error) {
      this.#host.log('sql completion failed', { error: errorText(error) });
      return [];
    }
  }

  async tables(): Promise<readonly TableSchema[]> {
    return tableSchemas(await SqlEngine.open(this.#host), this.#schema);
  }

  /**
   * Ends the run and the connection. The process of the database ends when it is idle.
   */
  override async close(): Promise<void> {
    await super.close();
    await this.#connection?.close();
    this.#connection = undefined;
  }
}

function rowLimit(text: string | undefined): number | undefined {
  if (text === undefined) return defaultRowLimit;
  const value = Number(text);
  return /^\d+$/.test(text.trim()) && value >= 1 && value <= MAX_LIMIT ? value : undefined;
}
