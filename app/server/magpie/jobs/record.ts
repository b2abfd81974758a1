/** A run as it grows: what is told of it, and the lines that its journal is made of. */
import type { JobRun, LogEntry, RunState, TaskRun } from './types.ts';

/** A change; a journal of them makes the run again. */
export type Change =
  | { readonly kind: 'run'; readonly run: JobRun }
  | { readonly kind: 'state'; readonly state: RunState; readonly endTime?: string }
  | { readonly kind: 'task'; readonly task: Omit<TaskRun, 'logs'> }
  | { readonly kind: 'log'; readonly entry: LogEntry; readonly taskRunId?: string };

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };
type Logs = { logs: LogEntry[]; leftOut: number };

/** Entries that a log has at most, and characters of one. */
const MAX_ENTRIES = 1_000;
const MAX_MESSAGE = 4_000;

/** See the head of this file. */
export class RunRecord {
  #run: Writable<Omit<JobRun, 'taskRuns' | 'logs'>>;
  readonly #logs: Logs;
  readonly #tasks = new Map<string, { task: Omit<TaskRun, 'logs'>; logs: Logs }>();
  #copy: JobRun | undefined;

  constructor(run: JobRun) {
    const { taskRuns, logs, ...rest } = run;
    this.#run = rest;
    this.#logs = { logs: [...logs], leftOut: 0 };
    for (const { logs: own, ...task } of taskRuns)
      this.#tasks.set(task.taskRunId, { task, logs: { logs: [...own], leftOut: 0 } });
  }

  /** The run of a journal's lines; `undefined` where its first one is not there. What stands behind a line that is damaged is lost. */
  static read(lines: readonly string[]): RunRecord | undefined {
    let record: RunRecord | undefined;
    for (const line of lines) {
      let change: Change;
      try {
        change = JSON.parse(line) as Change;
      } catch {
        break;
      }
      if (change.kind === 'run') record = new RunRecord(change.run);
      else record?.apply(change);
    }
    return record;
  }

  /** As it is now; does not change later. */
  get run(): JobRun {
    return (this.#copy ??= {
      ...this.#run,
      taskRuns: [...this.#tasks.values()].map(({ task, logs }) => ({
        ...task,
        logs: entriesOf(logs),
      })),
      logs: entriesOf(this.#logs),
    });
  }

  /** Takes a change in. */
  apply(change: Change): void {
    this.#copy = undefined;
    if (change.kind === 'state')
      this.#run = {
        ...this.#run,
        state: change.state,
        ...(change.endTime === undefined ? {} : { endTime: change.endTime }),
      };
    else if (change.kind === 'task') {
      const known = this.#tasks.get(change.task.taskRunId);
      this.#tasks.set(change.task.taskRunId, {
        task: change.task,
        logs: known?.logs ?? { logs: [], leftOut: 0 },
      });
    } else if (change.kind === 'log')
      add(
        (change.taskRunId === undefined ? undefined : this.#tasks.get(change.taskRunId)?.logs) ??
          this.#logs,
        change.entry,
      );
  }
}

/** A message short enough for a log. */
export const shortMessage = (message: string): string =>
  message.length > MAX_MESSAGE ? `${message.slice(0, MAX_MESSAGE - 1)}…` : message;

function add(logs: Logs, entry: LogEntry): void {
  logs.logs.push(entry);
  if (logs.logs.length < MAX_ENTRIES * 2) return;
  // In one go, as removing the first of a list costs its length.
  logs.leftOut += logs.logs.length - MAX_ENTRIES;
  logs.logs = logs.logs.slice(-MAX_ENTRIES);
}

function entriesOf({ logs, leftOut }: Logs): LogEntry[] {
  const shown = logs.slice(-MAX_ENTRIES);
  const missing = leftOut + logs.length - shown.length;
  return missing === 0
    ? shown
    : [
        {
          eventType: 'TaskExecutionLog',
          eventTime: shown[0]!.eventTime,
          message: `${missing} earlier entries are left out.`,
        },
        ...shown,
      ];
}
