/** Executes one run of a job: task order, retries, timeouts and finalizers. */
import { randomUUID } from 'node:crypto';
import { onAbort } from '../../base/aborted.ts';
import { isSameName } from '../catalogue/state.ts';
import { ExecutionError, StatementError } from '../contract.ts';
import { type Plan, parseTimeout } from './plan.ts';
import { RunRecord, shortMessage } from './run-record.ts';
import { type RunJournal, SERVER_ENDED } from './store.ts';
import type {
  JobDefinition,
  JobReference,
  RecordedLogEntry,
  RecordedRun,
  RecordedTaskRun,
  RunState,
  TaskDefinition,
} from './types.ts';

/** Context of a task while it is executed. */
export interface TaskContext {
  /** Number of the attempt, starting at 1. */
  readonly attempt: number;
  /**
   * Aborted by a timeout, a cancel, the failure of another task, or server shutdown. The reason
   * says which.
   */
  readonly signal: AbortSignal;
  readonly job: JobDefinition;
  /** Current state of the run. */
  readonly run: RecordedRun;
  /** Adds an entry to the task's log: `TaskOutput`, `TaskExecutionLog`, … */
  log(eventType: string, message: string): void;
}

/** Executes a task. Rejects if the task fails. */
export type Execute = (task: TaskDefinition, context: TaskContext) => Promise<void>;

interface RunInput {
  readonly job: JobDefinition;
  readonly plan: Plan;
  readonly run: RecordedRun;
  /** Current names of the job, which may be renamed during the run. */
  nameOf?(): Pick<JobReference, 'projectName' | 'jobName'> | undefined;
  /** Receives every entry of the job's log, and errors of tasks: `JobStart`, `TaskFailed`, … */
  onEvent?(entry: RecordedLogEntry): void;
  readonly journal: RunJournal;
  readonly now: () => Date;
  /** Executes a task when its turn comes. */
  readonly execute: Execute;
  /** How long to wait for a task to end after it was cancelled, in ms. */
  readonly graceMs: number;
}

/** Minimum interval between change notifications, in ms. */
const NOTICE_MS = 100;

/** The run ends for a reason other than a failure of its own tasks, such as a cancel. */
class Stopped extends Error {}

/** A run in progress. */
export class RunningJob {
  /** Resolves when the run has ended and is stored. Never rejects. */
  readonly done: Promise<RecordedRun>;
  readonly #input: RunInput;
  readonly #record: RunRecord;
  /** Stops the tasks. Finalizers have their own controller. */
  readonly #stop = new AbortController();
  readonly #stopFinalizers = new AbortController();
  readonly #listeners = new Set<(run: RecordedRun) => void>();
  #notice: NodeJS.Timeout | undefined;
  #ending: 'Cancelled' | 'Failed' | undefined;
  #isLast = false;
  #isOver = false;

  constructor(input: RunInput) {
    this.#input = input;
    this.#record = new RunRecord(input.run);
    this.done = this.#go();
  }

