/** `%pyspark`, `%spark` and `%spark.sql`: Python, Scala and SQL in one Spark session. */

import { join } from 'node:path';
import { jsonObjectOf } from '@tiding/client/model';
import { untilAborted } from '../../base/aborted.ts';
import { completingEditor } from '../completing-editor.ts';
import type { InterpreterHost, InterpreterSpec, Run, RunEnd } from '../contract.ts';
import { type JupyterMessage, textOf } from '../kernels/jupyter-messages.ts';
import { KernelProblem } from '../kernels/kernel-problem.ts';
import { KernelSession } from '../kernels/kernel-session.ts';
import scalaProgram from '../programs/scala.py?raw';
import program from '../programs/spark.py?raw';
import scalaHelper from '../programs/spark.scala?raw';
import { property } from '../property.ts';
import { statementRanges } from '../sql/script.ts';
import { PythonEngine, python } from './python.ts';
import { localSparkVariables, sparkProperties, splitConnect } from './spark.ts';

/** Type of the messages that report jobs. */
const reportType = 'tiding_spark_jobs';
/** Text before Scala in requests for completion. */
const scalaMark = '%%tiding-scala ';
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
  aliasVariants: { spark: 'scala' },
  isTemplate: true,
  variants: {
    sql: { editor: { language: 'sql', editOnDblClick: false, completionSupport: false } },
    scala: { editor: completingEditor('scala') },
    conf: { editor: { language: 'text', editOnDblClick: false, completionSupport: false } },
  },
  properties: [
    property('spark.conf', 'textarea', 'Properties of Spark, one name=value per line', {
      check: (value) =>
        sparkProperties(value) ? undefined : 'must consist of lines spark.name=value',
    }),
    property('spark.maxRows', 'number', 'Maximum number of rows that are read of a result', {
      defaultValue: '10000',
      check: (value) => (/^[1-9]\d{0,6}$/.test(value) ? undefined : 'must be 1 to 9999999'),
    }),
    ...(python.properties ?? []),
  ],
  create: (host) => new SparkSession(host, new SparkEngine(host)),
};

/** Runs `%spark.conf` in the server: the process starts with what it says. */
class SparkSession extends KernelSession {
  readonly #engine: SparkEngine;

  constructor(host: InterpreterHost, engine: SparkEngine) {
    super(host, engine);
    this.#engine = engine;
  }

  override async run(run: Run): Promise<RunEnd> {
    if (run.variant !== 'conf') return super.run(run);
    const { mine, others } = ofSpark(run.code);
    const problem = this.#engine.configure(mine);
    if (problem !== undefined) return { code: 'ERROR', message: problem };
    if (others.length > 0)
      run.output.write(
        `Not used here: ${others.join(', ')}. Only properties that begin with spark. apply.\n`,
      );
    return { code: 'SUCCESS' };
  }
}

/** The lines of `%spark.conf`, and the names of those that only Zeppelin uses: `SPARK_HOME`. */
function ofSpark(text: string): { mine: string; others: string[] } {
  const lines = text.split('\n').map((line) => line.trim());
  const names = lines.map((line) => /^(?!spark\.)([A-Za-z][\w.-]*)[\s=]+\S/.exec(line)?.[1]);
  return {
    mine: lines.filter((_, at) => names[at] === undefined).join('\n'),
    others: names.filter((name) => name !== undefined),
  };
}

class SparkEngine extends PythonEngine {
  /** The start of the session in the current kernel. */
  #session: Promise<void> | undefined;
  /** The start of Scala in it. */
  #scala: Promise<void> | undefined;
  /** Properties of `%spark.conf`, which take precedence over the setting's. */
  #conf: Readonly<Record<string, string>> = {};

  constructor(host: InterpreterHost) {
    super(host, { variables: localSparkVariables });
  }

  /** Adds properties for the next start. Returns a sentence that says why it can't. */
  configure(text: string): string | undefined {
    const conf = sparkProperties(text);
    if (!conf) return '%spark.conf consists of lines such as spark.executor.memory 2g.';
    if (this.#session)
      return (
        'Spark has started, and these properties apply from a start. Restart the interpreter, ' +
        'then run this paragraph before the others.'
      );
    this.#conf = { ...this.#conf, ...conf };
    return undefined;
  }

  /** Starts Spark, and Scala if needed. A cancelled run leaves the start to the next one. */
  override beforeRun(run: Run, signal: AbortSignal): Promise<void> {
    this.#session ??= this.#startSession();
    const session = this.#session;
    session.catch(() => (this.#session = undefined));
    let ready = session;
    if (run.variant === 'scala') {
      this.#scala ??= session.then(() => this.#startScala());
      ready = this.#scala;
      ready.catch(() => (this.#scala = undefined));
    }
    return Promise.race([ready, untilAborted(signal)]);
  }

  async #startSession(): Promise<void> {
    const { properties, folder } = this.host;
    const given = { ...sparkProperties(properties['spark.conf'] ?? ''), ...this.#conf };
    const { remote, conf } = splitConnect(given);
    const settings = {
      remote,
      conf: remote === null ? { ...defaults, ...conf } : conf,
      maxRows: Number(properties['spark.maxRows']),
      message: reportType,
      classes: join(folder, 'scala'),
      scala: scalaHelper,
      scalaMark,
    };
    const text = JSON.stringify(JSON.stringify(settings));
    const code = `${scalaProgram}\n${program}\n_tiding_spark(${text})`;
    const reply = await this.#execute(`${code}\ndel _tiding_spark, _tiding_scala`);
    if (reply['status'] !== 'ok') throw new KernelProblem(startProblem(reply));
  }

  async #startScala(): Promise<void> {
    const reply = await this.#execute('_tiding_spark_scala_start()');
    if (reply['status'] !== 'ok') throw new KernelProblem(textOf(reply['evalue']));
  }

  async #execute(code: string): Promise<Record<string, unknown>> {
    const handlers = { onMessage: () => undefined, onInput: async () => '' };
    return (await this.kernel?.execute(code, handlers, true)) ?? {};
  }

  override codeOf(run: Run): string {
    if (run.variant === 'scala') return `_tiding_spark_scala(${JSON.stringify(run.code)})`;
    if (run.variant !== 'sql') return run.code;
    // Errors name a place in the statement: blanks in front make it one in the code.
    const statements = statementRanges(run.code, 'mysql').map(
      ({ start, end }) =>
        run.code.slice(0, start).replace(/[^\n]/g, ' ') + run.code.slice(start, end),
    );
    const limit = /^[1-9]\d{0,6}$/.exec(run.options['limit'] ?? '')?.[0] ?? 'None';
    return `_tiding_spark_sql(${JSON.stringify(statements)}, ${limit})`;
  }

  /** Scala completes names after its first run. */
  completionPrefix(variant: string): string | undefined {
    return variant === 'scala' && this.#scala ? scalaMark : undefined;
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
    this.#scala = undefined;
    this.#conf = {};
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
      : value.includes('PACKAGE_NOT_INSTALLED')
        ? ' Spark Connect needs pyspark[connect] in the dependencies of the setting.'
        : value.includes('JAVA_GATEWAY_EXITED')
          ? ' It needs Java 17 or newer, in JAVA_HOME or in the PATH, and correct properties.'
          : '';
  return `Spark did not start: ${name}: ${value.replace(/\.$/, '')}.${advice}`;
}
