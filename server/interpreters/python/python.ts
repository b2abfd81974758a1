/** `%python`: a Jupyter kernel in a virtual environment that is created on first use. */

import { existsSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { jsonObjectOf } from '@tiding/client/model';
import type { Completion, JsonObject } from '@tiding/client/protocol';
import { childEnvironment } from '../child-environment.ts';
import type { Interpreter, InterpreterHost, InterpreterSpec, Run, RunEnd } from '../contract.ts';
import { injectProperty } from '../credential-text.ts';
import { endLeftovers } from '../process-group.ts';
import { pythonBootstrap } from './bootstrap.ts';
import { installPython, pythonWithDependencies } from './dependencies.ts';
import { frameQuery, installDuckdb } from './duckdb.ts';
import { PythonProblem, preparePython, readyPython } from './environment.ts';
import { JupyterKernel, KernelDied } from './jupyter-kernel.ts';
import { textOf } from './jupyter-messages.ts';
import { KernelOutput } from './kernel-output.ts';
import { sparkVariables } from './spark.ts';
import { PythonTables } from './tables.ts';

/** Time for code to stop after an interrupt before its process is killed, in ms. */
const interruptGrace = 1_500;
/** Time limit for completions, in ms. */
const completionLimit = 2_000;

/**
 * IPython with pandas, matplotlib and pyarrow. Each instance is one kernel process. It has the
 * rights of the server's account, regardless of `host.openFiles`, and an environment without the
 * server's secrets. In the kernel, `z` gives access to the tables of `%sql`.
 */
export const python: InterpreterSpec = {
  name: 'python',
  aliases: ['ipython'],
  variants: {
    sql: { editor: { language: 'sql', editOnDblClick: false, completionSupport: false } },
  },
  sharing: { perNote: 'isolated', perUser: '' },
  properties: [
    {
      name: 'python.path',
      type: 'string',
      defaultValue: '',
      description:
        'Path of a Python program that has ipykernel. Empty: the server creates an environment.',
      check: (value) =>
        value === '' || isAbsolute(value)
          ? undefined
          : 'must be the absolute path of a Python program',
    },
    {
      name: 'python.environment',
      type: 'textarea',
      defaultValue: '',
      description: 'Environment variables, one NAME=value per line',
      check: (value) => (variablesOf(value) ? undefined : 'must consist of lines NAME=value'),
    },
    injectProperty,
  ],
  install: installPython,
  editor: {
    language: 'python',
    editOnDblClick: false,
    completionKey: 'TAB',
    completionSupport: true,
  },
  create: (host) => new PythonInterpreter(host),
};

class PythonInterpreter implements Interpreter {
  readonly #host: InterpreterHost;
  readonly #tables: PythonTables;
  readonly #closing = new AbortController();
  #kernel: JupyterKernel | undefined;
  #starting: Promise<JupyterKernel> | undefined;
  #running: Promise<unknown> = Promise.resolve();
  /** The Python that has the packages of the setting. */
  #program = '';
  #hasDuckdb = false;
  /** Whether the kernel has run code; completion starts it without. */
  #hasRun = false;

  constructor(host: InterpreterHost) {
    this.#host = host;
    this.#tables = new PythonTables(host.tables, host.credential);
    endLeftovers(host.folder);
  }

  get state(): string | undefined {
    return this.#hasRun && this.#kernel && !this.#kernel.isDead ? 'variables' : undefined;
  }

  run(run: Run): Promise<RunEnd> {
    const result = this.#run(run);
    this.#running = result.catch(() => undefined);
    return result;
  }

  async #run(run: Run): Promise<RunEnd> {
    const signal = AbortSignal.any([run.signal, this.#closing.signal]);
    let kernel: JupyterKernel;
    try {
      await this.#host.prepareFiles();
      kernel = await this.#ready(run, signal);
      if (run.variant === 'sql') await this.#prepareSql(run, signal);
    } catch (error) {
      if (signal.aborted) return { code: 'ABORT' };
      const text = error instanceof Error ? error.message : String(error);
      const reason = error instanceof PythonProblem ? text : `Python did not start: ${text}`;
      this.#host.setStatus('ERROR', reason.split('\n')[0]);
      return { code: 'ERROR', message: reason };
    }
    return this.#execute(kernel, run, signal);
  }

  /** Returns this instance's kernel. Starts one if there is none or if it has died. */
  async #ready(run: Run, signal: AbortSignal): Promise<JupyterKernel> {
    signal.throwIfAborted();
    if (this.#kernel?.isDead) {
      const { message } = await this.#kernel.died;
      await this.#drop();
      run.output.write(
        `The Python process had ended (${firstLine(message)}) and its variables are lost. ` +
          'Starting a new one.\n',
      );
    }
    // If completion has started a kernel, its failure is not shown anywhere. The start is repeated
    // here.
    if (this.#starting)
      await Promise.race([this.#starting.catch(() => undefined), aborted(signal)]);
    signal.throwIfAborted();
    if (this.#kernel) return this.#kernel;
    let built = false;
    const base = await preparePython({
      folder: this.#host.folder,
      signal,
      program: this.#host.properties['python.path'] || undefined,
      onBuild: () => {
        built = true;
        this.#host.setStatus('DOWNLOADING_DEPENDENCIES');
      },
      tell: (line, percent) => {
        run.output.write(`${line}\n`);
        run.progress(percent);
      },
    });
    if (built) {
      run.output.clear();
      run.progress(0);
    }
    const program = await pythonWithDependencies(
      base,
      this.#host.settingFolder,
      this.#host.dependencies,
    );
    const kernel = await Promise.race([this.#start(program), aborted(signal)]);
    signal.throwIfAborted();
    this.#host.setStatus('READY');
    return kernel ?? this.#start(program);
  }

  /** Prepares `%python.sql` at its first run. */
  async #prepareSql(run: Run, signal: AbortSignal): Promise<void> {
    if (this.#hasDuckdb) return;
    const { folder, properties } = this.#host;
    const isOfUser = Boolean(properties['python.path'] || process.env['TIDING_PYTHON_ENV']);
    await installDuckdb(this.#program, isOfUser, run, { notes: folder, signal });
    this.#hasDuckdb = true;
  }

  /** Starts the kernel unless it runs or is starting. A cancelled run does not stop the start. */
  #start(program: string): Promise<JupyterKernel> {
    if (this.#kernel && !this.#kernel.isDead) return Promise.resolve(this.#kernel);
    this.#starting ??= this.#startKernel(program, this.#closing.signal).finally(
      () => (this.#starting = undefined),
    );
    this.#starting.catch(() => undefined);
    return this.#starting;
  }

  async #startKernel(program: string, signal: AbortSignal): Promise<JupyterKernel> {
    const { folder, files, properties } = this.#host;
    await this.#host.prepareFiles();
    const binaries = dirname(program);
    this.#program = program;
    const spark = await this.#host.spark();
    const given = variablesOf(properties['python.environment'] ?? '') ?? {};
    const kernel = await JupyterKernel.start({
      command: [
        program,
        '-m',
        'ipykernel_launcher',
        '-f',
        '{connection_file}',
        '--HistoryManager.enabled=False',
      ],
      cwd: files,
      env: childEnvironment({
        ...given,
        ...(spark ? sparkVariables(spark, program, given) : {}),
        PATH: [binaries, process.env['PATH'] ?? ''].join(delimiter),
        ...(existsSync(join(dirname(binaries), 'pyvenv.cfg'))
          ? { VIRTUAL_ENV: dirname(binaries) }
          : {}),
        // The kernel ends when this process is gone.
        JPY_PARENT_PID: String(process.pid),
        IPYTHONDIR: join(folder, 'ipython'),
        MPLBACKEND: 'module://matplotlib_inline.backend_inline',
        PYDEVD_DISABLE_FILE_VALIDATION: '1',
      }),
      folder,
      signal,
    });
    try {
      const reply = await kernel.execute(
        pythonBootstrap,
        { onMessage: () => undefined, onInput: async () => '' },
        true,
      );
      if (reply['status'] !== 'ok')
        throw new PythonProblem(
          `Python cannot be used: ${textOf(reply['ename'])}: ${textOf(reply['evalue'])}`,
        );
      signal.throwIfAborted();
    } catch (error) {
      await kernel.kill();
      throw error;
    }
    this.#kernel = kernel;
    return kernel;
  }

  async #execute(kernel: JupyterKernel, run: Run, signal: AbortSignal): Promise<RunEnd> {
    const output = new KernelOutput(
      run.output,
      (file) => this.#tables.adopt(file, run.keep),
      run.principal,
    );
    let forced = false;
    let over = false;
    const stop = async (): Promise<void> => {
      // The interrupt is repeated after half the time, because the kernel ignores interrupts
      // before the code starts.
      for (let turn = 0; turn < 2 && !over; turn += 1) {
        kernel.interrupt();
        await wait(interruptGrace / 2, undefined, { ref: false });
      }
      if (over) return;
      forced = true;
      await kernel.kill();
    };
    const onAbort = (): void => void stop();
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    this.#hasRun = true;
    try {
      const code = run.variant === 'sql' ? frameQuery(run.code) : run.code;
      const reply = await kernel.execute(code, {
        onMessage: (message) => output.receive(message),
        onInput: (prompt) => this.#tables.answer(prompt, signal, run),
      });
      await output.finish(reply);
      if (output.exits) {
        await this.#drop();
        run.output.add('TEXT', 'exit() ended the Python process. Its variables are lost.\n');
      }
      if (signal.aborted) return { code: 'ABORT' };
      return output.error === undefined
        ? { code: 'SUCCESS' }
        : { code: 'ERROR', message: output.error };
    } catch (error) {
      if (!(error instanceof KernelDied)) throw error;
      await output.finish({});
      await this.#drop();
      if (forced)
        run.output.add(
          'TEXT',
          'Python did not react to the interrupt. Its process was killed and its variables are ' +
            'lost.\n',
        );
      if (signal.aborted) return { code: 'ABORT' };
      const memory = error.exit.signal === 'SIGKILL' ? ', perhaps due to lack of memory' : '';
      const [exit, ...rest] = error.message.split('\n');
      const details = rest.length > 0 ? `\n${rest.join('\n')}` : '';
      return {
        code: 'ERROR',
        message:
          `The Python process ended (${exit}${memory}) and its variables are lost. ` +
          `The next run starts a new one.${details}`,
      };
    } finally {
      over = true;
      signal.removeEventListener('abort', onAbort);
    }
  }

  /** Ends the kernel and deletes its files. */
  async #drop(): Promise<void> {
    const kernel = this.#kernel;
    this.#kernel = undefined;
    this.#hasRun = false;
    await kernel?.kill();
    await this.#tables.clear();
  }

  async complete(code: string, cursor: number): Promise<Completion[]> {
    const deadline = performance.now() + completionLimit;
    const late = wait(completionLimit, undefined, { ref: false });
    try {
      const kernel = await Promise.race([this.#idleKernel(), late]);
      if (!kernel) return [];
      const position = [...code.slice(0, cursor)].length;
      const reply = await kernel.complete(code, position, deadline - performance.now());
      return reply ? completionsOf(reply, code, cursor) : [];
    } catch (error) {
      this.#host.log('python completion failed', {
        error: error instanceof Error ? error.message : String(error),
      });
      return [];
    }
  }

  /** Returns the kernel if it is idle. Starts one if nothing has to be installed first. */
  async #idleKernel(): Promise<JupyterKernel | undefined> {
    if (this.#starting) return this.#starting;
    if (this.#kernel) return this.#kernel.isBusy || this.#kernel.isDead ? undefined : this.#kernel;
    const { properties, settingFolder, dependencies } = this.#host;
    const base = await readyPython(properties['python.path'] || undefined);
    if (!base || this.#closing.signal.aborted) return undefined;
    const program = await pythonWithDependencies(base, settingFolder, dependencies);
    return this.#start(program);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#starting?.catch(() => undefined);
    await this.#kernel?.kill();
    await this.#running;
    await this.#drop();
  }
}

/**
 * Converts completions for the editor: `value` replaces the name before the cursor, without its
 * prefix, for example `os.`.
 */
function completionsOf(reply: JsonObject, code: string, cursor: number): Completion[] {
  const matches = Array.isArray(reply['matches'])
    ? reply['matches'].filter((match) => typeof match === 'string')
    : [];
  const typed = /[\p{L}\p{N}_]*$/u.exec(code.slice(0, cursor))?.[0] ?? '';
  const start = Number(reply['cursor_start']);
  const from = Number.isInteger(start) ? [...code].slice(0, start).join('').length : cursor;
  const lead = code.slice(from, Math.max(from, cursor - typed.length));
  const types = jsonObjectOf(reply['metadata'])['_jupyter_types_experimental'];
  const kinds = new Map(
    (Array.isArray(types) ? types : [])
      .map(jsonObjectOf)
      .map((entry) => [textOf(entry['text']), textOf(entry['type'])]),
  );
  return matches.map((match) => {
    const value = lead && match.startsWith(lead) ? match.slice(lead.length) : match;
    const meta = kinds.get(match);
    return { name: value, value, ...(meta && meta !== '<unknown>' ? { meta } : {}) };
  });
}

/**
 * Parses lines `NAME=value`; undefined if a line is malformed. Blank lines and lines that start
 * with `#` are skipped.
 */
function variablesOf(text: string): Record<string, string> | undefined {
  const lines = text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '' && !line.trim().startsWith('#'));
  const pairs = lines.map((line) => /^\s*([A-Za-z_]\w*)=([^\0]*)$/.exec(line));
  return pairs.every((pair) => pair !== null)
    ? Object.fromEntries(pairs.map((pair) => [pair[1] ?? '', pair[2] ?? '']))
    : undefined;
}

function firstLine(text: string): string {
  return text.split('\n')[0] ?? '';
}

function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) =>
    signal.addEventListener('abort', () => resolve(undefined), { once: true }),
  );
}
