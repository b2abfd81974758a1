/** `%pyspark` and `%spark.sql`: Python and SQL in one Spark session, which is ready to use. */

import { jsonObjectOf } from '@tiding/client/model';
import type { InterpreterHost, InterpreterSpec, Run } from '../contract.ts';
import { type JupyterMessage, textOf } from '../kernels/jupyter-messages.ts';
import { KernelProblem } from '../kernels/kernel-problem.ts';
import { KernelSession } from '../kernels/kernel-session.ts';
import program from '../programs/spark.py?raw';
import { statementRanges } from '../sql/script.ts';
import { PythonEngine, python } from './python.ts';
import { localSparkVariables, sparkProperties } from './spark.ts';

/** Type of the messages that report jobs. */
const reportType = 'tiding_spark_jobs';
/** Spark would print to the output of the code: the stack of each failed task, bars of progress. */
const defaults = { 'spark.log.level': 'FATAL', 'spark.ui.showConsoleProgress': 'false' };
/** Links to more jobs of a run are left out. */
const MAX_LINKS = 20;

/**
 * A Python kernel with a Spark session. Without a current cluster, Spark runs on this machine. Only
 * administrators make settings of this group, because a session takes memory and time.
 */
export const pyspark: InterpreterSpec = {
  ...python,
  name: 'pyspark',
  aliases: ['spark', 'ipyspark'],
  isTemplate: true,
  variants: {
    sql: { editor: { language: 'sql', editOnDblClick: false, completionSupport: false } },
  },
  properties: [
    {
      name: 'spark.conf',
      type: 'textarea',
      defaultValue: '',
      description: 'Properties of Spark, one name=value per line',
      check: (value) =>
        sparkProperties(value) ? undefined : 'must consist of lines spark.name=value',
    },
    {
      name: 'spark.maxRows',
      type: 'number',
      defaultValue: '10000',
      description: 'Maximum number of rows that are read of a result',
      check: (value) => (/^[1-9]\d{0,6}$/.test(value) ? undefined : 'must be 1 to 9999999'),
    },
    ...(python.properties ?? []),
  ],
  create: (host) => new KernelSession(host, new SparkEngine(host)),
};

class SparkEngine extends PythonEngine {
  /** The start of the session in the current kernel. */
  #session: Promise<void> | undefined;

  constructor(host: InterpreterHost) {
    super(host, localSparkVariables);
  }

  /** Starts Spark. A cancelled run leaves the start to the next one. */
  override beforeRun(_: Run, signal: AbortSignal): Promise<void> {
    this.#session ??= this.#startSession();
    const session = this.#session;
    session.catch(() => (this.#session = undefined));
    return new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      if (signal.aborted) reject(signal.reason);
      session.then(resolve, reject);
    });
  }

  async #startSession(): Promise<void> {
    const { properties } = this.host;
    const settings = {
      conf: { ...defaults, ...sparkProperties(properties['spark.conf'] ?? '') },
      maxRows: Number(properties['spark.maxRows']),
      message: reportType,
    };
    const text = JSON.stringify(JSON.stringify(settings));
    const reply = await this.kernel?.execute(
      `${program}\n_tiding_spark(${text})\ndel _tiding_spark`,
      { onMessage: () => undefined, onInput: async () => '' },
      true,
    );
    if (reply?.['status'] !== 'ok') throw new KernelProblem(startProblem(reply ?? {}));
  }

  override codeOf(run: Run): string {
    if (run.variant !== 'sql') return run.code;
    // Errors name a place in the statement: blanks in front make it one in the code.
    const statements = statementRanges(run.code, 'mysql').map(
      ({ start, end }) =>
        run.code.slice(0, start).replace(/[^\n]/g, ' ') + run.code.slice(start, end),
    );
    const limit = /^[1-9]\d{0,6}$/.exec(run.options['limit'] ?? '')?.[0] ?? 'None';
    return `_tiding_spark_sql(${JSON.stringify(statements)}, ${limit})`;
  }

  receive({ type, content }: JupyterMessage, run: Run): boolean {
    if (type !== reportType) return false;
    const { jobs, page, percent } = jsonObjectOf(content);
    if (typeof percent === 'number') run.progress(percent);
    const ids = Array.isArray(jobs) ? jobs.filter((id) => Number.isInteger(id)) : [];
    if (textOf(page) !== '')
      run.showJobs?.({
        label: 'SPARK JOB',
        tooltip: 'View in Spark web UI',
        values: ids.slice(-MAX_LINKS).map((id) => `${textOf(page)}/jobs/job/?id=${id}`),
      });
    return true;
  }

  override forget(): Promise<void> {
    this.#session = undefined;
    return super.forget();
  }
}

/** Says why Spark did not start, and what to do. */
function startProblem(reply: Record<string, unknown>): string {
  const name = textOf(reply['ename']);
  const value = textOf(reply['evalue']).split('\n')[0] ?? '';
  const advice =
    name === 'ModuleNotFoundError'
      ? ' An administrator can add pyspark to the dependencies of the setting on the page ' +
        'Interpreters.'
      : value.includes('JAVA_GATEWAY_EXITED')
        ? ' It needs Java 17 or newer, in JAVA_HOME or in the PATH, and correct properties.'
        : '';
  return `Spark did not start: ${name}: ${value.replace(/\.$/, '')}.${advice}`;
}
