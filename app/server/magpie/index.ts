/** The platform behind `%magpie`: its catalogue, its engine, its sessions. One a server. */
import { join, sep } from 'node:path';
import type { Completion } from 'tiding/protocol';
import { privateFolder } from '../files.ts';
import type { Run, RunEnd, RunOutput } from '../interpreters/contract.ts';
import { errorText } from '../interpreters/sql-engine.ts';
import { defaultRowLimit } from '../interpreters/table-text.ts';
import { Catalogue, type SecretBox } from './catalogue/catalogue.ts';
import { may, type Who } from './catalogue/permissions.ts';
import { ExecutionError, MetadataError, StatementError } from './contract.ts';
import { Engines } from './engines.ts';
import { ExportStore } from './exports.ts';
import { parse } from './language/parser.ts';
import type { People } from './people.ts';
import type {
  Analysis,
  Context,
  JobRunData,
  Jobs,
  RunInfo,
  Services,
} from './statements/context.ts';
import { Emitter } from './statements/emit.ts';
import { complete } from './statements/complete.ts';
import { carryOut } from './statements/index.ts';
import { Session } from './statements/session.ts';
import { jobItem } from './work.ts';

/** What the platform is made of. */
export interface MagpieOptions {
  /** Its own folder: catalogue, engine, exports. Absolute. */
  readonly folder: string;
  /** Folder of the users' files. Absolute. */
  readonly files: string;
  readonly secrets: SecretBox;
  readonly people: People;
  /** Whether addresses of this machine and of private networks may be asked for files. */
  readonly allowPrivateAddresses: boolean;
  readonly analysis?: Analysis | undefined;
  /** Makes the runner of jobs. */
  readonly jobs?: ((magpie: Magpie) => Jobs) | undefined;
}

/** See the head of this file. */
export class Magpie {
  readonly catalogue: Catalogue;
  readonly exports: ExportStore;
  readonly #options: MagpieOptions;
  readonly #engines: Engines;
  readonly #jobs: Jobs | undefined;
  readonly #sessions = new Set<Session>();

  private constructor(options: MagpieOptions, catalogue: Catalogue, exports: ExportStore) {
    this.#options = options;
    this.catalogue = catalogue;
    this.exports = exports;
    this.#engines = new Engines(options);
    this.#jobs = options.jobs?.(this);
  }

  /** Opens the platform of a folder. Rejects where its catalogue is damaged. */
  static async open(options: MagpieOptions): Promise<Magpie> {
    await privateFolder(options.folder);
    return new Magpie(
      options,
      await Catalogue.open(options.folder, options.secrets),
      await ExportStore.open(join(options.folder, 'exports')),
    );
  }

  /** A new session of a user. Its owner ends it with {@link Session.close}. */
  session(userName: string): Session {
    const session = new Session(userName, this.catalogue, this.#engines);
    this.#sessions.add(session);
    return session;
  }

  /** Ends a session. */
  async end(session: Session): Promise<void> {
    this.#sessions.delete(session);
    await session.close();
  }

  /**
   * Runs a script in a session: all of it is read before the first statement is carried out, and the first that fails ends it.
   * Throws {@link StatementError}, or the signal's reason.
   */
  execute(script: string, session: Session, output: RunOutput, run: RunInfo): Promise<void> {
    const done = this.#execute(script, session, output, run);
    session.running = done.catch(() => undefined);
    return done;
  }

  async #execute(script: string, session: Session, output: RunOutput, run: RunInfo): Promise<void> {
    const statements = parse(script);
    await this.#whoActs(session.userName, run.scriptBy);
    const services: Services = {
      catalogue: this.catalogue,
      people: this.#options.people,
      exports: this.exports,
      files: this.#options.files,
      allowPrivateAddresses: this.#options.allowPrivateAddresses,
      analysis: this.#options.analysis,
      jobs: this.#jobs,
      restartEngine: () => this.restartEngine(session),
    };
    const emit = new Emitter(output);
    for (const statement of statements) {
      run.signal.throwIfAborted();
      session.used = Date.now();
      const who = await this.#whoActs(session.userName, run.scriptBy);
      const context: Context = {
        ...services,
        session,
        who,
        engine: await session.engine().catch(notOpened),
        emit,
        run,
        uses: [],
      };
      await carryOut(context, statement);
    }
  }

  /** A user as he is now. Throws {@link MetadataError} where there is none who may sign in. */
  async whoIs(userName: string): Promise<Who> {
    const person = await this.#options.people.find(userName);
    if (!person || person.isDisabled)
      throw new MetadataError(`There is no user ${userName} who may sign in.`);
    return { userName: person.userName, isAdmin: this.#options.people.isAdmin(person) };
  }

  /** A user in whose name a script runs that somebody else may have written. */
  async #whoActs(userName: string, scriptBy = userName): Promise<Who> {
    const who = await this.whoIs(userName);
    if (scriptBy === userName) return who;
    const writer = await this.whoIs(scriptBy);
    return { userName, isAdmin: who.isAdmin && writer.isAdmin, both: [who, writer] };
  }

  /** A run of a job, as it is now; undefined where there is none, or its job may not be read. Throws where there is no such user. */
  async jobRun(jobRunId: string, userName: string): Promise<JobRunData | undefined> {
    const who = await this.whoIs(userName);
    const found = await this.#jobs?.find(jobRunId);
    const job = found && jobItem(this.catalogue, found.run.projectName, found.run.jobName);
    return job && may(this.catalogue.state, who, 'Read', job) ? found.run : undefined;
  }

  /** What may be written at `cursor` of a script in a session. Rejects where there is no such user. */
  async complete(code: string, cursor: number, session: Session): Promise<Completion[]> {
    session.used = Date.now();
    return complete(
      {
        catalogue: this.catalogue,
        people: this.#options.people,
        engines: this.#engines,
        session,
        who: await this.whoIs(session.userName),
      },
      code,
      cursor,
    );
  }

  /** The run of a paragraph in a session. */
  async run(run: Run, session: Session): Promise<RunEnd> {
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
      // Where the files are on the machine is nobody's business.
      return {
        code: 'ERROR',
        message: errorResult(error)
          .replaceAll(`${this.#options.files}${sep}`, '')
          .replaceAll(`${this.#options.folder}${sep}`, ''),
      };
    }
  }

  /** Ends all connections to the engine and the scripts that use them, except the one of `own`; sessions make new ones. */
  async restartEngine(own?: Session): Promise<void> {
    await Promise.all(
      [...this.#sessions].map(async (session) => {
        if (session !== own) await session.interrupt();
        await session.close();
      }),
    );
  }

  /** Ends all sessions; resolves when everything is stored. */
  async close(): Promise<void> {
    await Promise.all([...this.#sessions].map((session) => this.end(session)));
    await this.catalogue.flush();
  }
}

function notOpened(error: unknown): never {
  throw new ExecutionError(`The engine could not be opened: ${errorText(error)}`);
}

/** An error as the last output of a run has it: code, place, message. */
export function errorResult({ code, message, place }: StatementError): string {
  return `${code}${place ? ` at line ${place.line}, column ${place.column}` : ''}: ${message}`;
}
