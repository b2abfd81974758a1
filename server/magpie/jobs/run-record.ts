/** State of a run that grows entry by entry, and the changes that its journal records. */
import type { RecordedLogEntry, RecordedRun, RecordedTaskRun, RunState } from './types.ts';

/** A change of a run. Replaying all changes of a journal restores the run. */
export type Change =
  | { readonly kind: 'run'; readonly run: RecordedRun }
  | { readonly kind: 'state'; readonly state: RunState; readonly endTime?: string }
  | { readonly kind: 'task'; readonly task: Omit<RecordedTaskRun, 'logs'> }
  | { readonly kind: 'log'; readonly entry: RecordedLogEntry; readonly taskRunId?: string };

type Logs = { logs: RecordedLogEntry[]; leftOut: number };

/** Maximum number of entries in a log, and of characters in an entry. */
const MAX_ENTRIES = 1_000;
const MAX_MESSAGE = 4_000;

/** Collects the state and logs of a run. */
export class RunRecord {
  #run: Omit<RecordedRun, 'taskRuns' | 'logs'>;
  readonly #logs: Logs;
  readonly #tasks = new Map<string, { task: Omit<RecordedTaskRun, 'logs'>; logs: Logs }>();
  #copy: RecordedRun | undefined;

  constructor(run: RecordedRun) {
    const { taskRuns, logs, ...rest } = run;
    this.#run = rest;
    this.#logs = { logs: [...logs], leftOut: 0 };
    for (const { logs: own, ...task } of taskRuns)
      this.#tasks.set(task.taskRunId, { task, logs: { logs: [...own], leftOut: 0 } });
  }

  /**
   * Restores a run from the lines of its journal. Undefined if the first line is missing. Lines
   * after a damaged one are lost.
   */
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

  /** Current state. The returned object does not change later. */
  get run(): RecordedRun {
    return (this.#copy ??= {
      ...this.#run,
      taskRuns: [...this.#tasks.values()].map(({ task, logs }) => ({
        ...task,
        logs: entriesOf(logs),
      })),
      logs: entriesOf(this.#logs),
    });
  }

  apply(change: Change): void {
    this.#copy = undefined;
    if (change.kind === 'state') {
      const { kind: _, ...state } = change;
      this.#run = { ...this.#run, ...state };
    } else if (change.kind === 'task') {
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

/** Shortens a message to the maximum length of a log entry. */
export const shortMessage = (message: string): string =>
  message.length > MAX_MESSAGE ? `${message.slice(0, MAX_MESSAGE - 1)}…` : message;

function add(logs: Logs, entry: RecordedLogEntry): void {
  logs.logs.push(entry);
  if (logs.logs.length < MAX_ENTRIES * 2) return;
  // Trim in batches, because removing the first element of an array takes time proportional to its
  // length.
  logs.leftOut += logs.logs.length - MAX_ENTRIES;
  logs.logs = logs.logs.slice(-MAX_ENTRIES);
}

function entriesOf({ logs, leftOut }: Logs): RecordedLogEntry[] {
  const shown = logs.slice(-MAX_ENTRIES);
  const missing = leftOut + logs.length - shown.length;
  return missing === 0
    ? shown
    : [
        {
          eventType: 'TaskExecutionLog',
          eventTime: shown[0]!.eventTime,
          message: `${missing} earlier entries are omitted.`,
        },
        ...shown,
      ];
}
