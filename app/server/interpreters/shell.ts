/** `%sh`: a shell script. */
import { randomUUID } from 'node:crypto';
import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { childEnvironment } from './child-environment.ts';
import type { Interpreter, InterpreterHost, InterpreterSpec, Run, RunEnd } from './contract.ts';
import { injectProperty } from './credential-text.ts';
import { endLeftovers, startGroup, type ProcessGroup } from './process-group.ts';

/** Time to end after SIGTERM, in ms. */
const grace = 1_000;
/** Time for output that is still in the pipe when the script has ended, in ms. */
const drain = 250;
/** The system takes at most 128 KiB an argument. */
const longestArgument = 100_000;

/** Starts bash, or sh where there is none, with one pipe for both outputs, so that their order is kept. `$1` is `-c` or a file. */
const launcher = 'shell=sh; command -v bash >/dev/null 2>&1 && shell=bash; exec "$shell" "$@" 2>&1';

/**
 * Each run is a process group of its own with the rights of the server's account, an environment without the server's
 * secrets, and no input. What it leaves in the background ends with the run.
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
        'Folder that scripts start in: absolute, or seen from the folder of the data files; empty: that folder',
    },
    {
      name: 'shell.command.timeout.millisecs',
      type: 'number',
      defaultValue: '',
      description: 'A script is stopped after so many ms; empty: only with its run',
      check: (value) =>
        value === '' || (/^\d{1,9}$/.test(value) && Number(value) > 0)
          ? undefined
          : 'is a whole number of milliseconds',
    },
    injectProperty,
  ],
  editor: { language: 'sh', editOnDblClick: false, completionSupport: false },
  create: (host) => new ShellInterpreter(host),
};

class ShellInterpreter implements Interpreter {
  readonly #host: InterpreterHost;
  readonly #closing = new AbortController();
  #running: Promise<unknown> = Promise.resolve();

  constructor(host: InterpreterHost) {
    this.#host = host;
    endLeftovers(host.folder);
  }

  run(run: Run): Promise<RunEnd> {
    const result = this.#run(run, AbortSignal.any([run.signal, this.#closing.signal]));
    this.#running = result.catch(() => undefined);
    return result;
  }

  async #run(run: Run, signal: AbortSignal): Promise<RunEnd> {
    const { folder, files, properties } = this.#host;
    if (signal.aborted) return { code: 'ABORT' };
    await mkdir(files, { recursive: true });
    const cwd = resolve(files, properties['shell.working.directory'] || '.');
    if (!(await isFolder(cwd)))
      return {
        code: 'ERROR',
        message: `The working folder of this interpreter does not exist: ${cwd}`,
      };
    const limit = Number(properties['shell.command.timeout.millisecs']) || 0;
    const late = limit > 0 ? AbortSignal.timeout(limit) : undefined;
    let script: string | undefined;
    let args = ['-c', run.code];
    // Arguments can be seen by every account of the machine.
    if (run.confidential || Buffer.byteLength(run.code) > longestArgument) {
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
      const end = await follow(group, run, late ? AbortSignal.any([signal, late]) : signal);
      return end.code === 'ABORT' && !signal.aborted
        ? { code: 'ERROR', message: `The script was stopped after ${limit} ms.` }
        : end;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      return { code: 'ERROR', message: 'No shell was found on the server: sh is not on its PATH.' };
    } finally {
      if (script) await rm(script, { force: true });
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
  }
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

async function follow(group: ProcessGroup, run: Run, signal: AbortSignal): Promise<RunEnd> {
  const streams = [group.child.stdout, group.child.stderr];
  // The decoder behind setEncoding keeps characters whole that arrive in two pieces.
  for (const stream of streams)
    stream?.setEncoding('utf8').on('data', (text: string) => run.output.write(text));
  const closed = new Promise<void>((resolve) => group.child.once('close', () => resolve()));
  const stop = (): void => void group.end(grace);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  const exit = await group.exited;
  await Promise.race([closed, wait(drain, undefined, { ref: false })]);
  await group.end(0);
  await Promise.race([closed, wait(drain, undefined, { ref: false })]);
  for (const stream of streams) stream?.destroy();
  signal.removeEventListener('abort', stop);
  if (signal.aborted) return { code: 'ABORT' };
  if (exit.code === 0) return { code: 'SUCCESS' };
  return {
    code: 'ERROR',
    message: exit.signal
      ? `Process ended by signal ${exit.signal}`
      : `Process exited with code ${exit.code}`,
  };
}
