/** Runs jobs: starts, refuses, cancels and remembers them. */
import { ExecutionError, MetadataError } from '../contract.ts';
import { planOf, refuseCycle } from './plan.ts';
import { RunningJob, withNames, type Execute, type TaskContext } from './run.ts';
import { RunStore, type Log } from './store.ts';
import {
  isNamed,
  isSameJob,
  jobText,
  type JobDefinition,
  type JobHistory,
  type JobMetrics,
  type JobReference,
  type JobRun,
  type JobRunHandle,
  type LogEntry,
  type TaskDefinition,
} from './types.ts';

export type { Execute, TaskContext } from './run.ts';
export type * from './types.ts';

/** What a runner is made of. */
export interface JobRunnerOptions<T extends TaskDefinition> {
  /** Where runs are stored. */
  readonly folder: string;
  /** Does a task, except those of nested jobs. */
  readonly execute: Execute<T>;
  /** The job of a name, as it is defined now. */
  jobOf(projectName: string, jobName: string): JobDefinition<T> | undefined;
  /** The names that a job has now; absent: jobs keep theirs. */
  nameOf?(jobId: number): Pick<JobReference, 'projectName' | 'jobName'> | undefined;
  /** Hears of what the log of a run has: `JobStart`, `TaskFailed`, … Must not throw. */
  onEvent?(run: JobRun, entry: LogEntry): void;
  readonly now?: () => Date;
  readonly log: Log;
  /** Tasks that run at the same time; 8 by default. */
  readonly maxTasks?: number;
  /** How long a task may take to end when it is told to, in ms; 10 s by default. */
  readonly graceMs?: number;
}

/** Who starts a job, and why. */
export interface StartOptions {
  readonly userName: string;
  readonly scheduleName?: string;
  readonly clusterName?: string;
  /** Only this task and those after it, and the finalizers. */
  readonly fromTask?: string;
  /** The run whose task starts it. */
  readonly parentJobRunId?: string;
}

/** Runs that go on at the same time; a job that starts jobs may not take everything. */
const MAX_RUNNING = 100;
const HISTORY = 50;
/** Entries of each log that a history shows. */
const HISTORY_LOG = 20;

interface Live<T extends TaskDefinition> {
  readonly running: RunningJob<T>;
  readonly reference: JobReference;
  /** The runs that this one is a part of, the outermost first. */
  readonly around: readonly JobRun[];
}

/** See the head of this file. */
export class JobRunner<T extends TaskDefinition = TaskDefinition> {
  readonly #options: JobRunnerOptions<T>;
  readonly #store: RunStore;
  readonly #live = new Map<string, Live<T>>();
  readonly #slots: Slots;
  #isClosed = false;

