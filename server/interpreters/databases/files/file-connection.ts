/** Sessions of database files, in a process for each file. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { childEnvironment } from '../../processes/child-environment.ts';
import { type ProcessGroup, startGroup } from '../../processes/process-group.ts';
import type { SqlNames } from '../../sql/complete.ts';
import { transactionEffect } from '../../sql/script.ts';
import type { ConnectionTarget, DatabaseConnection, StatementResult } from '../driver.ts';
import type { ReadNames } from '../shared-driver.ts';
import type { TextRow } from '../text-columns.ts';
import type {
  FileKind,
  FileRequest,
  FromFile,
  OpenFile,
  StartedStatement,
} from './file-messages.ts';
import { permittedFile } from './file-path.ts';

/** Heap of the program in MB. The data of DuckDB is outside. */
const HEAP_MB = 512;
/** Memory of DuckDB in MB. Beyond, it uses temporary files. */
const MEGABYTES = 2_048;

/** The process of a file has ended. */
export class FileEnded extends Error {}

/** Another session has the file open in a way that excludes this one. */
export class FileInUse extends Error {}

interface Call {
  resolve(value: StartedStatement | readonly TextRow[] | undefined): void;
  reject(error: Error): void;
}

/**
 * Time that a process of SQLite waits for another session, in ms. One of DuckDB ends at once,
 * because it locks its file.
 */
const IDLE_MS = 10_000;

/** The last process of each SQLite file. */
const recent = new Map<string, FileProcess>();
/** Processes by DuckDB file. Its sessions share one, because DuckDB lets one process write. */
const processes = new Map<string, Promise<FileProcess>>();

class FileProcess {
  readonly readOnly: boolean;
  readonly gone: Promise<void>;
  readonly #group: ProcessGroup;
  readonly #calls = new Map<number, Call>();
  #ids = 0;
  #sessions = 0;
  #idle: NodeJS.Timeout | undefined;
  isOver = false;

