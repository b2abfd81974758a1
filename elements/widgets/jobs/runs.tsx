/** Expandable rows of runs, with their task runs and logs. */

import { shortDuration } from '@tiding/client/model';
import {
  durationOf,
  type JobRun,
  type RunRow,
  runRows,
  runRowsSteps,
  type TaskRun,
  timeOf,
} from '@tiding/client/widgets';
import { fill } from '../../text/fill.ts';
import { Loading } from '../../ui/loading.tsx';
import { kindText } from '../graph/node-types.ts';
import { Logs } from '../logs.tsx';
import { logsTexts } from '../logs-texts.ts';
import {
  Facts,
  isUnderway,
  moment,
  type RecordColumn,
  RecordTable,
  type TimedRun,
  timeText,
  WidgetPart,
} from '../parts.tsx';
import { dottedName } from '../sentences.ts';
import { MAX_SYNC_ROWS, useSteps } from '../use-steps.ts';
import { jobsTexts as t } from './texts.ts';
import { Timeline } from './timeline.tsx';

const none: readonly never[] = [];

/**
 * Returns a duration such as `1 min 10 s`, a text for a run that is still going, or nothing if
 * unknown.
 */
export function runDurationText(run: TimedRun): string {
  const took = durationOf(run);
  if (took !== undefined) return shortDuration(took);
  return isUnderway(run) ? t.goesOn : '';
}

type TimedColumn = RecordColumn<RunRow<TimedRun>>;
/** Columns of all runs. */
const timed = (): readonly [state: TimedColumn, started: TimedColumn, took: TimedColumn] => [
  { label: t.state, state: ({ run }) => run.state },
  { label: t.started, value: ({ at }) => at, cell: ({ run }) => moment(run.startTime) },
  {
    label: t.took,
    value: ({ took, run }) =>
      took ?? (runDurationText(run) === '' ? undefined : Number.MAX_SAFE_INTEGER),
    cell: ({ run }) => runDurationText(run),
  },
];

const jobColumn = (): RecordColumn<RunRow<JobRun>> => ({
  label: t.job,
  link: 'job',
  value: ({ run }) => run.jobName,
  to: ({ run }) => dottedName(run.projectName, run.jobName),
});

const nameOfRun = (run: JobRun | TaskRun): string =>
  String(
    (run as JobRun).jobRunId ??
      (run as TaskRun).taskName ??
      (run as TaskRun).taskRunId ??
      timeText(run.startTime),
  );

interface JobRunsProps {
  runs: readonly JobRun[];
  job?: boolean;
  open?: boolean;
}

/** Job runs, newest first. `job` is the job they all belong to, which then has no column. */
export function JobRuns({ runs, job = false, open = false }: JobRunsProps) {
  const { value: rows = none } = useSteps<readonly RunRow<JobRun>[]>(
    () => (runs.length > MAX_SYNC_ROWS ? undefined : runRows(runs)),
    () => runRowsSteps(runs),
    [runs],
  );
  if (rows === none && runs.length > 0) return <Loading />;
  return (
    <RecordTable
      label={t.runs}
      rows={rows}
      columns={[
        { label: t.run, value: ({ run }) => run.jobRunId ?? timeText(run.startTime) },
        ...(job ? [] : [jobColumn()]),
        ...timed(),
        { label: t.by, link: 'user', value: ({ run }) => run.userName },
        { label: t.schedule, value: ({ run }) => run.scheduleName },
        { label: t.cluster, link: 'cluster', value: ({ run }) => run.clusterName },
      ]}
      expand={({ run }) => <JobRunDetail run={run} />}
      empty={t.noRuns}
      open={open}
    />
  );
}

const ended = ({ endTime }: JobRun | TaskRun) => [t.ended, moment(endTime)] as const;

const RunLog = ({ run }: { run: JobRun | TaskRun }) => (
  <WidgetPart title={logsTexts.log} count={run.logs.length || undefined}>
    <Logs logs={run.logs} label={fill(logsTexts.logOf, { name: nameOfRun(run) })} />
  </WidgetPart>
);

/** Task runs and log of a run. */
function JobRunDetail({ run }: { run: JobRun }) {
  return (
    <div className="run-detail">
      <Facts of={[ended(run), [t.took, runDurationText(run)]]} />
      {run.taskRuns.length > 0 ? (
        <WidgetPart title={t.taskRuns} count={run.taskRuns.length}>
          <Timeline run={run} />
          <TaskRuns runs={run.taskRuns} written of={nameOfRun(run)} />
        </WidgetPart>
      ) : null}
      <RunLog run={run} />
    </div>
  );
}

interface TaskRunsProps {
  runs: readonly TaskRun[];
  of?: string;
  written?: boolean;
  open?: boolean;
}

/** Task runs, newest first or in the given order. */
export function TaskRuns({ runs, of, written = false, open = false }: TaskRunsProps) {
  const [state, started, took] = timed();
  const inOrder = (): readonly RunRow<TaskRun>[] =>
    written
      ? runs.map((run) => ({ run, at: timeOf(run.startTime), took: durationOf(run) }))
      : runRows(runs);
  const { value: rows = none } = useSteps<readonly RunRow<TaskRun>[]>(
    () => (written || runs.length <= MAX_SYNC_ROWS ? inOrder() : undefined),
    () => runRowsSteps(runs),
    [runs, written],
  );
  if (rows === none && runs.length > 0) return <Loading />;
  return (
    <RecordTable
      label={of === undefined ? t.taskRuns : fill(t.taskRunsOf, { name: of })}
      rows={rows}
      columns={[
        { label: t.task, value: ({ run }) => run.taskName ?? run.taskRunId },
        { label: t.kind, value: ({ run }) => run.taskType && kindText(run.taskType) },
        state,
        { label: t.attempt, value: ({ run }) => run.attempt },
        started,
        took,
      ]}
      expand={({ run }) => <TaskRunDetail run={run} />}
      empty={t.noRuns}
      open={open}
    />
  );
}

function TaskRunDetail({ run }: { run: TaskRun }) {
  return (
    <div className="run-detail">
      <Facts of={[[t.run, run.taskRunId], ended(run)]} />
      <RunLog run={run} />
    </div>
  );
}
