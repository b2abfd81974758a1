/** Widgets of job and task runs: histories and single runs. */
import { type JobRun, type TaskRun, timeOf, type WidgetData } from '@tiding/client/widgets';
import { fill } from '../../text/fill.ts';
import type { WidgetModule, WidgetProps } from '../contract.ts';
import { ObjectLink, timeText, WidgetHead } from '../parts.tsx';
import { dottedName } from '../sentences.ts';
import { widgetTexts } from '../texts.ts';
import jobsSheet from './jobs.css';
import { useLiveRun } from './live-run.ts';
import { JobRuns, runDurationText, TaskRuns } from './runs.tsx';
import { jobsTexts as t } from './texts.ts';

/** Describes the number of runs and the result of the latest one. */
export function historySummary(
  name: string,
  history: readonly { state?: string | undefined; startTime?: string | number | undefined }[],
): string {
  let newest = history[0];
  let latest = timeOf(newest?.startTime) ?? -Infinity;
  for (const run of history) {
    const at = timeOf(run.startTime) ?? -Infinity;
    if (at > latest) [newest, latest] = [run, at];
  }
  const last = newest
    ? fill(t.lastRun, {
        state: newest.state ?? t.unknownState,
        time: timeText(newest.startTime) || t.unknownTime,
      })
    : '';
  return (
    `${fill(history.length === 1 ? t.oneRunOf : t.runsOf, { name, n: history.length })}` +
    `${last ? ` ${last}` : ''}`
  );
}

export const jobHistory: WidgetModule<WidgetData<'job-history'>> = {
  sheets: [jobsSheet],
  describe: ({ projectName, jobName, history }) =>
    historySummary(dottedName(projectName, jobName) || widgetTexts.names['job']!, history),
  View: ({ data: { projectName, jobName, history } }) => (
    <>
      <WidgetHead
        widget="job-history"
        about={jobName && <ObjectLink widget="job" name={dottedName(projectName, jobName)} />}
      />
      <JobRuns runs={history} job={jobName !== undefined} />
    </>
  ),
};

export const taskHistory: WidgetModule<WidgetData<'task-history'>> = {
  sheets: [jobsSheet],
  describe: ({ projectName, jobName, taskName, history }) =>
    historySummary(
      dottedName(projectName, jobName, taskName) || widgetTexts.names['task']!,
      history,
    ),
  View: ({ data: { projectName, jobName, taskName, history } }) => (
    <>
      <WidgetHead
        widget="task-history"
        about={
          taskName && <ObjectLink widget="task" name={dottedName(projectName, jobName, taskName)} />
        }
      />
      <TaskRuns runs={history} />
    </>
  ),
};

const failed = (runs: readonly TaskRun[]): string[] =>
  runs
    .filter(({ state }) => state?.toLowerCase() === 'failed')
    .map(({ taskName, taskRunId }) => taskName ?? taskRunId ?? '')
    .filter(Boolean);

/** Describes the result of a run in one sentence. */
function runSummary(name: string, run: JobRun | TaskRun): string {
  const took = runDurationText(run);
  return fill(took === '' ? t.runSummaryShort : t.runSummary, {
    name,
    state: run.state ?? t.unknownState,
    time: timeText(run.startTime) || t.unknownTime,
    took,
  });
}

export const jobRunWidget: WidgetModule<JobRun> = {
  sheets: [jobsSheet],
  describe: (run) => {
    const wrong = failed(run.taskRuns);
    return (
      runSummary(dottedName(run.projectName, run.jobName) || widgetTexts.names['job-run']!, run) +
      (wrong.length > 0 ? ` ${fill(t.failedTasks, { tasks: wrong.join(', ') })}` : '')
    );
  },
  View: JobRunView,
};

function JobRunView({ data, client }: WidgetProps<JobRun>) {
  const run = useLiveRun(data, client);
  return (
    <>
      <WidgetHead
        widget="job-run"
        title={dottedName(run.projectName, run.jobName)}
        state={run.state}
      />
      <JobRuns runs={[run]} job open />
    </>
  );
}

export const taskRunWidget: WidgetModule<TaskRun> = {
  sheets: [jobsSheet],
  describe: (run) => runSummary(run.taskName ?? widgetTexts.names['task-run']!, run),
  View: ({ data: run }) => (
    <>
      <WidgetHead widget="task-run" title={run.taskName} state={run.state} />
      <TaskRuns runs={[run]} open />
    </>
  ),
};
