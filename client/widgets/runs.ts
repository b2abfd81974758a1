/** Rules for runs, their logs and their metrics. Pure functions. */
import { sortSteps, timeOf } from './shared/order.ts';
import type { LogEntry, PayloadTime } from './shared/shared-schemas.ts';

/** Number of log lines to show at first, and to add with each step back. */
export const LOG_TAIL = 200;
/** Number of runs in a trend. */
export const TREND_RUNS = 60;

/** Anything with a start and an end. */
export interface Spanned {
  /** Start time. */
  readonly startTime?: PayloadTime | undefined;
  /** End time. Absent while in progress. */
  readonly endTime?: PayloadTime | undefined;
}

/** Duration in ms. Undefined while in progress, or if a time is missing or invalid. */
export function durationOf({ startTime, endTime }: Spanned): number | undefined {
  const [from, to] = [timeOf(startTime), timeOf(endTime)];
  return from === undefined || to === undefined || to < from ? undefined : to - from;
}

/** A run with its parsed start time and duration. */
export interface RunRow<Run extends Spanned> {
  /** The run. */
  readonly run: Run;
  /** Start time, in ms since 1970. */
  readonly at: number | undefined;
  /** Duration in ms. */
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
/** Number of runs to read in one step of {@link runRowsSteps}. */
const STEP_RUNS = 1_000;

/** Like {@link runRows}, in short steps for long histories. */
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

/**
 * Sorts runs newest first. Times are parsed only once per run, so that sorting compares numbers.
 */
export function runRows<Run extends Spanned>(runs: readonly Run[]): RunRow<Run>[] {
  return runs.map(rowOf).sort(newerFirst);
}

/** Sorts log entries by time. An entry without a time stays after its predecessor. */
export function inOrder(logs: readonly LogEntry[]): readonly LogEntry[] {
  let last = Number.NEGATIVE_INFINITY;
  const dated = logs.map((entry) => ({ entry, at: (last = timeOf(entry.eventTime) ?? last) }));
  return dated.sort((a, b) => (a.at === b.at ? 0 : a.at < b.at ? -1 : 1)).map(({ entry }) => entry);
}

/**
 * Filters log entries by a text in their message, type or task name, and by type. Case is ignored.
 * An empty filter matches everything.
 */
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

/** A run in a `job-metrics` payload. */
export interface MeasuredRun {
  /** Id of the run. */
  readonly jobRunId?: string | undefined;
  /** Start time. */
  readonly startTime?: PayloadTime | undefined;
  /** Duration in ms. */
  readonly durationMs?: number | undefined;
  /** State: Succeeded, Failed, Running, … */
  readonly state?: string | undefined;
}
/** Summary of all runs of a job. */
export interface RunSummary {
  /** Number of runs, including those that are not in the payload. */
  readonly runCount?: number | undefined;
  /** Number of successful runs. */
  readonly succeededCount?: number | undefined;
  /** Mean duration of runs that have one, in ms. */
  readonly averageDurationMs?: number | undefined;
}

const good = new Set(['succeeded', 'finished']);
/** Completes a summary. Missing figures are computed from the runs of the payload. */
export function completeSummary(
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

/**
 * Bars of a trend, oldest first. `share` is the share of the longest duration, 0 to 1, or 0 without
 * a duration. `longest` is in ms.
 */
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
