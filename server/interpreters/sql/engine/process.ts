/** A process of the SQL engine, as the server sees it. */
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { untilAborted } from '../../../base/aborted.ts';
import { childEnvironment } from '../../processes/child-environment.ts';
import {
  describeExit,
  endLeftovers,
  type ProcessGroup,
  startGroup,
} from '../../processes/process-group.ts';
import {
  type EngineRequest,
  type FromEngine,
  MEMORY_MARK,
  type OutputPiece,
  type StoredState,
  type ToEngine,
} from './messages.ts';

/** A cancelled call that has not ended after this time ends with its process, in ms. */
const CANCEL_GRACE_MS = 700;
/** A process without connections and calls ends after this time, in ms. */
const IDLE_MS = 10_000;
/** Time to close a database before the process is killed, in ms. */
const CLOSE_MS = 5_000;
/** Heap of the program in MB. The data of the engine is outside. */
const HEAP_MB = 512;

/** The engine process ended before a call did. The message is for the user. */
export class EngineEnded extends Error {}

/** Callbacks of a call. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  progress?(percent: number): void;
  /** Handles output. The process sends no more until it returns. */
  output?(pieces: readonly OutputPiece[]): void;
  /** Stores a batch of a table. Without `batch`: chooses a database file for the table. */
  batch?(table: number, batch: Uint8Array | undefined): Promise<StoredState>;
}

interface Call {
  readonly request: EngineRequest;
  readonly options: CallOptions;
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** Consequence of an ended process, for users with a session in it. */
export const LOST_STATE =
  'Temporary tables, variables and open transactions of the session are lost.';

/** An engine process. It has one database open. */
export class EngineProcess {
  readonly #group: ProcessGroup;
  readonly #calls = new Map<number, Call>();
  readonly #processBytes: () => number;
  readonly #idleMs: number;
  #ids = 0;
  #connections = 0;
  #stderr = '';
  #idle: NodeJS.Timeout | undefined;
  #isOver = false;
  /** Resolves when the process has ended, so that the database file is free. */
  readonly gone: Promise<void>;

