/** Runs SQL on the server of a database setting. */
import type { Completion } from '@tiding/client/protocol';
import { aborted } from '../../base/aborted.ts';
import { ClosingInterpreter } from '../closing-interpreter.ts';
import type { InterpreterHost, Run, RunEnd } from '../contract.ts';
import { completeWith } from '../sql/complete.ts';
import { statementRanges } from '../sql/script.ts';
import { TableWriter } from '../table-text.ts';
import type { ConnectionTarget, DatabaseConnection, DatabaseDriver } from './driver.ts';
import { limitedWork } from './limited-work.ts';
import { describeProblem } from './problem-text.ts';
import { type ChosenTarget, type DatabaseLimits, limitsOf, targetOf } from './properties.ts';
import { showTable } from './result-table.ts';
import { joinBodies } from './statement-bodies.ts';

/** Time limit for completions, in ms. */
const COMPLETION_MS = 2_000;

/** Whether a script may leave something that is lost with its session. */
const mayHaveState = (code: string): boolean =>
  /\b(?:temp|temporary|set|use|begin|start|prepare|declare|listen|lock)\b/i.test(code);

const STATE = 'temporary tables, settings and an open transaction';

/** A run, as its statements need it. */
interface Script {
  readonly run: Run;
  readonly writer: TableWriter;
  readonly signal: AbortSignal;
  readonly limit: number;
  readonly isLimitOption: boolean;
}

/**
 * One session per instance. It is opened by the first run and closed if it is not used, so it has
 * an idle time of its own: an instance without a process has none.
 */
export class DatabaseInterpreter extends ClosingInterpreter {
  readonly #host: InterpreterHost;
  readonly #driver: DatabaseDriver;
  readonly #limits: DatabaseLimits;
  #chosen: ChosenTarget | undefined;
  #connection: DatabaseConnection | undefined;
  /** Session for completions while a run uses the other one. */
  #second: DatabaseConnection | undefined;
  #hasState = false;
  #idle: NodeJS.Timeout | undefined;
  /** Whether the session was closed because it was idle. */
  #wasIdle = false;
  #isRunning = false;

  constructor(host: InterpreterHost, driver: DatabaseDriver) {
    super();
    this.#host = host;
    this.#driver = driver;
    this.#limits = limitsOf(host);
  }

  get state(): string | undefined {
    return this.#hasState && this.#connection?.isLost === false ? STATE : undefined;
  }

