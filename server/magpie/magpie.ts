/** Runs scripts of the command language. Each server has one instance. */
import { join, sep } from 'node:path';
import type { Completion } from '@tiding/client/protocol';
import type { SendEmail } from '../auth/mail.ts';
import type {
  CommandLanguage,
  CommandSession,
  Run,
  RunEnd,
  RunOutput,
} from '../interpreters/contract.ts';
import { errorText } from '../interpreters/sql/engine.ts';
import { defaultRowLimit } from '../interpreters/table-text.ts';
import type { Logger } from '../logging/log.ts';
import { privateFolder } from '../storage/files.ts';
import { ObjectCatalogue, type SecretBox } from './catalogue/catalogue.ts';
import { forgetUser } from './catalogue/edits.ts';
import { may, type Requester } from './catalogue/permissions.ts';
import type { Profile } from './catalogue/state.ts';
import { ExecutionError, MetadataError, StatementError } from './contract.ts';
import { Engines, type EnginesOptions } from './engines.ts';
import { ExportStore } from './exports.ts';
import {
  jobItem,
  jobNames,
  jobWork,
  type ScheduleWork,
  scheduleWork,
} from './jobs/catalogue-jobs.ts';
import { runTask, startSchedule } from './jobs/execute-task.ts';
import { PythonTasks } from './jobs/python-task.ts';
import { JobRunner, type RecordedRun } from './jobs/runner.ts';
import { JobSchedules } from './jobs/schedules.ts';
import type { Log } from './jobs/store.ts';
import { JobSubscriptions } from './jobs/subscriptions.ts';
import { parseScript } from './language/parser.ts';
import type { UserAccounts } from './people.ts';
import { complete } from './statements/complete.ts';
import type { StatementContext, StatementRun, StatementServices } from './statements/context.ts';
import { Emitter } from './statements/emit.ts';
import { carryOut } from './statements/index.ts';
import { MagpieSession } from './statements/session.ts';

/** Options of {@link Magpie.open}. */
export interface MagpieOptions extends EnginesOptions {
  readonly secrets: SecretBox;
  readonly people: UserAccounts;
  /** Whether statements may fetch files from this machine and from private networks. */
  readonly allowPrivateAddresses: boolean;
  readonly log: Logger;
  readonly sendEmail?: SendEmail | undefined;
}

/** The catalogue, the engine, the jobs and the sessions of a server. */
export class Magpie implements CommandLanguage {
  readonly catalogue: ObjectCatalogue;
  readonly exports: ExportStore;
  readonly #options: MagpieOptions;
  readonly #engines: Engines;
  readonly #jobs: JobRunner;
  readonly #schedules: JobSchedules<ScheduleWork>;
  readonly #subscriptions: JobSubscriptions;
  readonly #sessions = new Set<MagpieSession>();

