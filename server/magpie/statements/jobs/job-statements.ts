/** Statements about job runs and the cluster. */
import { readFile } from 'node:fs/promises';
import { onAbort } from '../../../base/aborted.ts';
import { ExecutionError, MetadataError, wrongName } from '../../contract.ts';
import { jobWork } from '../../jobs/catalogue-jobs.ts';
import type { JobDefinition } from '../../jobs/types.ts';
import type { Ref } from '../../language/statements.ts';
import type { RunStatement, StatementContext } from '../context.ts';
import { checkLinks, joinInside, rootOf } from '../files/sources.ts';
import {
  jobPartOf,
  recordChange,
  recordUse,
  resolveObject,
  taskOf,
} from '../resolve-and-record.ts';
import { dataSourceOf } from '../tables/table-sources.ts';
import { scheduleData, subscriptionData } from './job-views.ts';

function names(context: StatementContext, ref: Ref, permission: 'Read' | 'Execute') {
  const job = resolveObject(context, 'job', ref, permission);
  return { job, jobName: job.name, projectName: context.catalogue.byId(job.parentId)!.name };
}

/** Carries out `exec job`. Cancelling the paragraph of a blocking `exec job` cancels the run. */
export const execJob: RunStatement<'execJob'> = async (context, { ref, fromTask, blocking }) => {
  const { job, jobName, projectName } = names(context, ref, 'Execute');
  const task = fromTask === undefined ? undefined : taskOf(context, job, [fromTask]);
  if (job.definition['state'] === 'Disabled')
    throw new MetadataError(`The job ${projectName}.${jobName} is disabled.`);
  const work = jobWork(context.catalogue, projectName, jobName)!;
  await runJob(context, work, task?.name, blocking);
};

async function runJob(
  context: StatementContext,
  job: JobDefinition,
  fromTask: string | undefined,
  blocking: boolean,
): Promise<void> {
  const { emit, jobs, run, who } = context;
  const handle = jobs.start(job, {
    userName: who.userName,
    fromTask,
    parentJobRunId: run.jobRunId,
  });
  emit.line(
    `Started job ${handle.run.projectName}.${handle.run.jobName}: execution ` +
      `${handle.run.jobRunId}.`,
  );
  emit.widget('job-run', handle.run);
  if (!blocking) return;
  handle.onChange((now) => emit.replaceWidget('job-run', now));
  const end = await handle.done.finally(onAbort(run.signal, () => handle.cancel()));
  emit.replaceWidget('job-run', end);
  run.signal.throwIfAborted();
  if (end.state !== 'Succeeded')
    throw new ExecutionError(`The job ${end.projectName}.${end.jobName} ended as ${end.state}.`);
}

export const execTask: RunStatement<'execTask'> = async (context, { ref }) => {
  const { job, jobName, projectName } = names(context, jobPartOf(ref, 'exec task'), 'Execute');
  const { name: only } = taskOf(context, job, ref);
  const work = jobWork(context.catalogue, projectName, jobName)!;
  const tasks = work.tasks
    .filter(({ name }) => name === only)
    .map(({ predecessorName: _, ...task }) => task);
  await runJob(context, { ...work, tasks }, undefined, true);
};

/** Maximum length of a script, in characters. */
const MAX_SCRIPT = 2 ** 20;

/** Reads a script file from the current data source. */
export async function scriptOf(context: StatementContext, path: string): Promise<string> {
  if (!path.toLowerCase().endsWith('.magpie'))
    throw new MetadataError('The name of a script file must end in .magpie.');
  const source = dataSourceOf(context, undefined);
  const file = joinInside(rootOf(context, source), path);
  let text: string;
  try {
    await checkLinks(context, source, [file]);
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (!['ENOENT', 'ENOTDIR', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? ''))
      throw error;
    throw new ExecutionError(
      `There is no script ${path} in data source ${source.name}.`,
      wrongName('script', path),
    );
  }
  if (text.length > MAX_SCRIPT)
    throw new ExecutionError(`The script ${path} is longer than ${MAX_SCRIPT} characters.`);
  return text;
}