  protected start(run: Run, signal: AbortSignal): Promise<RunEnd> {
    clearTimeout(this.#idle);
    this.#isRunning = true;
    return this.#run(run, signal).finally(() => {
      this.#isRunning = false;
      this.#startIdle();
    });
  }

  #startIdle(): void {
    if (this.closing.aborted) return;
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => {
      this.#wasIdle = true;
      void this.#disconnect();
    }, this.#host.maxIdleMs).unref();
  }

  async #run(run: Run, signal: AbortSignal): Promise<RunEnd> {
    const limit = this.#limitOf(run);
    if (limit === undefined)
      return {
        code: 'ERROR',
        message:
          `limit must be a whole number from 1 to ${this.#limits.rows} (maxRows of the setting ` +
          `${this.#host.settingName}), for example %${this.#host.settingName}(limit=50).`,
      };
    if (signal.aborted) return { code: 'ABORT' };
    const writer = new TableWriter(run.output);
    let connection: DatabaseConnection;
    try {
      connection = await this.#open(run, signal, writer);
      await limitedWork(connection, { signal }, () => connection.prepare());
    } catch (error) {
      if (signal.aborted) return { code: 'ABORT' };
      return { code: 'ERROR', message: this.#connectionText(error) };
    }
    this.#hasState ||= mayHaveState(run.code);
    const isLimitOption = run.options['limit'] !== undefined;
    return this.#script(connection, { run, writer, signal, limit, isLimitOption });
  }

  #limitOf({ options }: Run): number | undefined {
    const text = options['limit'];
    if (text === undefined) return this.#limits.rows;
    const value = Number(text);
    return /^\d+$/.test(text) && value >= 1 && value <= this.#limits.rows ? value : undefined;
  }

  #connectionText(error: unknown): string {
    // Without a target, the error is a sentence about the setting.
    if (!this.#chosen) return (error as Error).message;
    const context = { setting: this.#host.settingName, ...this.#chosen };
    return describeProblem(this.#driver.explain(error, context));
  }

  async #open(run: Run, signal: AbortSignal, writer: TableWriter): Promise<DatabaseConnection> {
    if (this.#connection && !this.#connection.isLost) return this.#connection;
    this.#chosen = undefined;
    this.#chosen = targetOf(this.#host, this.#driver);
    await this.#install(this.#chosen.target, run, signal);
    if (this.#hasState) {
      const why = this.#wasIdle ? 'was closed because it was not used' : 'has ended';
      writer.text(`The session ${why}: ${STATE} are gone.`);
    }
    this.#hasState = false;
    this.#wasIdle = false;
    this.#connection = undefined;
    this.#connection = await this.#driver.connect(this.#chosen.target, signal);
    return this.#connection;
  }

  /** Shows the lines of an installation until it ends. */
  async #install(target: ConnectionTarget, run: Run, signal: AbortSignal): Promise<void> {
    let hasLines = false;
    await this.#driver.install?.(target, signal, (line, percent) => {
      hasLines = true;
      run.output.write(`${line.replace(/^%/, ' %')}\n`);
      run.progress(percent);
    });
    if (!hasLines) return;
    run.output.clear();
    run.progress(0);
  }

  async #script(connection: DatabaseConnection, script: Script): Promise<RunEnd> {
    const { code } = script.run;
    const { dialect: given } = this.#driver;
    const dialect = typeof given === 'function' ? given(this.#chosen!.target) : given;
    const ranges = joinBodies(code, statementRanges(code, dialect), dialect);
    const context = { setting: this.#host.settingName, ...this.#chosen! };
    for (const [index, { start, end }] of ranges.entries()) {
      if (script.signal.aborted) return { code: 'ABORT' };
      const statement = code.slice(start, end);
      let isLate = false;
      const limitMs = this.#limits.statementMs;
      try {
        await limitedWork(
          connection,
          { signal: script.signal, limitMs, onLate: () => (isLate = true) },
          () => this.#statement(connection, script, statement),
        );
        // Some statements end without an error when they are stopped, such as SLEEP of MySQL.
        if (isLate) throw new Error('time limit');
      } catch (error) {
        script.writer.end();
        const notice = await this.#rollBack(connection);
        if (script.signal.aborted) return { code: 'ABORT' };
        const problem = this.#driver.explain(error, context, statement);
        return {
          code: 'ERROR',
          message: describeProblem(isLate ? this.#lateProblem(limitMs!) : problem, {
            code,
            start,
            place: ranges.length > 1 ? `statement ${index + 1} of ${ranges.length}` : undefined,
            notice,
          }),
        };
      }
    }
    script.writer.end();
    if (script.signal.aborted) return { code: 'ABORT' };
    if (connection.inTransaction)
      script.writer.text('A transaction is open. End it with COMMIT or ROLLBACK.');
    return { code: 'SUCCESS' };
  }

  #lateProblem(ms: number) {
    return {
      message: `The statement was stopped at the time limit of ${ms / 1_000} s.`,
      advice:
        'Select less, or ask an administrator to raise timeoutSeconds of the setting ' +
        `${this.#host.settingName}.`,
    };
  }

  async #statement(
    connection: DatabaseConnection,
    { isLimitOption, limit, run, signal, writer }: Script,
    statement: string,
  ): Promise<void> {
    const { target } = this.#chosen!;
    const refusal = this.#driver.refuse?.(statement, target);
    if (refusal !== undefined) throw new Error(refusal);
    // A function of the statement before may have changed the session.
    if (target.readOnly && !connection.inTransaction) await connection.prepare();
    const notices: string[] = [];
    let isTable = false;
    connection.onNotice = (text) => {
      // Text of the server must not start another output.
      const safe = text.replaceAll(/\n(?=%)/g, '\n ');
      if (isTable) notices.push(safe);
      else writer.text(safe);
    };
    try {
      const result = await connection.execute(statement);
      isTable = result.columns !== undefined;
      if (result.columns)
        await showTable(result, result.columns, {
          writer,
          output: run.output,
          keep: run.keep,
          signal,
          limit,
          limitAdvice: isLimitOption
            ? 'For more, raise limit.'
            : 'The limit is maxRows of the setting ' +
              `${this.#host.settingName}; for others, select less or aggregate in the database.`,
        });
      else writer.text(result.summary);
      if (result.notice) writer.text(result.notice);
    } finally {
      connection.onNotice = undefined;
      for (const notice of notices) writer.text(notice);
    }
  }

  /** Ends an open transaction after a failure, because later statements in it would fail. */
  async #rollBack(connection: DatabaseConnection): Promise<string | undefined> {
    if (connection.isLost)
      return this.#hasState ? `With the session, ${STATE} are gone.` : undefined;
    if (!connection.inTransaction) return undefined;
    try {
      await (await connection.execute('ROLLBACK')).close();
      return 'The open transaction was rolled back.';
    } catch {
      connection.destroy();
      return undefined;
    }
  }

  async complete(code: string, cursor: number): Promise<Completion[]> {
    const signal = AbortSignal.timeout(COMPLETION_MS);
    const names = this.#free(signal).then((connection) =>
      completeWith(code, cursor, connection.names),
    );
    try {
      return (await Promise.race([names, aborted(signal)])) ?? [];
    } catch (error) {
      this.#host.log('database completion failed', { error: (error as Error).message });
      return [];
    }
  }

  /** Returns a session that no run uses. */
  async #free(signal: AbortSignal): Promise<DatabaseConnection> {
    if (this.#connection?.isLost === false && !this.#isRunning) return this.#connection;
    if (this.#second?.isLost === false) return this.#second;
    const chosen = this.#chosen ?? targetOf(this.#host, this.#driver);
    const second = await this.#driver.connect(chosen.target, signal);
    const other = this.#second;
    // Two completions may have connected at the same time.
    if (other?.isLost === false || this.closing.aborted) {
      void second.close();
      if (other) return other;
      throw new Error('The interpreter was closed.');
    }
    this.#second = second;
    if (!this.#isRunning) this.#startIdle();
    return second;
  }

  async #disconnect(): Promise<void> {
    await Promise.all([this.#connection?.close(), this.#second?.close()]);
    this.#second = undefined;
  }

  override async close(): Promise<void> {
    clearTimeout(this.#idle);
    await super.close();
    await this.#disconnect();
  }
}