  constructor(options: JobRunnerOptions<T>) {
    this.#options = options;
    this.#store = new RunStore(
      options.folder,
      options.log,
      ({ projectName, jobName }) => options.jobOf(projectName, jobName)?.jobId,
    );
    this.#slots = new Slots(options.maxTasks ?? 8);
  }

  /**
   * Starts a job. Throws MetadataError where it is disabled, its tasks do not follow each other, it contains itself, or there is no such task;
   * ExecutionError where it runs already and its runs may not overlap, and where very many runs go on.
   */
  start(job: JobDefinition<T>, options: StartOptions): JobRunHandle {
    refuseCycle(job, (project, name) => this.#options.jobOf(project, name));
    const parent = this.#live.get(options.parentJobRunId ?? '');
    return handleOf(
      this.#start(
        job,
        options,
        parent ? [...parent.around, parent.running.run] : [],
        parent !== undefined,
      ),
    );
  }

  #start(
    job: JobDefinition<T>,
    { userName, scheduleName, clusterName, fromTask }: StartOptions,
    around: readonly JobRun[],
    isInTask: boolean,
  ): RunningJob<T> {
    const { jobId } = job;
    const reference = {
      projectName: job.projectName,
      jobName: job.name,
      ...(jobId === undefined ? {} : { jobId }),
    };
    const name = jobText(reference);
    if (this.#isClosed) throw new ExecutionError('The server is ending: no job is started.');
    if (isNamed(job.state, 'Disabled')) throw new MetadataError(`Job '${name}' is disabled.`);
    if (around.some((run) => isSameJob(run, reference)))
      throw new MetadataError(`Job '${name}' contains itself.`);
    if (this.#live.size >= MAX_RUNNING)
      throw new ExecutionError(
        `${MAX_RUNNING} runs of jobs go on: no other is started until one of them is over.`,
      );
    const plan = planOf(job, fromTask);
    const other = job.allowConcurrentRuns === false ? this.running(reference)[0] : undefined;
    if (other)
      throw new ExecutionError(
        `Job '${name}' is running already (${other.jobRunId}), and its runs may not overlap.`,
      );
    const now = this.#options.now ?? (() => new Date());
    const moment = now();
    const run: JobRun = {
      jobRunId: this.#store.newId(moment),
      ...reference,
      state: 'Running',
      startTime: moment.toISOString(),
      userName,
      ...(scheduleName === undefined ? {} : { scheduleName }),
      ...(clusterName === undefined ? {} : { clusterName }),
      ...(around.length === 0 ? {} : { parentJobRunId: around.at(-1)!.jobRunId }),
      taskRuns: [],
      logs: [],
    };
    const execute: Execute<T> = (task, context) => {
      if (isNamed(task.taskType, 'NestedJob'))
        return this.#nested(
          task,
          context,
          { userName, ...(clusterName === undefined ? {} : { clusterName }) },
          [...around, run],
          isInTask,
        );
      // The task that waits for this one has a turn already: all turns could be taken by those that wait.
      return isInTask
        ? this.#options.execute(task, context)
        : this.#slots.use(context.signal, () => this.#options.execute(task, context));
    };
    const running = new RunningJob<T>({
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

  /** A task that is a job: it ends as that does. */
  async #nested(
    task: T,
    { signal, log }: TaskContext<T>,
    options: StartOptions,
    around: readonly JobRun[],
    isInTask: boolean,
  ): Promise<void> {
    const reference = task.nestedJobReference;
    const name = reference ? jobText(reference) : '';
    const job = reference && this.#options.jobOf(reference.projectName, reference.jobName);
    if (!job) throw new MetadataError(`There is no job '${name}'.`);
    signal.throwIfAborted();
    const running = this.#start(job, options, around, isInTask);
    log('TaskExecutionLog', `Job '${name}' runs as ${running.run.jobRunId}.`);
    const cancel = (): void => running.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    const { state, jobRunId } = await running.done.finally(() =>
      signal.removeEventListener('abort', cancel),
    );
    if (state !== 'Succeeded')
      throw new ExecutionError(`Job '${name}' ended as ${state} (${jobRunId}).`);
  }

  /** Runs that go on, of a job or all; the oldest first. */
  running(job?: JobReference): JobRun[] {
    return [...this.#live.values()]
      .filter(({ reference }) => !job || isSameJob(reference, job))
      .map(({ running }) => running.run);
  }

  /** The handle of a run that goes on. */
  handle(jobRunId: string): JobRunHandle | undefined {
    const live = this.#live.get(jobRunId);
    return live && handleOf(live.running);
  }

  /** Cancels a run; `false` where none of this id goes on. */
  cancel(jobRunId: string): boolean {
    const live = this.#live.get(jobRunId);
    live?.running.cancel();
    return live !== undefined;
  }

  /** A run, also one that is over, with its whole logs. */
  async find(jobRunId: string): Promise<JobRun | undefined> {
    const found = this.#live.get(jobRunId)?.running.run ?? (await this.#store.find(jobRunId));
    return found && this.#named(found);
  }

  /** The last 50 runs of a job or a task of it, the newest first, with the ends of their logs; none that began before `since` (ISO-8601). */
  async history(
    projectName: string,
    jobName: string,
    taskName?: string,
    since = '',
  ): Promise<JobHistory> {
    // Before the files are read: who ends meanwhile is in one of both, and told as he is then.
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
    if (taskName === undefined) return { projectName, jobName, history: runs };
    return {
      projectName,
      jobName,
      taskName,
      history: runs.flatMap(({ jobRunId, taskRuns }) =>
        taskRuns
          .filter((task) => isNamed(task.taskName, taskName))
          .map((task) => ({ jobRunId, ...task })),
      ),
    };
  }

  /** How long the last 50 runs took that are over; none that began before `since` (ISO-8601). */
  async metrics(projectName: string, jobName: string, since = ''): Promise<JobMetrics> {
    const runs = (await this.#store.runs(this.#reference(projectName, jobName), HISTORY)).flatMap(
      ({ jobRunId, startTime, endTime, state }) =>
        endTime === undefined || startTime < since
          ? []
          : [
              {
                jobRunId,
                startTime,
                durationMs: Math.max(0, Date.parse(endTime) - Date.parse(startTime)),
                state,
              },
            ],
    );
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

  /** Forgets the runs of a job that was dropped. */
  forget(projectName: string, jobName: string, jobId?: number): Promise<void> {
    return this.#store.forget({ projectName, jobName, jobId });
  }

  #reference(projectName: string, jobName: string): JobReference {
    return { projectName, jobName, jobId: this.#options.jobOf(projectName, jobName)?.jobId };
  }

  /** A run under the names that its job has now. */
  #named(run: JobRun): JobRun {
    return withNames(run, run.jobId === undefined ? undefined : this.#options.nameOf?.(run.jobId));
  }

  /** Resolves when what an earlier server left is read. */
  get ready(): Promise<void> {
    return this.#store.ready;
  }

  /** Ends all runs as failed and starts nothing more; resolves when they are stored. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const all = [...this.#live.values()];
    for (const { running } of all) running.shutDown();
    await Promise.all(all.map(({ running }) => running.done));
    await this.#store.ready;
  }
}

const endOf = (logs: readonly LogEntry[]): readonly LogEntry[] => logs.slice(-HISTORY_LOG);

function handleOf<T extends TaskDefinition>(running: RunningJob<T>): JobRunHandle {
  return {
    get run() {
      return running.run;
    },
    done: running.done,
    onChange: (listener) => running.onChange(listener),
    cancel: () => running.cancel(),
  };
}

/** Lets so many work at the same time; others wait in order. */
class Slots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(free: number) {
    this.#free = free;
  }

  async use<R>(signal: AbortSignal, work: () => Promise<R>): Promise<R> {
    if (this.#free > 0) this.#free -= 1;
    else await this.#turn(signal);
    try {
      signal.throwIfAborted();
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    }
  }

  #turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const go = (): void => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(go), 1);
        reject(signal.reason as Error);
      };
      this.#waiting.push(go);
      signal.addEventListener('abort', leave, { once: true });
    });
  }
}
