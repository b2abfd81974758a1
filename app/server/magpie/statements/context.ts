/** What the statements work with. */
import type { TableKeeper } from '../../interpreters/contract.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { ValidatorDefinition } from '../catalogue/definitions.ts';
import type { Who } from '../catalogue/permissions.ts';
import type { Item, Permission } from '../catalogue/state.ts';
import type { Engine } from '../contract.ts';
import type { ExportStore } from '../exports.ts';
import type { ConnectionEngine } from '../engines.ts';
import type { People } from '../people.ts';
import type { Emitter } from './emit.ts';
import type { Session } from './session.ts';

interface TableName {
  readonly schemaName: string;
  readonly tableName: string;
}

/** What computes over tables. `from` is what stands after FROM: a quoted table, or a query in brackets. */
export interface Analysis {
  profileDataSet(
    engine: Engine,
    source: { readonly from: string; readonly tableName?: string; readonly query?: string },
    options: {
      readonly sample?: number;
      readonly fields?: readonly string[];
      readonly topValues?: number;
    },
    signal?: AbortSignal,
  ): Promise<object>;
  profileSchema(
    engine: Engine,
    source: {
      readonly schemaName: string;
      readonly tables: readonly { readonly tableName: string; readonly from: string }[];
    },
    signal?: AbortSignal,
  ): Promise<object>;
  discoverRelationships(
    engine: Engine,
    source: {
      readonly tables: readonly {
        readonly schemaName: string;
        readonly tableName: string;
        readonly from: string;
      }[];
      readonly between?: readonly [TableName, TableName];
      readonly of?: TableName;
    },
    options: object,
    signal?: AbortSignal,
  ): Promise<{ readonly relationships: readonly object[] }>;
  runSuite(
    engine: Engine,
    input: {
      readonly suite: string;
      readonly validators: readonly ValidatorDefinition[];
      readonly schemaName: string;
      readonly tableName: string;
      readonly from: string;
      readonly lookup: (schema: string, table: string) => string;
    },
    signal?: AbortSignal,
  ): Promise<object & { readonly state: string }>;
}

/** A run of a job, as the payload `job-run` has it. */
export interface JobRunData {
  readonly jobRunId: string;
  readonly projectName: string;
  readonly jobName: string;
  readonly state: string;
  readonly userName?: string;
  readonly startTime?: string;
  readonly endTime?: string | null;
  readonly taskRuns?: readonly (object & { readonly taskName: string; readonly state: string })[];
}

/** A run that goes on. */
export interface JobRunHandle {
  readonly run: JobRunData;
  onChange(listener: (run: JobRunData) => void): unknown;
  readonly done: Promise<JobRunData>;
  cancel(): void;
}

/** The runner of jobs. */
export interface Jobs {
  /** Starts a job. Throws where it is disabled, or runs and may not twice. */
  start(
    projectName: string,
    jobName: string,
    by: {
      readonly userName: string;
      readonly scheduleName?: string;
      readonly fromTask?: string;
      readonly onlyTask?: string;
      readonly parentJobRunId?: string;
    },
  ): JobRunHandle;
  history(projectName: string, jobName: string, taskName?: string): Promise<readonly object[]>;
  metrics(projectName: string, jobName: string): Promise<object>;
  /** Forgets the runs of a job that was dropped. */
  forget(projectName: string, jobName: string, jobId: number): Promise<void>;
  /** Starts of a schedule that did not happen, as entries of its history. */
  missed(scheduleId: string): readonly object[];
  /** Events that a subscription told of, the newest first. */
  told(subscriptionId: number): readonly object[];
  /** Whether there is a mail server. */
  readonly sendsLetters: boolean;
  /** A run that goes on or is over. */
  find(
    jobRunId: string,
  ): Promise<(Pick<JobRunHandle, 'run'> & Partial<Pick<JobRunHandle, 'cancel'>>) | undefined>;
}

/** How the run of a paragraph goes on. */
export interface RunInfo {
  readonly noteId: string;
  /** The run of a job whose task this is. */
  readonly jobRunId?: string;
  /** Who wrote the script, where it may be somebody else than who runs it. */
  readonly scriptBy?: string;
  readonly signal: AbortSignal;
  /** Rows shown of a result. */
  readonly limit: number;
  readonly keep: TableKeeper | undefined;
  progress(percent: number): void;
}

/** What the server lets statements use. */
export interface Services {
  readonly catalogue: Catalogue;
  readonly people: People;
  readonly exports: ExportStore;
  /** Folder of the users' files. Absolute. */
  readonly files: string;
  /** Whether addresses of this machine and of private networks may be asked for files. */
  readonly allowPrivateAddresses: boolean;
  /** Absent: not available. */
  readonly analysis?: Analysis | undefined;
  readonly jobs?: Jobs | undefined;
  /** Ends the connections of the engine, for the cluster's restart. */
  restartEngine(): Promise<void>;
}

/** An object that a statement used or changed, for the log. */
export interface Use {
  readonly item: Pick<Item, 'type' | 'name'> & { readonly id?: number };
  readonly permission: Permission;
  /** What was changed: `Create`, `Alter`; absent: it was used. */
  readonly activity?: string;
  readonly description?: string;
  /** The names that the log has beside it, taken while the object was there. */
  readonly names: Readonly<Record<string, string>>;
}

/** Everything a statement gets. */
export interface Context extends Services {
  readonly session: Session;
  readonly who: Who;
  readonly engine: ConnectionEngine;
  readonly emit: Emitter;
  readonly run: RunInfo;
  /** What this statement has used so far. */
  readonly uses: Use[];
}
