/** Connects the job runner to statements and schedules. */
import type { ObjectCatalogue } from '../catalogue/catalogue.ts';
import { may } from '../catalogue/permissions.ts';
import { isSameName } from '../catalogue/state.ts';
import { MetadataError } from '../contract.ts';
import type { Magpie } from '../magpie.ts';
import { jobItem, jobWork, type ScheduleWork, type TaskWork } from './catalogue-jobs.ts';
import type { JobServices } from './contract.ts';
import type { JobRunner } from './runner.ts';

/** The part of the job runner that statements use. */
type RunnerForStatements = Pick<
  JobRunner<TaskWork>,
  'start' | 'history' | 'taskHistory' | 'metrics' | 'forget' | 'find' | 'handle'
>;

/** Adapts a job runner to the interface that statements use. */
export function jobsOver(
  runner: RunnerForStatements,
  catalogue: ObjectCatalogue,
  {
    missed = () => [],
    reported = () => [],
    sendsMail = false,
  }: Partial<Pick<JobServices, 'missed' | 'reported' | 'sendsMail'>> = {},
): JobServices {
  return {
    start(projectName, jobName, { onlyTask, ...by }) {
      const job = jobWork(catalogue, projectName, jobName);
      if (!job) throw new MetadataError(`There is no job ${projectName}.${jobName}.`);
      if (onlyTask === undefined) return runner.start(job, by);
      const tasks = job.tasks
        .filter(({ name }) => isSameName(name, onlyTask))
        .map(({ predecessorName: _, ...task }) => task);
      return runner.start({ ...job, tasks }, by);
    },
    // Ignore runs of an earlier job with the same name, which may have belonged to someone else.
    history: (projectName, jobName) =>
      runner.history(projectName, jobName, jobItem(catalogue, projectName, jobName)?.createdAt),
    taskHistory: (projectName, jobName, taskName) =>
      runner.taskHistory(
        projectName,
        jobName,
        taskName,
        jobItem(catalogue, projectName, jobName)?.createdAt,
      ),
    metrics: (projectName, jobName) =>
      runner.metrics(projectName, jobName, jobItem(catalogue, projectName, jobName)?.createdAt),
    forget: (projectName, jobName, jobId) => runner.forget(projectName, jobName, jobId),
    missed,
    reported,
    sendsMail,
    async find(jobRunId) {
      const handle = runner.handle(jobRunId);
      if (handle) return handle;
      const run = await runner.find(jobRunId);
      return run && { run };
    },
  };
}

/**
 * Starts what a schedule refers to, as the schedule's user. Throws if that user lacks the
 * permission, or the job no longer exists.
 */
export async function startSchedule(
  magpie: Magpie,
  runner: Pick<RunnerForStatements, 'start'>,
  schedule: ScheduleWork,
): Promise<void> {
  const { catalogue } = magpie;
  const who = await magpie.requesterOf(schedule.userName);
  if (schedule.job) {
    const { projectName, jobName } = schedule.job;
    const item = jobItem(catalogue, projectName, jobName);
    const job = jobWork(catalogue, projectName, jobName);
    if (!item || !job) throw new MetadataError(`There is no job ${projectName}.${jobName}.`);
    if (!may(catalogue.state, who, 'Execute', item))
      throw new MetadataError(
        `${schedule.userName} needs Execute on job ${catalogue.nameOf(item)}.`,
      );
    runner.start(job, { userName: schedule.userName, scheduleName: schedule.name });
    return;
  }
  const cluster = catalogue.child(catalogue.organization.id, 'cluster', schedule.clusterName ?? '');
  if (!cluster || !may(catalogue.state, who, 'Write', cluster))
    throw new MetadataError(
      `${schedule.userName} needs Write on cluster ${schedule.clusterName ?? ''}.`,
    );
  // The engine runs in the server's process, so it cannot be started or stopped separately.
  if (schedule.clusterAction === 'Stop')
    throw new MetadataError('Stopping the cluster local is not available on this server.');
  if (schedule.clusterAction === 'Restart') await magpie.restartEngine();
}