  private constructor(group: ProcessGroup, readOnly: boolean, forget: () => Promise<void>) {
    this.#group = group;
    this.readOnly = readOnly;
    const { child } = group;
    child.on('message', (message: FromFile) => {
      const call = this.#calls.get(message.id);
      this.#calls.delete(message.id);
      if ('error' in message) call?.reject(new Error(message.error));
      else call?.resolve(message.value);
    });
    child.unref();
    this.gone = group.exited.then(async ({ signal }) => {
      this.isOver = true;
      for (const { reject } of this.#calls.values())
        reject(new FileEnded(signal ? `signal ${signal}` : 'it ended'));
      this.#calls.clear();
      await forget();
    });
  }

  static async start(kind: FileKind, file: string, readOnly: boolean): Promise<FileProcess> {
    const folder = await mkdtemp(join(tmpdir(), 'tiding-database-'));
    const forget = () => rm(folder, { recursive: true, force: true });
    const options: OpenFile = {
      kind,
      file,
      readOnly,
      temporaryFolder: folder,
      megabytes: MEGABYTES,
    };
    const program = fileURLToPath(new URL('./file.worker.ts', import.meta.url));
    const group = await startGroup(
      process.execPath,
      [`--max-old-space-size=${HEAP_MB}`, program, JSON.stringify(options)],
      {
        cwd: folder,
        env: childEnvironment(),
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
        serialization: 'advanced',
        folder,
      },
    );
    return new FileProcess(group, readOnly, forget);
  }

  call(session: number, request: FileRequest) {
    if (this.isOver) return Promise.reject(new FileEnded('it has ended'));
    const id = (this.#ids += 1);
    return new Promise<StartedStatement | readonly TextRow[] | undefined>((resolve, reject) => {
      this.#calls.set(id, { resolve, reject });
      // An error means that the process has just ended, which rejects all calls.
      this.#group.child.send({ id, session, request }, () => undefined);
    });
  }

  async open(): Promise<number> {
    this.#sessions += 1;
    clearTimeout(this.#idle);
    this.#group.child.channel?.ref();
    const session = (this.#ids += 1);
    try {
      await this.call(session, { call: 'open' });
      return session;
    } catch (error) {
      await this.leave(0);
      throw error;
    }
  }

  /** Ends the process with its last session, or if it does not get another one in time. */
  async leave(idleMs: number): Promise<void> {
    this.#sessions -= 1;
    if (this.#sessions > 0) return;
    this.#group.child.channel?.unref();
    if (idleMs === 0 || this.isOver) return this.end();
    this.#idle = setTimeout(() => void this.end(), idleMs).unref();
  }

  get isFree(): boolean {
    return this.#sessions === 0 && !this.isOver;
  }

  async end(): Promise<void> {
    this.isOver = true;
    clearTimeout(this.#idle);
    await this.#group.end(0);
    await this.gone;
  }
}

/** Returns the process of a DuckDB file, which it starts if necessary. */
async function sharedProcess(file: string, readOnly: boolean): Promise<FileProcess> {
  for (;;) {
    const starting = processes.get(file);
    if (!starting) break;
    const known = await starting.catch(() => undefined);
    if (known?.isOver === false) {
      if (readOnly || !known.readOnly) return known;
      throw new FileInUse();
    }
    await known?.gone;
    if (processes.get(file) === starting) processes.delete(file);
  }
  const starting = FileProcess.start('duckdb', file, readOnly);
  processes.set(file, starting);
  return starting;
}

/**
 * Returns a process of an SQLite file without a session, because a statement holds up its process.
 */
async function ownProcess(file: string): Promise<FileProcess> {
  const last = recent.get(file);
  if (last?.isFree) return last;
  const started = await FileProcess.start('sqlite', file, true);
  recent.set(file, started);
  void started.gone.then(() => recent.get(file) === started && recent.delete(file));
  return started;
}

/**
 * Opens a session. Rejects with the message of the engine, or a problem of the path.
 */
export async function connectFile(
  kind: FileKind,
  { database, readOnly }: ConnectionTarget,
  signal: AbortSignal,
  names: (read: ReadNames) => SqlNames,
): Promise<DatabaseConnection> {
  const file = await permittedFile(database);
  signal.throwIfAborted();
  const isShared = kind === 'duckdb';
  const process = await (isShared ? sharedProcess(file, readOnly) : ownProcess(file));
  const session = await process.open();
  const idleMs = isShared ? 0 : IDLE_MS;
  const made = new FileConnection({ process, session, readOnly, idleMs }, names);
  if (!signal.aborted) return made;
  await made.close();
  throw signal.reason;
}

/** A session, and the process that has it. */
interface SessionPlace {
  readonly process: FileProcess;
  readonly session: number;
  readonly readOnly: boolean;
  /** See {@link FileProcess.leave}. */
  readonly idleMs: number;
}

class FileConnection implements DatabaseConnection {
  readonly #place: SessionPlace;
  readonly names: SqlNames;
  onNotice: ((text: string) => void) | undefined;
  inTransaction = false;
  #isClosed = false;

  constructor(place: SessionPlace, names: (read: ReadNames) => SqlNames) {
    this.#place = place;
    this.names = names(async (sql) => {
      const result = await this.execute(sql);
      return (await result.read(Number.MAX_SAFE_INTEGER)) as [string, string][];
    });
  }

  get isLost(): boolean {
    return this.#isClosed || this.#place.process.isOver;
  }

  async prepare(): Promise<void> {}

  async execute(sql: string): Promise<StatementResult> {
    const request = { call: 'execute', sql, readOnly: this.#place.readOnly } as const;
    const started = (await this.#call(request)) as StartedStatement;
    const effect = transactionEffect(sql);
    if (effect) this.inTransaction = effect === 'begin';
    return {
      ...started,
      read: async (count) => (await this.#call({ call: 'read', count })) as readonly TextRow[],
      close: async () => void (await this.#call({ call: 'skip' })),
    };
  }

  #call(request: FileRequest) {
    return this.#place.process.call(this.#place.session, request);
  }

  async cancel(): Promise<void> {
    // A process that is busy does not answer, and then the caller ends the session.
    void this.#call({ call: 'interrupt' }).catch(() => undefined);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (!this.#place.process.isOver) await this.#call({ call: 'close' }).catch(() => undefined);
    await this.#place.process.leave(this.#place.idleMs);
  }

  destroy(): void {
    this.#isClosed = true;
    void this.#place.process.end();
  }
}
