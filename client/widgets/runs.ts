/** Rules of runs, their logs and their figures. Pure. */
import { sortSteps, timeOf } from './order.ts';
import type { LogEntry, Time } from './shapes.ts';

/** Lines of a log that are shown at once, the newest; as many come with each step back. */
export const LOG_TAIL = 200;
/** Runs that a trend has a bar for, the newest. */
export const TREND_RUNS = 60;

/** Anything with a beginning and an end. */
export interface Spanned {
  /** When it began. */
  readonly startTime?: Time | undefined;
  /** When it ended; absent while it goes on. */
  readonly endTime?: Time | undefined;
}

/** How long a run took, ms; undefined while it goes on, and where a time is missing or makes no sense. */
export function durationOf({ startTime, endTime }: Spanned): number | undefined {
  const [from, to] = [timeOf(startTime), timeOf(endTime)];
  return from === undefined || to === undefined || to < from ? undefined : to - from;
}

/** A run with its moment and duration, ms. */
export interface RunRow<Run extends Spanned> {
  /** The run itself. */
  readonly run: Run;
  /** When it began, ms since 1970. */
  readonly at: number | undefined;
  /** How long it took, ms. */
  readonly took: number | undefined;
}
const rowOf = <Run extends Spanned>(run: Run): RunRow<Run> => ({
  run,
  at: timeOf(run.startTime),
  took: durationOf(run),
});
const newerFirst = (
  a: { readonly at: number | undefined },
  b: { readonly at: number | undefined },
): number => (b.at ?? Number.NEGATIVE_INFINITY) - (a.at ?? Number.NEGATIVE_INFINITY) || 0;
/** Runs that a step of {@link runRowsSteps} reads. */
const STEP_RUNS = 1_000;

/** What {@link runRows} answers, piece by piece: each step is short however many runs there are. */
export function* runRowsSteps<Run extends Spanned>(
  runs: readonly Run[],
): Generator<undefined, readonly RunRow<Run>[], void> {
  const rows: RunRow<Run>[] = [];
  for (const run of runs) {
    rows.push(rowOf(run));
    if (rows.length % STEP_RUNS === 0) yield;
  }
  return yield* sortSteps(rows, newerFirst);
}

/** Runs the newest first, each with its moment and duration worked out once: a table of a hundred thousand is ordered by numbers. */
export function runRows<Run extends Spanned>(runs: readonly Run[]): RunRow<Run>[] {
  return runs.map(rowOf).sort(newerFirst);
}

/** Entries of a log in the order they were written; one without a time stays behind the one before it. */
export function inOrder(logs: readonly LogEntry[]): readonly LogEntry[] {
  let last = Number.NEGATIVE_INFINITY;
  const dated = logs.map((entry) => ({ entry, at: (last = timeOf(entry.eventTime) ?? last) }));
  return dated.sort((a, b) => (a.at === b.at ? 0 : a.at < b.at ? -1 : 1)).map(({ entry }) => entry);
}

/** Entries with a text in their message, type or task, and of a type; upper and lower case say the same. Empty: all. */
export function filterLogs(
  logs: readonly LogEntry[],
  contains: string,
  eventType: string,
): readonly LogEntry[] {
  const wanted = contains.trim().toLowerCase();
  const type = eventType.toLowerCase();
  if (wanted === '' && type === '') return logs;
  return logs.filter(
    (entry) =>
      (type === '' || entry.eventType?.toLowerCase() === type) &&
      (wanted === '' ||
        [entry.message, entry.eventType, entry.taskName].some((each) =>
          each?.toLowerCase().includes(wanted),
        )),
  );
}

/** A run as metrics have it. */
export interface MeasuredRun {
  /** What it is known by. */
  readonly jobRunId?: string | undefined;
  /** When it began. */
  readonly startTime?: Time | undefined;
  /** How long it took, ms. */
  readonly durationMs?: number | undefined;
  /** Succeeded, Failed, Running… */
  readonly state?: string | undefined;
}
/** Figures of all runs of a job. */
export interface RunSummary {
  /** Of all runs, also those that are not in the payload. */
  readonly runCount?: number | undefined;
  /** Of those that ended well. */
  readonly succeededCount?: number | undefined;
  /** Of those that took a known time, ms. */
  readonly averageDurationMs?: number | undefined;
}

const good = new Set(['succeeded', 'finished']);
/** The figures that a payload tells; those it does not, out of the runs that it has. */
export function summaryOf(
  told: RunSummary | undefined,
  runs: readonly MeasuredRun[],
): { runCount: number; succeededCount: number; averageDurationMs: number | undefined } {
  const measured = runs.flatMap(({ durationMs }) =>
    durationMs !== undefined && durationMs >= 0 ? [durationMs] : [],
  );
  return {
    runCount: told?.runCount ?? runs.length,
    succeededCount:
      told?.succeededCount ??
      runs.filter(({ state }) => good.has(state?.toLowerCase() ?? '')).length,
    averageDurationMs:
      told?.averageDurationMs ??
      (measured.length === 0
        ? undefined
        : measured.reduce((sum, each) => sum + each, 0) / measured.length),
  };
}

/** Bars of a trend, the oldest first: share of the longest run, 0 to 1; a run without a duration has none. */
export function trend<Run extends MeasuredRun>(
  runs: readonly Run[],
  most = TREND_RUNS,
): {
  readonly bars: readonly { readonly run: Run; readonly share: number }[];
  readonly longest: number;
} {
  const shown = runRows(runs)
    .slice(0, most)
    .map(({ run }) => run)
    .reverse();
  const longest = Math.max(
    0,
    ...shown.map(({ durationMs }) => (durationMs !== undefined && durationMs > 0 ? durationMs : 0)),
  );
  return {
    longest,
    bars: shown.map((run) => ({
      run,
      share: longest === 0 ? 0 : Math.max(0, run.durationMs ?? 0) / longest,
    })),
  };
}
