/** Executes Python script tasks. Each one is its own process, which ends with the task. */
import { randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { childEnvironment } from '../../interpreters/processes/child-environment.ts';
import { followProcess } from '../../interpreters/processes/follow-process.ts';
import {
  describeExit,
  endLeftovers,
  type ProcessGroup,
  startGroup,
} from '../../interpreters/processes/process-group.ts';
import { pathsOf, preparePython } from '../../interpreters/python/environment.ts';
import { PythonProblem } from '../../interpreters/python/run-tool.ts';
import { ExecutionError } from '../contract.ts';

interface PythonTasksOptions {
  /** Folder for running scripts and process records. Only accessible to the server's account. */
  readonly folder: string;
  /** Working directory of the scripts. */
  readonly files: string;
  /** A Python interpreter with ipykernel. By default, the server creates its own environment. */
  readonly program?: string | undefined;
}

/** A task to run. */
export interface PythonTask {
  readonly script: string;
  /** Stops the process and every process it started. */
  readonly signal: AbortSignal;
  /**
   * Additional environment variables. Secrets of the server are never passed to child processes.
   */
  readonly environment?: Readonly<Record<string, string>>;
  /** Receives each output line as `TaskOutput`, and installation messages as `TaskExecutionLog`. */
  log(eventType: string, message: string): void;
}

/** An unterminated line is logged in pieces of this many characters. */
const MAX_LINE_LENGTH = 16_000;
/** Both outputs share one pipe, which preserves their order. */
const LAUNCHER = 'exec "$@" 2>&1';

/** Runs Python tasks. The constructor ends processes that a killed server left running. */
export class PythonTasks {
  readonly #options: PythonTasksOptions;

  constructor(options: PythonTasksOptions) {
    this.#options = options;
    endLeftovers(options.folder);
  }

  /**
   * Runs a script. Rejects with ExecutionError if there is no Python or the script fails, or with
   * the signal's reason. The process has ended in either case.
   */
  async run({ script, signal, environment, log }: PythonTask): Promise<void> {
    const { folder, files } = this.#options;
    const program = await this.#program(signal, (line) => log('TaskExecutionLog', line));
    const own = join(folder, `task-${randomUUID()}`);
    try {
      await mkdir(own, { recursive: true, mode: 0o700 });
      await mkdir(files, { recursive: true });
      // Not as a command-line argument, because every account on the machine can read those.
      const file = join(own, 'task.py');
      await writeFile(file, script, { mode: 0o600 });
      signal.throwIfAborted();
      const group = await startGroup('sh', ['-c', LAUNCHER, 'sh', program, '-u', file], {
        cwd: files,
        folder,
        stdio: ['ignore', 'pipe', 'ignore'],
        env: childEnvironment({
          ...pathsOf(program),
          PYTHONUTF8: '1',
          MPLBACKEND: 'agg',
          ...environment,
        }),
      });
      const last = await follow(group, signal, (line) => log('TaskOutput', line));
      signal.throwIfAborted();
      const exit = await group.exited;
      // The last line of a traceback is the error.
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
      return await preparePython({ folder, signal, program, tell });
    } catch (error) {
      throw error instanceof PythonProblem ? new ExecutionError(error.message) : error;
    }
  }
}

/**
 * Logs the output of a process until it and every process it started have ended. Resolves to the
 * last non-empty line.
 */
async function follow(
  group: ProcessGroup,
  signal: AbortSignal,
  tell: (line: string) => void,
): Promise<string> {
  let rest = '';
  let last = '';
  const line = (text: string): void => {
    // Drop text that a progress bar overwrote.
    const shown = text.replace(/\r$/, '').split('\r').at(-1) ?? '';
    if (shown.trim() !== '') last = shown.trim();
    tell(shown);
  };
  await followProcess(group, signal, (text) => {
    const parts = (rest + text).split('\n');
    rest = parts.pop() ?? '';
    parts.forEach(line);
    for (; rest.length > MAX_LINE_LENGTH; rest = rest.slice(MAX_LINE_LENGTH))
      line(rest.slice(0, MAX_LINE_LENGTH));
  });
  if (rest !== '') line(rest);
  return last;
}