  /** Current state, as a copy that does not change. */
  get run(): RecordedRun {
    return { ...this.#record.run, ...this.#input.nameOf?.() };
  }

  /**
   * Calls `listener` at most ten times per second after changes, and once at the end. Returns an
   * unsubscribe function.
   */
  onChange(listener: (run: RecordedRun) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Stops the running tasks. Finalizers still run; a second call stops them too. */
  cancel(): void {
    if (this.#isOver) return;
    const reason = new Stopped('The run was cancelled.');
    if (this.#isLast || this.#ending === 'Cancelled') this.#stopFinalizers.abort(reason);
    else this.#state('Stopping');
    this.#ending ??= 'Cancelled';
    this.#stop.abort(reason);
  }

  /** Stops everything immediately, for server shutdown. */
  shutDown(): void {
    const reason = new Stopped(SERVER_ENDED);
    this.#ending = 'Failed';
    this.#stop.abort(reason);
    this.#stopFinalizers.abort(reason);
  }

  async #go(): Promise<RecordedRun> {
    // Start only after the caller has received the handle.
    await Promise.resolve();
    const { plan, journal } = this.#input;
    this.#log('JobStart');
    let failed = false;
    const isAbort = !isSameName(this.#input.job.failureMode, 'Continue');
    const branch = async (task: TaskDefinition, signal: AbortSignal): Promise<void> => {
      if (signal.aborted) return;
      const isDone = await this.#task(task, signal);
      if (signal.aborted) return;
      if (isDone) await Promise.all(plan.after(task).map((next) => branch(next, signal)));
      else {
        failed = true;
        if (isAbort && !this.#isLast)
          this.#stop.abort(new Stopped(`Task '${task.name}' has failed.`));
      }
    };
    await Promise.all(plan.first.map((task) => branch(task, this.#stop.signal)));
    this.#isLast = true;
    await Promise.all(plan.finalizers.map((task) => branch(task, this.#stopFinalizers.signal)));
    const state = this.#ending ?? (failed ? 'Failed' : 'Succeeded');
    const reason: unknown = this.#ending
      ? (this.#stopFinalizers.signal.reason ?? this.#stop.signal.reason)
      : undefined;
    if (state === 'Succeeded') this.#log('JobFinish');
    else
      this.#log('JobFailed', { message: reason instanceof Stopped ? reason.message : undefined });
    this.#state(state, this.#time());
    this.#isOver = true;
    clearTimeout(this.#notice);
    await journal.end(this.run);
    this.#notify();
    return this.run;
  }

  /** Runs a task, including retries. Returns whether its successors may start. */
  async #task(task: TaskDefinition, signal: AbortSignal): Promise<boolean> {
    const head = {
      taskRunId: `t${randomUUID().slice(0, 13)}`,
      taskName: task.name,
      taskType: task.taskType,
      startTime: this.#time(),
    };
    if (isSameName(task.state, 'Disabled')) {
      this.#change({ ...head, state: 'Disabled', attempt: 1, endTime: head.startTime });
      return true;
    }
    const attempts = 1 + Math.max(0, Math.floor(task.maxRetries ?? 0));
    this.#log('TaskStart', { taskName: task.name });
    for (let attempt = 1; ; attempt += 1) {
      this.#change({ ...head, state: 'Running', attempt });
      if (attempt > 1)
        this.#taskLog(head.taskRunId, 'TaskExecutionLog', `Attempt ${attempt} of ${attempts}.`);
      const error = await this.#attempt(task, attempt, head.taskRunId, signal);
      const end = (state: RunState) =>
        this.#change({ ...head, state, attempt, endTime: this.#time() });
      if (error === undefined) {
        end('Succeeded');
        this.#log('TaskFinish', { taskName: task.name });
        return true;
      }
      if (signal.aborted) {
        const reason =
          signal.reason instanceof Error ? signal.reason.message : 'The run has ended.';
        this.#taskLog(head.taskRunId, 'TaskExecutionLog', reason);
        end(reason === SERVER_ENDED ? 'Failed' : 'Cancelled');
        return false;
      }
      const eventType =
        error instanceof StatementError && error.code === 'MetadataError'
          ? 'MetadataError'
          : 'ExecutionError';
      this.#taskLog(head.taskRunId, eventType, error.message);
      this.#input.onEvent?.({
        eventType,
        eventTime: this.#time(),
        message: shortMessage(error.message),
        taskName: task.name,
      });
      if (attempt < attempts) continue;
      end('Failed');
      this.#log('TaskFailed', { taskName: task.name });
      return isSameName(task.failureMode, 'Ignore');
    }
  }

  /** Makes one attempt. Returns the error, or undefined on success. */
  async #attempt(
    task: TaskDefinition,
    attempt: number,
    taskRunId: string,
    signal: AbortSignal,
  ): Promise<Error | undefined> {
    const late = new AbortController();
    const timer = task.timeout
      ? setTimeout(
          () =>
            late.abort(
              new ExecutionError(`The task was stopped: it took longer than ${task.timeout}.`),
            ),
          parseTimeout(task.timeout),
        )
      : undefined;
    const either = AbortSignal.any([signal, late.signal]);
    let isOver = false;
    const current = () => this.run;
    const context: TaskContext = {
      attempt,
      signal: either,
      job: this.#input.job,
      log: (eventType, message) => {
        // Ignore output that arrives after the attempt has ended.
        if (!isOver) this.#taskLog(taskRunId, eventType, message);
      },
      get run() {
        return current();
      },
    };
    try {
      await this.#within(this.#input.execute(task, context), either);
      return either.aborted ? errorOf(either.reason) : undefined;
    } catch (error) {
      return either.aborted ? errorOf(either.reason) : errorOf(error);
    } finally {
      isOver = true;
      clearTimeout(timer);
    }
  }

  /** Waits for work to finish. After an abort, waits only for the grace period. */
  async #within(work: Promise<void>, signal: AbortSignal): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    let forget = (): void => undefined;
    const given = new Promise<void>((_, reject) => {
      forget = onAbort(signal, () => {
        timer = setTimeout(() => reject(errorOf(signal.reason)), this.#input.graceMs);
      });
    });
    try {
      await Promise.race([work, given]);
    } finally {
      clearTimeout(timer);
      forget();
    }
  }

  #time(): string {
    return this.#input.now().toISOString();
  }

  #log(eventType: string, more: { taskName?: string; message?: string | undefined } = {}): void {
    const { taskName, message } = more;
    const entry: RecordedLogEntry = {
      eventType,
      eventTime: this.#time(),
      ...(message === undefined ? {} : { message: shortMessage(message) }),
      ...(taskName === undefined ? {} : { taskName }),
    };
    this.#apply({ kind: 'log', entry });
    this.#input.onEvent?.(entry);
  }

  #taskLog(taskRunId: string, eventType: string, message: string): void {
    this.#apply({
      kind: 'log',
      entry: { eventType, eventTime: this.#time(), message: shortMessage(message) },
      taskRunId,
    });
  }

  #change(task: Omit<RecordedTaskRun, 'logs'>): void {
    this.#apply({ kind: 'task', task });
  }

  #state(state: RunState, endTime?: string): void {
    this.#apply({ kind: 'state', state, ...(endTime === undefined ? {} : { endTime }) });
  }

  #apply(change: Parameters<RunRecord['apply']>[0]): void {
    this.#record.apply(change);
    this.#input.journal.write(change);
    this.#notice ??= setTimeout(() => {
      this.#notice = undefined;
      this.#notify();
    }, NOTICE_MS).unref();
  }

  #notify(): void {
    for (const listener of this.#listeners) {
      try {
        listener(this.run);
      } catch {
        // A failing listener must not end the run.
      }
    }
  }
}

const errorOf = (error: unknown): Error =>
  error instanceof Error ? error : new Error(String(error));
