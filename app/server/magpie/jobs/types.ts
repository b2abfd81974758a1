/** Jobs as they are defined, and what their runs tell; times are ISO-8601 in UTC. */

/** A job by name. */
export interface JobReference {
  readonly projectName: string;
  readonly jobName: string;
  /** The same under another name; absent: it is told by its name. */
  readonly jobId?: number | undefined;
}

/** A task, as far as the order and the fate of a run depend on it; what it does is known to whoever executes it. */
export interface TaskDefinition {
  readonly name: string;
  /** `Magpie`, `Python`, `Scala`, `R`, `SqlMapper`, `NestedJob`, … */
  readonly taskType: string;
  /** `Enabled` by default. A disabled one is passed over: its successors run. */
  readonly state?: string | undefined;
  /** The task after which it starts; without one it starts at once. */
  readonly predecessorName?: string | null | undefined;
  /** `Abort` (default): the job has failed with it. `Ignore`: the job goes on as if it had succeeded. */
  readonly failureMode?: string | undefined;
  readonly maxRetries?: number | undefined;
  /** For each attempt; see `parseTimeout()`. */
  readonly timeout?: string | null | undefined;
  /** Runs when all others are over, also after a failure or a cancel. */
  readonly isFinalizer?: boolean | undefined;
  /** Of a nested job. */
  readonly nestedJobReference?: JobReference | undefined;
}

/** A job. */
export interface JobDefinition<T extends TaskDefinition = TaskDefinition> {
  readonly projectName: string;
  readonly name: string;
  /** The same under another name; absent: its runs are kept by its name. */
  readonly jobId?: number | undefined;
  /** `Enabled` by default. */
  readonly state?: string | undefined;
  /** `Abort` (default): a failed task ends the others. `Continue`: only its own successors do not run. */
  readonly failureMode?: string | undefined;
  /** `false`: a start while it runs is an error. */
  readonly allowConcurrentRuns?: boolean | undefined;
  readonly tasks: readonly T[];
}

/** An entry of a log; `eventType` is a name of the platform: `JobStart`, `TaskOutput`, `ExecutionError`, … */
export interface LogEntry {
  readonly eventType: string;
  readonly eventTime: string;
  readonly message?: string;
  readonly taskName?: string;
}

/** How far something is. */
export type RunState = 'Running' | 'Stopping' | 'Succeeded' | 'Failed' | 'Cancelled' | 'Disabled';

/** What became of a task. Without an end it goes on. */
export interface TaskRun {
  readonly taskRunId: string;
  readonly taskName: string;
  readonly taskType: string;
  readonly state: RunState;
  /** From 1. */
  readonly attempt: number;
  readonly startTime: string;
  readonly endTime?: string;
  /** The newest; how many older ones are left out stands in the first. */
  readonly logs: readonly LogEntry[];
}

/** What became of a job. Tasks that never began are not in it. */
export interface JobRun {
  readonly jobRunId: string;
  readonly projectName: string;
  readonly jobName: string;
  readonly jobId?: number | undefined;
  readonly state: RunState;
  readonly startTime: string;
  readonly endTime?: string;
  readonly userName: string;
  readonly scheduleName?: string;
  readonly clusterName?: string;
  /** The run whose task this one is. */
  readonly parentJobRunId?: string;
  readonly taskRuns: readonly TaskRun[];
  readonly logs: readonly LogEntry[];
}

/** Runs of a job or, with `taskName`, of one of its tasks; the newest first. */
export interface JobHistory extends JobReference {
  readonly taskName?: string;
  readonly history: readonly (JobRun | (TaskRun & { readonly jobRunId: string }))[];
}

/** How long the runs of a job took that are over; the newest first. */
export interface JobMetrics extends JobReference {
  readonly summary: {
    readonly runCount: number;
    readonly succeededCount: number;
    readonly averageDurationMs: number | null;
  };
  readonly runs: readonly {
    readonly jobRunId: string;
    readonly startTime: string;
    readonly durationMs: number;
    readonly state: RunState;
  }[];
}

/** What somebody who started a run has of it. */
export interface JobRunHandle {
  /** As it is now; a copy that does not change. */
  readonly run: JobRun;
  /** Settles when all is over and stored; never rejects. */
  readonly done: Promise<JobRun>;
  /** Calls back some times a second while something changes, and at the end; returns how to stop that. */
  onChange(listener: (run: JobRun) => void): () => void;
  /** Ends the tasks that run; finalizers still come, a second cancel ends them too. */
  cancel(): void;
}

/** Whether an enumerated value is the one meant: case does not count. */
export const isNamed = (value: string | null | undefined, name: string): boolean =>
  value?.toLowerCase() === name.toLowerCase();
/** `project.job`. */
export const jobText = ({ projectName, jobName }: JobReference): string =>
  `${projectName}.${jobName}`;
/** Whether two references mean the same job. */
export const isSameJob = (one: JobReference, other: JobReference): boolean =>
  one.jobId !== undefined && other.jobId !== undefined
    ? one.jobId === other.jobId
    : jobText(one) === jobText(other);