  private constructor(group: ProcessGroup, processBytes: () => number, idleMs: number) {
    this.#group = group;
    this.#idleMs = idleMs;
    this.#processBytes = processBytes;
    const { child } = group;
    child.on('message', (message: FromEngine) => {
      this.#receive(message).catch((error: Error) => {
        this.#calls.get(message.id)?.reject(error);
        this.#send({ confirm: message.id });
      });
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-8_000);
    });
    child.stdout?.resume();
    child.unref();
    child.channel?.unref();
    for (const pipe of [child.stdout, child.stderr]) (pipe as { unref?(): void } | null)?.unref?.();
    let closed: NodeJS.Timeout | undefined;
    const drained = new Promise<void>((resolve) => {
      child.once('close', () => resolve());
      void group.exited.then(() => (closed = setTimeout(resolve, 250)));
    });
    this.gone = group.exited.then(async (exit) => {
      await drained;
      clearTimeout(closed);
      this.#end(this.#reason(describeExit(exit)));
    });
  }

  /** Starts a process. `processBytes` returns its current limit of memory, for messages. */
  static async start(
    folder: string,
    processBytes: () => number,
    idleMs = IDLE_MS,
  ): Promise<EngineProcess> {
    endLeftovers(folder);
    const program = fileURLToPath(new URL('./engine.worker.ts', import.meta.url));
    const group = await startGroup(
      process.execPath,
      [`--max-old-space-size=${HEAP_MB}`, '--disable-warning=ExperimentalWarning', program],
      {
        cwd: folder,
        env: childEnvironment({
          UV_THREADPOOL_SIZE: process.env['UV_THREADPOOL_SIZE'] ?? '16',
        }),
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
        serialization: 'advanced',
        folder,
      },
    );
    return new EngineProcess(group, processBytes, idleMs);
  }

  /** Whether the process accepts no more calls. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /**
   * Sends a request. Rejects with the engine's message, or with {@link EngineEnded}. If `signal`
   * aborts, the work is interrupted, and the process is killed if that does not end it.
   */
  call(request: EngineRequest, options: CallOptions = {}): Promise<unknown> {
    const { signal } = options;
    if (signal?.aborted) return untilAborted(signal);
    if (this.#isOver) return Promise.reject(new EngineEnded(`The SQL engine has ended. ${AGAIN}`));
    const id = (this.#ids += 1);
    let grace: NodeJS.Timeout | undefined;
    const cancel = (): void => {
      this.#send({ cancel: id });
      grace = setTimeout(() => this.#kill(id), CANCEL_GRACE_MS);
    };
    signal?.addEventListener('abort', cancel, { once: true });
    if (request.call === 'connect') this.#connections += 1;
    if (request.call === 'disconnect') this.#connections -= 1;
    clearTimeout(this.#idle);
    return new Promise<unknown>((resolve, reject) => {
      this.#calls.set(id, { request, options, resolve, reject });
      this.#group.child.channel?.ref();
      this.#send({ id, request });
    }).finally(() => {
      clearTimeout(grace);
      signal?.removeEventListener('abort', cancel);
      this.#settled(id);
    });
  }

  #settled(id: number): void {
    this.#calls.delete(id);
    if (this.#calls.size > 0) return;
    this.#group.child.channel?.unref();
    if (this.#connections > 0 || this.#isOver) return;
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => void this.close(), this.#idleMs);
    this.#idle.unref();
  }

  async close(): Promise<void> {
    if (!this.#isOver) {
      this.#isOver = true;
      this.#send({ id: (this.#ids += 1), request: { call: 'close' } });
      await Promise.race([this.gone, wait(CLOSE_MS, undefined, { ref: false })]);
    }
    await this.#group.end(0);
    await this.gone;
  }

  /** Kills the process because a cancelled call did not end. */
  #kill(id: number): void {
    const stopped = this.#calls.get(id);
    this.#calls.delete(id);
    stopped?.reject(
      new EngineEnded(`The query did not stop, so the SQL engine was restarted. ${LOST_STATE}`),
    );
    this.#end(
      'The SQL engine was restarted because a cancelled query of this database did not stop. ' +
        `${LOST_STATE} ${AGAIN}`,
    );
    this.#group.signal('SIGKILL');
  }

  /** Rejects all calls. */
  #end(message: string): void {
    this.#isOver = true;
    clearTimeout(this.#idle);
    const calls = [...this.#calls.values()];
    this.#calls.clear();
    for (const { reject } of calls) reject(new EngineEnded(message));
  }

  #reason(exit: string): string {
    const queries = [...this.#calls.values()].filter(
      ({ request: { call } }) => call !== 'connect' && call !== 'disconnect',
    ).length;
    const limit = `${Math.round(this.#processBytes() / 2 ** 20).toLocaleString('en-US')} MB`;
    if (
      /heap out of memory|bad_alloc|Allocation failed/.test(this.#stderr) ||
      this.#stderr.includes(MEMORY_MARK)
    )
      return (
        (queries > 1
          ? `The queries of this database together needed more than ${limit} of memory, ` +
            'so the SQL engine ended all of them. '
          : `The query needed more than ${limit} of memory, so the SQL engine ended it. `) +
        'Select fewer rows or shorter values, or ask an administrator for a higher limit ' +
        `(sql.memoryLimit, engine-megabytes). ${LOST_STATE} The next query starts a new engine.`
      );
    const reason = exit.includes('SIGKILL')
      ? `${exit}; the machine may have run out of memory`
      : exit;
    return `The SQL engine ended (${reason}). ${LOST_STATE} ${AGAIN}`;
  }

  #send(message: ToEngine): void {
    // An error means that the process has just ended, which rejects all calls.
    this.#group.child.send(message, () => undefined);
  }

  async #receive(message: FromEngine): Promise<void> {
    const { id } = message;
    const call = this.#calls.get(id);
    if ('value' in message) return call?.resolve(message.value);
    if ('error' in message) return call?.reject(new Error(message.error));
    if ('progress' in message) return call?.options.progress?.(message.progress);
    if ('pieces' in message) {
      call?.options.output?.(message.pieces);
      return this.#send({ confirm: id });
    }
    const state = (await call?.options.batch?.(message.table, message.batch)) ?? {
      accepts: false,
      length: 0,
      stopped: 'failure' as const,
    };
    this.#send({ confirm: id, state });
  }
}

const AGAIN = 'Run the query again.';