/** Carries out `cancel`. */
export const runCancel: RunStatement<'cancel'> = async (context, { executionId }) => {
  const found = await context.jobs.find(executionId);
  const missing = () =>
    new MetadataError(
      `There is no execution ${executionId}, or you may not use it.`,
      wrongName('execution', executionId),
    );
  if (!found) throw missing();
  const { projectName, jobName, userName } = found;
  const job = context.catalogue.find(
    { type: 'job', ref: [projectName, jobName] },
    context.session.scope,
  );
  if (
    userName !== context.who.userName &&
    !context.who.isAdmin &&
    !(job && context.catalogue.may(job, context.who, 'Execute'))
  )
    throw missing();
  if (!context.jobs.cancel(executionId))
    throw new MetadataError(`Execution ${executionId} has already ended.`);
  if (job) recordUse(context, job, 'Execute');
  context.emit.line(`Cancelled execution ${executionId} of job ${projectName}.${jobName}.`);
};

/** Carries out `start`, `stop` and `restart`. */
export const runControl: RunStatement<'control'> = async (context, { action, type, ref }) => {
  const item = resolveObject(context, type, ref, 'Write');
  if (type !== 'cluster')
    throw new ExecutionError(
      `Running a ${type} is not available on this server. ` +
        `Only the definition of ${item.name} is stored.`,
    );
  if (action === 'stop')
    throw new ExecutionError(
      'Stopping cluster local is not available on this server, because its engine is part of ' +
        'the server. Use "restart cluster" to end all sessions.',
    );
  if (action === 'start') return context.emit.line('Cluster local is already running.');
  recordChange(context, item, 'Restart', undefined, 'Execute');
  await context.restartEngine();
  context.emit.line(
    'Restarted cluster local. All sessions lost their temporary tables and their last result; ' +
      'what they use stays the same.',
  );
};

export const showMetrics: RunStatement<'showMetrics'> = async (context, { job: ref }) => {
  const { jobName, projectName } = names(context, ref, 'Read');
  context.emit.widget('job-metrics', await context.jobs.metrics(projectName, jobName));
};

export const showHistory: RunStatement<'showHistory'> = async (context, { of, ref }) => {
  const { job, jobName, projectName } = names(
    context,
    of === 'job' ? ref : jobPartOf(ref, 'show history of task'),
    'Read',
  );
  if (of === 'job')
    return context.emit.widget('job-history', await context.jobs.history(projectName, jobName));
  const task = taskOf(context, job, ref);
  context.emit.widget(
    'task-history',
    await context.jobs.taskHistory(projectName, jobName, task.name),
  );
};

export const showState: RunStatement<'showState'> = async (context, { of, ref }) => {
  if (of === 'cluster')
    return context.emit.line(
      `Cluster ${resolveObject(context, 'cluster', ref, 'Use').name}: Running`,
    );
  const { job, jobName, projectName } = names(context, ref, 'Read');
  const last = (await context.jobs.history(projectName, jobName)).history[0];
  const lastRun = last
    ? `execution ${last.jobRunId}, started at ${last.startTime}, is ${last.state}`
    : 'it has not run yet';
  context.emit.line(
    `Job ${projectName}.${jobName}: ${String(job.definition['state'])}; ${lastRun}`,
  );
};

export const showSchedules: RunStatement<'showSchedules'> = (context, { job: ref }) => {
  const { job } = names(context, ref, 'Read');
  const all = context.catalogue.children(job.id, 'schedule');
  context.emit.widget('schedules', { schedules: all.map((item) => scheduleData(context, item)) });
};

export const showSubscriptions: RunStatement<'showSubscriptions'> = (context, { job: ref }) => {
  const { job } = names(context, ref, 'Read');
  const all = context.catalogue
    .children(job.id, 'subscription')
    .map((item) => ({ item, data: subscriptionData(context, item) }));
  context.emit.widget('subscriptions', { subscriptions: all.map(({ data }) => data) });
  for (const { item, data } of all) {
    const history = context.subscriptions.history(item.id);
    if (history.length > 0) context.emit.widget('subscription', { subscription: data, history });
  }
};
