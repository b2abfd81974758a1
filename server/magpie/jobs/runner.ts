/** Starts, cancels and remembers job runs. */
import { onAbort } from '../../base/aborted.ts';
import { Slots } from '../../base/slots.ts';
import { isSameName } from '../catalogue/state.ts';
import { ExecutionError, MetadataError } from '../contract.ts';
import { planOf, refuseCycle } from './plan.ts';
import { type Execute, RunningJob, type TaskContext } from './running-job.ts';
import { type Log, RunStore } from './store.ts';
import {
  isSameJob,
  type JobDefinition,
  type JobHistory,
  type JobMetrics,
  type JobReference,
  qualifiedJobName,
  type RecordedLogEntry,
  type RecordedRun,
  type TaskDefinition,
  type TaskHistory,
} from './types.ts';

export type { Execute, TaskContext } from './running-job.ts';
export type * from './types.ts';

interface JobRunnerOptions {
  /** Folder for stored runs. */
  readonly folder: string;
  /** Executes a task. Not called for nested jobs. */
  readonly execute: Execute;
  jobOf(projectName: string, jobName: string): JobDefinition | undefined;
  /** Returns the current names of a job. If absent, jobs are never renamed. */
  nameOf?(jobId: number): Pick<JobReference, 'projectName' | 'jobName'> | undefined;
  /** Receives the log entries of a run: `JobStart`, `TaskFailed`, … Must not throw. */
  onEvent?(run: RecordedRun, entry: RecordedLogEntry): void;
  readonly now?: () => Date;
  readonly log: Log;
  /** Maximum number of tasks that run at the same time. Default: 8. */
  readonly maxTasks?: number;
  /** How long to wait for a task to end after it was cancelled, in ms. Default: 10 s. */
  readonly graceMs?: number;
}

export interface StartOptions {
  readonly userName: string;
  readonly scheduleName?: string;
  /** Run only this task, its successors and the finalizers. */
  readonly fromTask?: string;
  /** The run whose task starts this one. */
  readonly parentJobRunId?: string;
}

/** Maximum number of runs in progress, so that a job that starts jobs cannot exhaust the server. */
const MAX_RUNNING = 100;
const HISTORY = 50;
/** Number of entries of each log in a history. */
const HISTORY_LOG = 20;

interface Live {
  readonly running: RunningJob;
  readonly reference: JobReference;
  /** Enclosing runs, outermost first. */
  readonly around: readonly RecordedRun[];
}

/** Runs jobs and keeps their history. */
export class JobRunner {
  readonly #options: JobRunnerOptions;
  readonly #store: RunStore;
  readonly #live = new Map<string, Live>();
  readonly #slots: Slots;
  #isClosed = false;

