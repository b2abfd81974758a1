/** Tasks that are scripts of Python: each a process of its own, which ends with its task. */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { childEnvironment } from '../../interpreters/child-environment.ts';
import {
  describeExit,
  endLeftovers,
  startGroup,
  type ProcessGroup,
} from '../../interpreters/process-group.ts';
import { preparePython, PythonProblem } from '../../interpreters/python-environment.ts';
import { ExecutionError } from '../contract.ts';

/** Where scripts run. */
export interface PythonTasksOptions {
  /** For scripts while they run, and notes about their processes; only the server's account may enter it. */
  readonly folder: string;
  /** The folder that scripts start in. */
  readonly files: string;
  /** Somebody's own Python, which has ipykernel; else the environment that the server makes. */
  readonly program?: string | undefined;
}

/** One task. */
export interface PythonTask {
  readonly script: string;
  /** Ends the process and all that it started. */
  readonly signal: AbortSignal;
  /** Variables beside those that every child process has; none of the server's secrets are among these. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Hears of each line of output, as `TaskOutput`, and of installations, as `TaskExecutionLog`. */
  log(eventType: string, message: string): void;
}

/** Time to end after SIGTERM, in ms. */
const GRACE_MS = 1_000;
/** Time for output that is still in the pipe when the script has ended, in ms. */
const DRAIN_MS = 250;
/** A line without end is told of in pieces of so many characters. */
const LONGEST_LINE = 16_000;
/** One pipe for both outputs, so that their order is kept. */
const LAUNCHER = 'exec "$@" 2>&1';

/** See the head of this file. What a server that was killed has left running is ended when this is made. */
export class PythonTasks {
  readonly #options: PythonTasksOptions;

  constructor(options: PythonTasksOptions) {
    this.#options = options;
    endLeftovers(options.folder);
  }

  /** Runs a script. Rejects with ExecutionError where there is no Python or the script fails, or with the signal's reason; the process is gone then. */
  async run({ script, signal, environment, log }: PythonTask): Promise<void> {
    const { folder, files } = this.#options;
    const program = await this.#program(signal, (line) => log('TaskExecutionLog', line));
    const own = join(folder, `task-${randomUUID()}`);
    try {
      await mkdir(own, { recursive: true, mode: 0o700 });
      await mkdir(files, { recursive: true });
      // Not as an argument: those can be seen by every account of the machine.
      const file = join(own, 'task.py');
      await writeFile(file, script, { mode: 0o600 });
      signal.throwIfAborted();
      const binaries = dirname(program);
      const group = await startGroup('sh', ['-c', LAUNCHER, 'sh', program, '-u', file], {
        cwd: files,
        folder,
        stdio: ['ignore', 'pipe', 'ignore'],
        env: childEnvironment({
          PATH: [binaries, process.env['PATH'] ?? ''].join(delimiter),
          ...(existsSync(join(dirname(binaries), 'pyvenv.cfg'))
            ? { VIRTUAL_ENV: dirname(binaries) }
            : {}),
          PYTHONUTF8: '1',
          MPLBACKEND: 'agg',
          ...environment,
        }),
      });
      const last = await follow(group, signal, (line) => log('TaskOutput', line));
      signal.throwIfAborted();
      const exit = await group.exited;
      // A traceback ends with what went wrong.
      if (exit.code !== 0)
        throw new ExecutionError(
          `The script ended with ${describeExit(exit)}${last === '' ? '.' : `: ${last}`}`,
        );
    } finally {
      await rm(own, { recursive: true, force: true });
    }
  }

  async #program(signal: AbortSignal, tell: (line: string) => void): Promise<string> {
    const { folder, program } = this.#options;
    try {
      return await preparePython({ folder, signal, program, onBuild: () => undefined, tell });
    } catch (error) {
      throw error instanceof PythonProblem ? new ExecutionError(error.message) : error;
    }
  }
}

/** Tells of the lines of a process until it has ended with all that it started; resolves with the last line that is not empty. */
async function follow(
  { child, exited, end }: ProcessGroup,
  signal: AbortSignal,
  tell: (line: string) => void,
): Promise<string> {
  let rest = '';
  let last = '';
  const line = (text: string): void => {
    // What a progress bar wrote over is not kept.
    const shown = text.replace(/\r$/, '').split('\r').at(-1) ?? '';
    if (shown.trim() !== '') last = shown.trim();
    tell(shown);
  };
  // The decoder behind setEncoding keeps characters whole that arrive in two pieces.
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n');
    rest = parts.pop() ?? '';
    parts.forEach(line);
    for (; rest.length > LONGEST_LINE; rest = rest.slice(LONGEST_LINE))
      line(rest.slice(0, LONGEST_LINE));
  });
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const stop = (): void => void end(GRACE_MS);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  await exited;
  await Promise.race([closed, wait(DRAIN_MS, undefined, { ref: false })]);
  await end(0);
  await Promise.race([closed, wait(DRAIN_MS, undefined, { ref: false })]);
  child.stdout?.destroy();
  signal.removeEventListener('abort', stop);
  if (rest !== '') line(rest);
  return last;
}