  private constructor(options: MagpieOptions, catalogue: ObjectCatalogue, exports: ExportStore) {
    this.#options = options;
    this.catalogue = catalogue;
    this.exports = exports;
    this.#engines = new Engines(options);
    const folder = join(options.folder, 'jobs');
    const log: Log = (message, fields) => options.log.info({ event: 'job', ...fields }, message);
    const python = new PythonTasks({ folder: join(folder, 'tasks'), files: options.files });
    this.#subscriptions = new JobSubscriptions({
      folder,
      log,
      catalogue,
      people: options.people,
      send: options.sendEmail,
    });
    this.#jobs = new JobRunner({
      folder,
      log,
      execute: (task, context) => runTask(this, task, context, python),
      jobOf: (projectName, jobName) => jobWork(catalogue, projectName, jobName),
      nameOf: (jobId) => jobNames(catalogue, jobId),
      onEvent: (run, entry) => this.#subscriptions.onEvent(run, entry),
    });
    this.#schedules = new JobSchedules({
      folder,
      log,
      schedules: () => scheduleWork(catalogue),
      start: (schedule) => startSchedule(this, this.#jobs, schedule),
    });
  }

  /** Opens the data in a folder, or creates it. Rejects if the catalogue is damaged. */
  static async open(options: MagpieOptions): Promise<Magpie> {
    await privateFolder(options.folder);
    return new Magpie(
      options,
      await ObjectCatalogue.open(options.folder, options.secrets),
      await ExportStore.open(join(options.folder, 'exports')),
    );
  }

  /** Starts the schedules. Records starts that were missed while no server was running. */
  start(): Promise<void> {
    return this.#schedules.start();
  }

  /** Removes the profile, roles and grants of a removed user, and ends their sessions. */
  async forgetUser(userName: string): Promise<void> {
    const ended = [...this.#sessions].filter((session) => session.userName === userName);
    await Promise.all(ended.map((session) => this.end(session)));
    await this.catalogue.change((state) => forgetUser(state, userName));
  }

  /** Starts a session for a user. The caller must end it with {@link Magpie.end}. */
  session(userName: string): MagpieSession {
    const session = new MagpieSession(userName, this.catalogue, this.#engines);
    this.#sessions.add(session);
    return session;
  }

  /** Starts a session for the interpreter of `%magpie`. */
  openSession(userName: string): CommandSession {
    const session = this.session(userName);
    return {
      get lastUsed() {
        return session.used;
      },
      run: (run) => this.run(run, session),
      complete: (code, cursor) => this.complete(code, cursor, session),
      close: () => this.end(session),
    };
  }

  /**
   * Runs one script in its own session, without a note. Throws {@link StatementError}, or the
   * signal's reason.
   */
  async runScript(
    userName: string,
    script: string,
    output: RunOutput,
    signal: AbortSignal,
  ): Promise<void> {
    const session = this.session(userName);
    try {
      await this.execute(script, session, output, { noteId: '', signal, limit: 1 });
    } finally {
      await this.end(session);
    }
  }

  async end(session: MagpieSession): Promise<void> {
    this.#sessions.delete(session);
    await session.close();
  }

  /**
   * Runs a script in a session. The whole script is parsed before the first statement runs, and the
   * first failing statement ends it. Throws {@link StatementError}, or the signal's reason.
   */
  execute(
    script: string,
    session: MagpieSession,
    output: RunOutput,
    run: StatementRun,
  ): Promise<void> {
    const done = this.#execute(script, session, output, run);
    session.running = done.catch(() => undefined);
    return done;
  }

  async #execute(
    script: string,
    session: MagpieSession,
    output: RunOutput,
    run: StatementRun,
  ): Promise<void> {
    const statements = parseScript(script);
    await this.#actingRequester(session.userName, run.scriptBy);
    const services: StatementServices = {
      catalogue: this.catalogue,
      people: this.#options.people,
      exports: this.exports,
      files: this.#options.files,
      allowPrivateAddresses: this.#options.allowPrivateAddresses,
      jobs: this.#jobs,
      schedules: this.#schedules,
      subscriptions: this.#subscriptions,
      restartEngine: () => this.restartEngine(session),
    };
    const emit = new Emitter(output);
    for (const statement of statements) {
      run.signal.throwIfAborted();
      session.used = Date.now();
      const who = await this.#actingRequester(session.userName, run.scriptBy);
      const engine = await session.engine().catch((error: unknown) => {
        throw new ExecutionError(`The engine could not be opened: ${errorText(error)}`);
      });
      if (session.lostState) {
        session.lostState = false;
        emit.line('The SQL engine was restarted. Temporary tables and the last result are lost.');
      }
      const context: StatementContext = {
        ...services,
        session,
        who,
        engine,
        emit,
        run,
        uses: [],
      };
      await carryOut(context, script, statement);
    }
  }

  /** The profile of a user; undefined if the command language does not know the user. */
  profileOf(userName: string): Profile | undefined {
    return this.catalogue.state.profiles[userName];
  }

  /**
   * The current rights of a user. Throws {@link MetadataError} if there is no such user, or the
   * account is disabled.
   */
  async requesterOf(userName: string): Promise<Requester> {
    const person = await this.#options.people.find(userName);
    if (!person || person.isDisabled)
      throw new MetadataError(`User ${userName} does not exist or may not sign in.`);
    return { userName: person.userName, isAdmin: this.#options.people.isAdmin(person) };
  }

  /** The rights of a script that runs as one user and may have been written by another. */
  async #actingRequester(userName: string, scriptBy = userName): Promise<Requester> {
    const who = await this.requesterOf(userName);
    if (scriptBy === userName) return who;
    const writer = await this.requesterOf(scriptBy);
    return { userName, isAdmin: who.isAdmin && writer.isAdmin, both: [who, writer] };
  }

  /**
   * The current state of a job run. Undefined if there is none, or the user may not read its job.
   * Throws if there is no such user.
   */
  async jobRun(jobRunId: string, userName: string): Promise<RecordedRun | undefined> {
    const who = await this.requesterOf(userName);
    const run = await this.#jobs.find(jobRunId);
    const job = run && jobItem(this.catalogue, run.projectName, run.jobName);
    return job && may(this.catalogue.state, who, 'Read', job) ? run : undefined;
  }

  /** Completion suggestions at `cursor` of a script. Rejects if there is no such user. */
  async complete(code: string, cursor: number, session: MagpieSession): Promise<Completion[]> {
    session.used = Date.now();
    return complete(
      {
        catalogue: this.catalogue,
        people: this.#options.people,
        engines: this.#engines,
        session,
        who: await this.requesterOf(session.userName),
      },
      code,
      cursor,
    );
  }

  async run(run: Run, session: MagpieSession): Promise<RunEnd> {
    const limit = Number(run.options['limit'] ?? defaultRowLimit);
    if (!Number.isInteger(limit) || limit < 1 || limit > 1_000_000)
      return {
        code: 'ERROR',
        message: 'limit must be a whole number from 1 to 1000000, for example %magpie(limit=50).',
      };
    try {
      await this.execute(run.code, session, run.output, {
        noteId: run.noteId,
        signal: run.signal,
        limit,
        keep: run.keep,
        progress: (percent) => run.progress(percent),
      });
      return run.signal.aborted ? { code: 'ABORT' } : { code: 'SUCCESS' };
    } catch (error) {
      if (run.signal.aborted) return { code: 'ABORT' };
      if (!(error instanceof StatementError)) throw error;
      const { location } = error;
      const at = location ? ` at line ${location.line}, column ${location.column}` : '';
      // Error messages must not reveal where the server stores its files.
      return {
        code: 'ERROR',
        message: `${error.code}${at}: ${error.message}`
          .replaceAll(`${this.#options.files}${sep}`, '')
          .replaceAll(`${this.#options.folder}${sep}`, ''),
      };
    }
  }

  /**
   * Closes all connections to the engine and ends the scripts that use them, except the script of
   * `own`. Sessions reconnect on demand and keep their current objects.
   */
  async restartEngine(own?: MagpieSession): Promise<void> {
    await Promise.all(
      [...this.#sessions].map(async (session) => {
        if (session !== own) {
          await session.interrupt();
          session.lostState ||= session.hasState;
        }
        await session.close();
      }),
    );
  }

  /** Ends runs, schedules and sessions. Resolves when everything is stored. */
  async close(): Promise<void> {
    await this.#schedules.close();
    await this.#jobs.close();
    await this.#subscriptions.close();
    await Promise.all([...this.#sessions].map((session) => this.end(session)));
    await this.catalogue.flush();
  }
}
