/** Job definitions and job runs. All times are ISO 8601 in UTC. */
import type {
  JobRun,
  LogEntry,
  NarrowPayload,
  PayloadOf,
  TaskRun,
  WidgetPayload,
} from '@tiding/client/widgets';
import type { StoredDefinition } from '../catalogue/state.ts';

/** Identifies a job. */
export interface JobReference {
  readonly projectName: string;
  readonly jobName: string;
  /** Stays the same when the job is renamed. If absent, the job is identified by name. */
  readonly jobId?: number | undefined;
}

/** Members of tasks that write the rows of a query to a table. */
export const mapperMembers = [
  'targetTableName',
  'targetTableSpec',
  'targetSchemaName',
  'dataSourceName',
  'partitionOptions',
  'saveMode',
  'createMode',
  'writeMode',
] as const;
type MapperMembers = Pick<StoredDefinition<'task'>, (typeof mapperMembers)[number]>;

export interface TaskDefinition extends Partial<MapperMembers> {
  readonly name: string;
  /** `Magpie`, `Python`, `Scala`, `R`, `SqlMapper`, `NestedJob`, … */
  readonly taskType: string;
  /** Default: `Enabled`. A disabled task is skipped and its successors run. */
  readonly state?: string | undefined;
  /** The task after which this one starts. Without it, the task starts immediately. */
  readonly predecessorName?: string | null | undefined;
  /**
   * `Abort` (default): the job fails with the task. `Ignore`: the job continues as if the task had
   * succeeded.
   */
  readonly failureMode?: string | undefined;
  readonly maxRetries?: number | undefined;
  /** Time limit of each attempt; see `parseTimeout()`. */
  readonly timeout?: string | null | undefined;
  /** Runs after all other tasks, even if they failed or were cancelled. */
  readonly isFinalizer?: boolean | undefined;
  /** The job to run, for a nested job. */
  readonly nestedJobReference?: JobReference | undefined;
  /** The code of a script, or the query of a SQL mapper. */
  readonly script?: string | undefined;
  readonly createdBy?: string | undefined;
}

export interface JobDefinition {
  readonly projectName: string;
  readonly name: string;
  /** Stays the same when the job is renamed. If absent, runs are stored by name. */
  readonly jobId?: number | undefined;
  /** ISO 8601. Runs before it are those of an earlier job with the same name. */
  readonly createdAt?: string | undefined;
  /** Default: `Enabled`. */
  readonly state?: string | undefined;
  /**
   * `Abort` (default): a failed task ends the others. `Continue`: only its successors are skipped.
   */
  readonly failureMode?: string | undefined;
  /** If false, starting the job while it runs is an error. */
  readonly allowConcurrentRuns?: boolean | undefined;
  readonly tasks: readonly TaskDefinition[];
}

export type RunState = 'Running' | 'Stopping' | 'Succeeded' | 'Failed' | 'Cancelled' | 'Disabled';

/**
 * A log entry. `eventType` is one of the platform's event types: `JobStart`, `TaskOutput`,
 * `ExecutionError`, …
 */
export type RecordedLogEntry = NarrowPayload<
  PayloadOf<LogEntry, never>,
  { eventType: string; eventTime: string }
>;

/** The run of a task. Without `endTime` it is in progress. */
export type RecordedTaskRun = NarrowPayload<
  PayloadOf<TaskRun, never>,
  {
    taskRunId: string;
    taskName: string;
    taskType: string;
    state: RunState;
    /** Number of the attempt, starting at 1. */
    attempt: number;
    startTime: string;
    endTime?: string;
    /** The newest entries. If older ones were dropped, the first entry says how many. */
    logs: readonly RecordedLogEntry[];
  }
>;

/** The run of a job. Tasks that never started are not included. */
export type RecordedRun = NarrowPayload<
  PayloadOf<JobRun, never>,
  {
    jobRunId: string;
    projectName: string;
    jobName: string;
    state: RunState;
    startTime: string;
    endTime?: string;
    userName: string;
    taskRuns: readonly RecordedTaskRun[];
    logs: readonly RecordedLogEntry[];
  }
>;

/** Runs of a job, newest first. */
export type JobHistory = NarrowPayload<
  WidgetPayload<'job-history'>,
  { projectName: string; jobName: string; history: readonly RecordedRun[] }
>;

/** Runs of one task of a job, newest first. */
export type TaskHistory = NarrowPayload<
  WidgetPayload<'task-history'>,
  {
    projectName: string;
    jobName: string;
    taskName: string;
    history: readonly (RecordedTaskRun & { readonly jobRunId: string })[];
  }
>;

/** Durations of a job's finished runs, newest first. */
export type JobMetrics = NarrowPayload<
  WidgetPayload<'job-metrics'>,
  {
    summary: {
      readonly runCount: number;
      readonly succeededCount: number;
      readonly averageDurationMs: number | null;
    };
    runs: readonly {
      readonly jobRunId: string;
      readonly startTime: string;
      readonly durationMs: number;
      readonly state: RunState;
    }[];
  }
>;

/** `project.job`. */
export const qualifiedJobName = ({ projectName, jobName }: JobReference): string =>
  `${projectName}.${jobName}`;
/** Whether two references identify the same job. */
export const isSameJob = (one: JobReference, other: JobReference): boolean =>
  one.jobId !== undefined && other.jobId !== undefined
    ? one.jobId === other.jobId
    : qualifiedJobName(one) === qualifiedJobName(other);