  constructor(options: JobRunnerOptions) {
    this.#options = options;
    this.#store = new RunStore(
      options.folder,
      options.log,
      ({ projectName, jobName }) => options.jobOf(projectName, jobName)?.jobId,
    );
    this.#slots = new Slots(options.maxTasks ?? 8);
  }

  /**
   * Starts a job. Throws MetadataError if the job is disabled, its task order is invalid, it
   * contains itself, or `fromTask` does not exist. Throws ExecutionError if it is already running
   * and may not run concurrently, or if too many runs are in progress.
   */
  start(job: JobDefinition, options: StartOptions): RunningJob {
    refuseCycle(job, (project, name) => this.#options.jobOf(project, name));
    const parent = this.#live.get(options.parentJobRunId ?? '');
    return this.#start(
      job,
      options,
      parent ? [...parent.around, parent.running.run] : [],
      parent !== undefined,
    );
  }

  #start(
    job: JobDefinition,
    { userName, scheduleName, fromTask }: StartOptions,
    around: readonly RecordedRun[],
    isInTask: boolean,
  ): RunningJob {
    const { jobId } = job;
    const reference = {
      projectName: job.projectName,
      jobName: job.name,
      ...(jobId === undefined ? {} : { jobId }),
    };
    const name = qualifiedJobName(reference);
    if (this.#isClosed)
      throw new ExecutionError('The server is shutting down and starts no more jobs.');
    if (isSameName(job.state, 'Disabled')) throw new MetadataError(`Job '${name}' is disabled.`);
    if (around.some((run) => isSameJob(run, reference)))
      throw new MetadataError(`Job '${name}' contains itself.`);
    if (this.#live.size >= MAX_RUNNING)
      throw new ExecutionError(
        `${MAX_RUNNING} job runs are in progress, which is the maximum. ` +
          'Wait until one of them has ended.',
      );
    const plan = planOf(job, fromTask);
    const other = job.allowConcurrentRuns === false ? this.running(reference)[0] : undefined;
    if (other)
      throw new ExecutionError(
        `Job '${name}' is already running (${other.jobRunId}) and may not run concurrently.`,
      );
    const now = this.#options.now ?? (() => new Date());
    const moment = now();
    const run: RecordedRun = {
      jobRunId: this.#store.newId(moment),
      ...reference,
      state: 'Running',
      startTime: moment.toISOString(),
      userName,
      ...(scheduleName === undefined ? {} : { scheduleName }),
      ...(around.length === 0 ? {} : { parentJobRunId: around.at(-1)!.jobRunId }),
      taskRuns: [],
      logs: [],
    };
    const execute: Execute = (task, context) => {
      if (isSameName(task.taskType, 'NestedJob'))
        return this.#nested(task, context, { userName }, [...around, run], isInTask);
      // The waiting parent task already holds a slot. Requiring another one could deadlock, with
      // every slot held by a waiting parent.
      return isInTask
        ? this.#options.execute(task, context)
        : this.#slots.use(context.signal, () => this.#options.execute(task, context));
    };
    const running = new RunningJob({
      ...(jobId === undefined ? {} : { nameOf: () => this.#options.nameOf?.(jobId) }),
      onEvent: (entry) => this.#options.onEvent?.(running.run, entry),
      job,
      plan,
      run,
      journal: this.#store.begin(run),
      now,
      execute,
      graceMs: this.#options.graceMs ?? 10_000,
    });
    this.#live.set(run.jobRunId, { running, reference, around });
    void running.done.then(() => this.#live.delete(run.jobRunId));
    return running;
  }

  /** Executes a nested job as a task. The task ends with the job's result. */
  async #nested(
    task: TaskDefinition,
    { signal, log }: TaskContext,
    options: StartOptions,
    around: readonly RecordedRun[],
    isInTask: boolean,
  ): Promise<void> {
    const reference = task.nestedJobReference;
    const name = reference ? qualifiedJobName(reference) : '';
    const job = reference && this.#options.jobOf(reference.projectName, reference.jobName);
    if (!job) throw new MetadataError(`There is no job '${name}'.`);
    signal.throwIfAborted();
    const running = this.#start(job, options, around, isInTask);
    log('TaskExecutionLog', `Job '${name}' runs as ${running.run.jobRunId}.`);
    const { state, jobRunId } = await running.done.finally(onAbort(signal, () => running.cancel()));
    if (state !== 'Succeeded')
      throw new ExecutionError(`Job '${name}' ended as ${state} (${jobRunId}).`);
  }

  /** Runs in progress, of one job or all, oldest first. */
  running(job?: JobReference): RecordedRun[] {
    return [...this.#live.values()]
      .filter(({ reference }) => !job || isSameJob(reference, job))
      .map(({ running }) => running.run);
  }

  /** Cancels a run. Returns false if no run with this id is in progress. */
  cancel(jobRunId: string): boolean {
    const live = this.#live.get(jobRunId);
    live?.running.cancel();
    return live !== undefined;
  }

  /** Finds a run, in progress or finished, with its complete logs. */
  async find(jobRunId: string): Promise<RecordedRun | undefined> {
    const found = this.#live.get(jobRunId)?.running.run ?? (await this.#store.find(jobRunId));
    return found && this.#named(found);
  }

  /** The last 50 runs of a job, newest first, with the last entries of their logs. */
  async history(projectName: string, jobName: string): Promise<JobHistory> {
    const since = this.#options.jobOf(projectName, jobName)?.createdAt ?? '';
    // Collect live runs before reading files, so that a run that ends meanwhile is not missed.
    const job = this.#reference(projectName, jobName);
    const going = [...this.#live.values()].filter(({ reference }) => isSameJob(reference, job));
    const stored = (await this.#store.runs(job, HISTORY)).map((run) => this.#named(run));
    const live = going
      .map(({ running }) => running.run)
      .filter(({ jobRunId }) => !stored.some((run) => run.jobRunId === jobRunId))
      .reverse();
    const runs = [...live, ...stored]
      .filter(({ startTime }) => startTime >= since)
      .slice(0, HISTORY)
      .map((run) => ({
        ...run,
        logs: endOf(run.logs),
        taskRuns: run.taskRuns.map((task) => ({ ...task, logs: endOf(task.logs) })),
      }));
    return { projectName, jobName, history: runs };
  }

  /** Runs of one task among the last 50 runs of its job; otherwise like {@link history}. */
  async taskHistory(projectName: string, jobName: string, taskName: string): Promise<TaskHistory> {
    const { history } = await this.history(projectName, jobName);
    return {
      projectName,
      jobName,
      taskName,
      history: history.flatMap(({ jobRunId, taskRuns }) =>
        taskRuns
          .filter((task) => isSameName(task.taskName, taskName))
          .map((task) => ({ jobRunId, ...task })),
      ),
    };
  }

  /** Durations of the last 50 finished runs. */
  async metrics(projectName: string, jobName: string): Promise<JobMetrics> {
    const since = this.#options.jobOf(projectName, jobName)?.createdAt ?? '';
    const stored = await this.#store.runs(this.#reference(projectName, jobName), HISTORY);
    const runs = stored.flatMap(({ jobRunId, startTime, endTime, state }) => {
      if (endTime === undefined || startTime < since) return [];
      const durationMs = Math.max(0, Date.parse(endTime) - Date.parse(startTime));
      return [{ jobRunId, startTime, durationMs, state }];
    });
    const total = runs.reduce((sum, { durationMs }) => sum + durationMs, 0);
    return {
      projectName,
      jobName,
      runs,
      summary: {
        runCount: runs.length,
        succeededCount: runs.filter(({ state }) => state === 'Succeeded').length,
        averageDurationMs: runs.length === 0 ? null : Math.round(total / runs.length),
      },
    };
  }

  /** Deletes the runs of a dropped job. */
  forget(projectName: string, jobName: string, jobId?: number): Promise<void> {
    return this.#store.forget({ projectName, jobName, jobId });
  }

  #reference(projectName: string, jobName: string): JobReference {
    return { projectName, jobName, jobId: this.#options.jobOf(projectName, jobName)?.jobId };
  }

  #named(run: RecordedRun): RecordedRun {
    return { ...run, ...(run.jobId === undefined ? {} : this.#options.nameOf?.(run.jobId)) };
  }

  /** Resolves when the runs of an earlier server process are loaded. */
  get ready(): Promise<void> {
    return this.#store.ready;
  }

  /** Ends all runs as failed and refuses new ones. Resolves when all are stored. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const all = [...this.#live.values()];
    for (const { running } of all) running.shutDown();
    await Promise.all(all.map(({ running }) => running.done));
    await this.#store.ready;
  }
}

const endOf = (logs: readonly RecordedLogEntry[]): readonly RecordedLogEntry[] =>
  logs.slice(-HISTORY_LOG);
