/** Dependencies and state that every statement receives. */
import type { TableKeeper } from '../../interpreters/contract.ts';
import type { ObjectCatalogue } from '../catalogue/catalogue.ts';
import type { Requester } from '../catalogue/permissions.ts';
import type { Item, Permission } from '../catalogue/state.ts';
import type { ConnectionEngine } from '../engines.ts';
import type { ExportStore } from '../exports.ts';
import type { ScheduleWork } from '../jobs/catalogue-jobs.ts';
import type { JobRunner } from '../jobs/runner.ts';
import type { JobSchedules } from '../jobs/schedules.ts';
import type { JobSubscriptions } from '../jobs/subscriptions.ts';
import type { Statement, StatementOf } from '../language/statements.ts';
import type { UserAccounts } from '../people.ts';
import type { Emitter } from './emit.ts';
import type { MagpieSession } from './session.ts';

/** The paragraph run or task run that executes the statement. */
export interface StatementRun {
  readonly noteId: string;
  /** The job run, if the statement belongs to a task. */
  readonly jobRunId?: string;
  /** Author of the script, if that may be a different user than the one who runs it. */
  readonly scriptBy?: string;
  readonly signal: AbortSignal;
  /** Maximum number of result rows to show. */
  readonly limit: number;
  readonly keep?: TableKeeper | undefined;
  progress?(percent: number): void;
}

/** Services of the server that statements use. */
export interface StatementServices {
  readonly catalogue: ObjectCatalogue;
  readonly people: UserAccounts;
  readonly exports: ExportStore;
  /** Folder with the users' files. Absolute path. */
  readonly files: string;
  /** Whether statements may fetch files from this machine and from private networks. */
  readonly allowPrivateAddresses: boolean;
  readonly jobs: JobRunner;
  readonly schedules: JobSchedules<ScheduleWork>;
  readonly subscriptions: JobSubscriptions;
  /** Closes all connections to the engine, for `restart cluster`. */
  restartEngine(): Promise<void>;
}

/** An object that a statement used or changed, for the usage log. */
interface RecordedUse {
  readonly item: Pick<Item, 'type' | 'name'> & { readonly id?: number };
  readonly permission: Permission;
  /** Kind of change, such as `Create` or `Alter`. Absent if the object was only used. */
  readonly activity?: string;
  readonly description?: string;
  /**
   * Names recorded in the log entry. Captured up front, because the object may be dropped later.
   */
  readonly names: Readonly<Record<string, string>>;
}

/** Everything a statement receives. */
export interface StatementContext extends StatementServices {
  readonly session: MagpieSession;
  readonly who: Requester;
  readonly engine: ConnectionEngine;
  readonly emit: Emitter;
  readonly run: StatementRun;
  /** Objects this statement has used so far. */
  readonly uses: RecordedUse[];
}

/** Carries out the statements of a kind. */
export type RunStatement<Kind extends Statement['kind']> = (
  context: StatementContext,
  statement: StatementOf<Kind>,
) => Promise<void> | void;
