/** `%sh`: runs a shell script; `%sh.terminal`: a shell in a terminal. */
import { randomUUID } from 'node:crypto';
import { rm, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { ClosingInterpreter } from './closing-interpreter.ts';
import type { InterpreterHost, InterpreterSpec, Run, RunEnd } from './contract.ts';
import { injectProperty } from './credential-text.ts';
import { childEnvironment } from './processes/child-environment.ts';
import { followProcess } from './processes/follow-process.ts';
import { endLeftovers, startGroup } from './processes/process-group.ts';
import { runTerminal } from './terminal.ts';

/** Longer scripts are passed in a file: Linux limits one argument to 128 KiB. */
const MAX_ARGUMENT_BYTES = 100_000;

/**
 * Starts bash, or sh if bash is missing. Both outputs use one pipe, which keeps their order. `$1`
 * is `-c` or a file.
 */
const launcher = 'shell=sh; command -v bash >/dev/null 2>&1 && shell=bash; exec "$shell" "$@" 2>&1';
const editor = { language: 'sh', editOnDblClick: false, completionSupport: false };

/**
 * Each run has its own process group, the rights of the server's account, an environment without
 * the server's secrets, and no input. Background processes end with the run.
 */
export const shell: InterpreterSpec = {
  name: 'sh',
  aliases: ['bash', 'shell'],
  shell: true,
  sessions: true,
  properties: [
    {
      name: 'shell.working.directory',
      type: 'string',
      defaultValue: '',
      description:
        'Folder in which scripts start: an absolute path, or a path relative to the folder of ' +
        'data files. Empty: the folder of data files.',
    },
    {
      name: 'shell.command.timeout.millisecs',
      type: 'number',
      defaultValue: '',
      description: 'Time limit for a script, in ms. Empty: the time limit of the run.',
      check: (value) =>
        value === '' || (/^\d{1,9}$/.test(value) && Number(value) > 0)
          ? undefined
          : 'must be a whole number of milliseconds',
    },
    injectProperty,
  ],
  editor,
  variants: { terminal: { editor, isTerminal: true } },
  create: (host) => new ShellInterpreter(host),
};

class ShellInterpreter extends ClosingInterpreter {
  readonly #host: InterpreterHost;

  constructor(host: InterpreterHost) {
    super();
    this.#host = host;
    endLeftovers(host.folder);
  }

  protected async start(run: Run, signal: AbortSignal): Promise<RunEnd> {
    const { files, folder, maxIdleMs, properties } = this.#host;
    if (signal.aborted) return { code: 'ABORT' };
    await this.#host.prepareFiles();
    const cwd = resolve(files, properties['shell.working.directory'] || '.');
    if (!(await stat(cwd).catch(() => undefined))?.isDirectory())
      return {
        code: 'ERROR',
        message: `The interpreter's working folder does not exist: ${cwd}`,
      };
    const limit = Number(properties['shell.command.timeout.millisecs']) || 0;
    const timeout = limit > 0 ? AbortSignal.timeout(limit) : undefined;
    const stop = timeout ? AbortSignal.any([signal, timeout]) : signal;
    const end = await (run.variant === 'terminal'
      ? runTerminal(run, stop, { cwd, folder, maxIdleMs })
      : this.#runScript(run, stop, cwd));
    return end.code === 'ABORT' && !signal.aborted
      ? { code: 'ERROR', message: `The script was stopped after ${limit} ms.` }
      : end;
  }

  async #runScript(run: Run, signal: AbortSignal, cwd: string): Promise<RunEnd> {
    const { folder } = this.#host;
    let script: string | undefined;
    let args = ['-c', run.code];
    // Every account of the machine can read arguments.
    if (run.confidential || Buffer.byteLength(run.code) > MAX_ARGUMENT_BYTES) {
      script = join(folder, `script-${randomUUID()}.sh`);
      await writeFile(script, run.code, { mode: 0o600 });
      args = [script];
    }
    try {
      const group = await startGroup('sh', ['-c', launcher, 'sh', ...args], {
        cwd,
        env: childEnvironment({ TERM: 'dumb' }),
        stdio: ['ignore', 'pipe', 'pipe'],
        folder,
      });
      return await followProcess(group, signal, (text) => run.output.write(text));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      return { code: 'ERROR', message: 'The server has no shell: sh is not on its PATH.' };
    } finally {
      if (script) await rm(script, { force: true });
    }
  }
}
