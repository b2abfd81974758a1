import type { MissedStarts } from './schedules.ts';
import type { SubscriptionRow } from './subscriptions.ts';
import type { JobHistory, JobMetrics, JobRunHandle, TaskHistory } from './types.ts';

/** Starts jobs and reads their run history. */
export interface JobServices {
  /**
   * Starts a job. Throws if the job is disabled, or if it is already running and may not run
   * concurrently.
   */
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
  history(projectName: string, jobName: string): Promise<JobHistory>;
  /** Runs of a task, newest first. */
  taskHistory(projectName: string, jobName: string, taskName: string): Promise<TaskHistory>;
  metrics(projectName: string, jobName: string): Promise<JobMetrics>;
  /** Deletes the runs of a dropped job. */
  forget(projectName: string, jobName: string, jobId: number): Promise<void>;
  /** Missed starts of a schedule, as entries of its history. */
  missed(scheduleId: string): readonly MissedStarts[];
  /** Events that a subscription reported, newest first. */
  reported(subscriptionId: number): readonly SubscriptionRow[];
  /** Whether a mail server is configured. */
  readonly sendsMail: boolean;
  /**
   * Finds a run by id, whether in progress or finished. Only a run in progress can be cancelled.
   */
  find(
    jobRunId: string,
  ): Promise<(Pick<JobRunHandle, 'run'> & Partial<Pick<JobRunHandle, 'cancel'>>) | undefined>;
}
