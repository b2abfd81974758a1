/** `%python`: a Jupyter kernel in a virtual environment that is created on first use. */

import { existsSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { completingEditor } from '../completing-editor.ts';
import type {
  InterpreterHost,
  InterpreterSpec,
  KeptTable,
  Run,
  SparkMaster,
  TableKeeper,
} from '../contract.ts';
import { injectProperty } from '../credential-text.ts';
import { environmentProperty, variablesOf } from '../kernels/environment-property.ts';
import type { JupyterKernel } from '../kernels/jupyter-kernel.ts';
import { type KernelEngine, KernelSession, type StartKernel } from '../kernels/kernel-session.ts';
import { variablesCode } from '../kernels/kernel-variables.ts';
import { childEnvironment } from '../processes/child-environment.ts';
import { bootstrapFrame } from './bootstrap.ts';
import { installPython, pythonWithDependencies } from './dependencies.ts';
import { frameQuery, installDuckdb } from './duckdb.ts';
import { pathsOf, preparePython, readyPython } from './environment.ts';
import { sparkVariables } from './spark.ts';
import { handOver, spareRecipe, startPython } from './start.ts';
import { PythonTables } from './tables.ts';

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
      name: 'python.ruff',
      type: 'string',
      defaultValue: '',
      description:
        'Path of ruff, which marks mistakes and formats code. Empty: the server installs it. ' +
        'none: off.',
      check: (value) =>
        value === '' || value === 'none' || isAbsolute(value)
          ? undefined
          : 'must be the absolute path of ruff, or none',
    },
    environmentProperty('python.environment'),
    injectProperty,
  ],
  install: installPython,
  editor: completingEditor('python'),
  create: (host) => new KernelSession(host, new PythonEngine(host, { usesSpare: true })),
};

/** Starts the kernel in the environment of the setting, and answers the requests of `z`. */
export class PythonEngine implements KernelEngine {
  readonly name = 'Python';
  readonly hiddenFrame = bootstrapFrame;
  readonly advise = (name: string, message: string): string | undefined =>
    name === 'ModuleNotFoundError' && /^No module named '\w+'$/.test(message)
      ? 'If it is a package, an administrator can add it to the dependencies of the setting ' +
        `${this.host.settingName} on the page Interpreters.`
      : undefined;
  readonly variablesCode = variablesCode('python');
  protected readonly host: InterpreterHost;
  /** The kernel that was started last. */
  protected kernel: JupyterKernel | undefined;
  readonly #sparkVariables: typeof sparkVariables;
  readonly #tables: PythonTables;
  readonly #spare: InterpreterHost['spare'];
  /** The Python that has the packages of the setting. */
  #program = '';
  #hasDuckdb = false;

  /**
   * @param options `variables` makes the environment variables for the current cluster;
   *   `usesSpare`: without a cluster, a note may take the spare kernel of the server
   */
  constructor(host: InterpreterHost, { variables = sparkVariables, usesSpare = false } = {}) {
    this.host = host;
    this.#sparkVariables = variables;
    this.#spare = usesSpare ? host.spare : undefined;
    this.#tables = new PythonTables(host.tables, host.credential);
  }

  async prepare(run: Run, signal: AbortSignal): Promise<StartKernel> {
    let built = false;
    const base = await preparePython({
      folder: this.host.folder,
      signal,
      program: this.host.properties['python.path'] || undefined,
      onBuild: () => {
        built = true;
        this.host.setStatus('DOWNLOADING_DEPENDENCIES');
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
    return this.#starter(base);
  }

  async prepared(): Promise<StartKernel | undefined> {
    const base = await readyPython(this.host.properties['python.path'] || undefined);
    return base ? this.#starter(base) : undefined;
  }

  async #starter(base: string): Promise<StartKernel> {
    const { settingFolder, dependencies } = this.host;
    const program = await pythonWithDependencies(base, settingFolder, dependencies);
    return (signal) => this.#start(program, signal);
  }

  async #start(program: string, signal: AbortSignal): Promise<JupyterKernel> {
    const { dependencies, folder, files, settingFolder } = this.host;
    const spare = this.#spare;
    spare?.pause();
    this.#program = program;
    const spark = await this.host.spark();
    const given = variablesOf(this.host.properties['python.environment'] ?? '') ?? {};
    const env = this.#environment(program, { spark, given });
    const ipython = join(folder, 'ipython');
    const start = { program, env, folder };
    if (!spare || spark || !startsAlikeAnywhere(given)) {
      this.kernel = await startPython({ ...start, cwd: files, ipython, signal });
      return this.kernel;
    }
    const key = JSON.stringify([settingFolder, program, dependencies, env]);
    // A note with a profile may have code in it that runs when a kernel starts.
    const taken = existsSync(ipython) ? undefined : spare.take(key);
    const place = { files, ipython, signal };
    this.kernel =
      (taken && (await handOver(taken, place, this.host.log))) ??
      (await startPython({ ...start, cwd: files, ipython, signal }));
    // A start that is stopped may have used a setting from before a change.
    if (!signal.aborted) spare.replenish(spareRecipe({ key, program, env, settingFolder }));
    return this.kernel;
  }

  /** Returns the environment variables of a process that do not depend on its note. */
  #environment(
    program: string,
    { spark, given }: { spark: SparkMaster | undefined; given: Readonly<Record<string, string>> },
  ): Record<string, string> {
    return childEnvironment({
      ...given,
      ...this.#sparkVariables(spark, program, given),
      ...pathsOf(program),
      // The kernel ends when this process is gone.
      JPY_PARENT_PID: String(process.pid),
      MPLBACKEND: 'module://matplotlib_inline.backend_inline',
      PYDEVD_DISABLE_FILE_VALIDATION: '1',
    });
  }

  /** Prepares `%python.sql` at its first run. */
  async beforeRun(run: Run, signal: AbortSignal): Promise<void> {
    this.#spare?.pause();
    if (run.variant !== 'sql' || this.#hasDuckdb) return;
    const { folder, properties } = this.host;
    const isOfUser = Boolean(properties['python.path'] || process.env['TIDING_PYTHON_ENV']);
    await installDuckdb(this.#program, isOfUser, run, { notes: folder, signal });
    this.#hasDuckdb = true;
  }

  afterRun(): void {
    this.#spare?.resume();
  }

  codeOf(run: Run): string {
    return run.variant === 'sql' ? frameQuery(run.code) : run.code;
  }

  /** `z` sends its requests to the server as requests for input. */
  answer(prompt: string, signal: AbortSignal, run: Run): Promise<string | undefined> {
    return this.#tables.answer(prompt, signal, run);
  }

  adopt(file: string, keep: TableKeeper | undefined): KeptTable | undefined {
    return this.#tables.adopt(file, keep);
  }

  forget(): Promise<void> {
    return this.#tables.clear();
  }
}

/** Whether a start of Python with these variables does not depend on its working folder. */
function startsAlikeAnywhere({
  PYTHONPATH = '',
  PYTHONSTARTUP,
}: Readonly<Record<string, string>>): boolean {
  if (PYTHONSTARTUP !== undefined) return false;
  return PYTHONPATH === '' || PYTHONPATH.split(delimiter).every((path) => isAbsolute(path));
}
