/** A Python process with one session of a database. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { devNull, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { childEnvironment } from '../../processes/child-environment.ts';
import { describeExit, type ProcessGroup, startGroup } from '../../processes/process-group.ts';
import catalogue from './catalogue.py?raw';
import session from './session.py?raw';
import values from './values.py?raw';

/** Maximum memory of the process in MB. */
const MEGABYTES = 2_560;
/** Exit code of the program if it needs more. */
const TOO_LARGE = 77;
const program = [values, catalogue, session, `serve(${MEGABYTES})`, ''].join('\n');

/** An error as the program describes it. */
export interface SessionError {
  readonly message: string;
  /** Why it did not connect. */
  readonly kind?: 'dialect' | 'driver' | 'async' | 'file';
  /** Name of the dialect or of the module. */
  readonly name?: string;
  readonly code?: string | null;
  /** Class of the error in Python. */
  readonly type?: string;
  readonly details?: readonly string[];
  /** Offset in the statement, in characters. */
  readonly position?: number;
  readonly lost?: boolean;
}

/** An error of the session: of SQLAlchemy, its driver or the database. */
export class SessionFailure extends Error {
  readonly error: SessionError;

  constructor(error: SessionError) {
    super(error.message);
    this.error = error;
  }
}

export class ProcessEnded extends Error {}

type Answer =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: SessionError };

interface Call {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** A process. Its requests are answered one after another, except `cancel`, which has no answer. */
export class SessionProcess {
  readonly #group: ProcessGroup;
  readonly #requests: Writable;
  readonly #calls = new Map<number, Call>();
  readonly #gone: Promise<void>;
  #ids = 0;
  isOver = false;

  private constructor(group: ProcessGroup, forget: () => Promise<void>) {
    this.#group = group;
    this.#requests = group.child.stdio[3] as Writable;
    // The process may end at any time, which rejects all calls.
    this.#requests.on('error', () => undefined);
    const answers = group.child.stdio[4] as Readable;
    answers.on('error', () => undefined);
    createInterface({ input: answers }).on('line', (line) =>
      this.#receive(JSON.parse(line) as Answer),
    );
    this.#gone = group.exited.then(async (exit) => {
      this.isOver = true;
      const why =
        exit.code === TOO_LARGE
          ? `it needed more than ${MEGABYTES.toLocaleString('en-US')} MB of memory`
          : describeExit(exit);
      for (const { reject } of this.#calls.values()) reject(new ProcessEnded(why));
      this.#calls.clear();
      await forget();
    });
  }

  static async start(python: string): Promise<SessionProcess> {
    const folder = await mkdtemp(join(tmpdir(), 'tiding-database-'));
    const forget = () => rm(folder, { recursive: true, force: true });
    try {
      const file = join(folder, 'session.py');
      await writeFile(file, program, { mode: 0o600 });
      // Isolated: variables and folders of the user do not change which packages are imported.
      const group = await startGroup(python, ['-I', file], {
        cwd: folder,
        // Logins are those of Tiding, not of files of the server's account.
        env: childEnvironment({ PGPASSFILE: devNull, PGSERVICEFILE: devNull }),
        stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
        folder,
      });
      return new SessionProcess(group, forget);
    } catch (error) {
      await forget();
      throw error;
    }
  }

  #receive(answer: Answer): void {
    const call = this.#calls.get(answer.id);
    this.#calls.delete(answer.id);
    if ('error' in answer) call?.reject(new SessionFailure(answer.error));
    else call?.resolve(answer.value);
  }

  call<Value>(call: string, values: Readonly<Record<string, unknown>> = {}): Promise<Value> {
    if (this.isOver) return Promise.reject(new ProcessEnded('it has ended'));
    const id = (this.#ids += 1);
    return new Promise((resolve, reject) => {
      this.#calls.set(id, { resolve: resolve as Call['resolve'], reject });
      this.#requests.write(`${JSON.stringify({ id, call, ...values })}\n`);
    });
  }

  /** Asks the driver to stop the statement that runs. */
  cancel(): void {
    if (!this.isOver) this.#requests.write('{"call":"cancel"}\n');
  }

  async end(): Promise<void> {
    this.isOver = true;
    await this.#group.end(0);
    await this.#gone;
  }
}
