/** Statements about the runs of jobs, and of the cluster. */
import { readFile } from 'node:fs/promises';
import { ExecutionError, MetadataError } from '../contract.ts';
import type { Ref, StatementOf } from '../language/statements.ts';
import type { Context, JobRunData, Jobs } from './context.ts';
import { scheduleData, subscriptionData } from './job-views.ts';
import { dataSourceOf } from './make-table.ts';
import { checkLinks, rootOf, within } from './sources.ts';
import { changed, need, use } from './uses.ts';

function jobsOf({ jobs }: Context): Jobs {
  if (!jobs) throw new ExecutionError('Running jobs is not available on this server.');
  return jobs;
}

function names(context: Context, ref: Ref, permission: 'Read' | 'Execute') {
  const job = need(context, 'job', ref, permission);
  return { job, jobName: job.name, projectName: context.catalogue.byId(job.parentId)!.name };
}

/** Carries out `exec job`. Cancelling the paragraph of a blocking one cancels the run. */
export async function execJob(
  context: Context,
  { ref, fromTask, blocking }: StatementOf<'execJob'>,
): Promise<void> {
  const jobs = jobsOf(context);
  const { job, jobName, projectName } = names(context, ref, 'Execute');
  const task =
    fromTask === undefined ? undefined : context.catalogue.child(job.id, 'task', fromTask);
  if (fromTask !== undefined && !task)
    throw new MetadataError(`There is no task ${fromTask} of job ${projectName}.${jobName}.`);
  if (job.definition['state'] === 'Disabled')
    throw new MetadataError(`The job ${projectName}.${jobName} is disabled.`);
  await follow(
    context,
    jobs.start(projectName, jobName, {
      ...startedBy(context),
      ...(task ? { fromTask: task.name } : {}),
    }),
    blocking,
  );
}

const startedBy = ({ who, run }: Context) => ({
  userName: who.userName,
  ...(run.jobRunId === undefined ? {} : { parentJobRunId: run.jobRunId }),
});

async function follow(
  context: Context,
  handle: ReturnType<Jobs['start']>,
  blocking: boolean,
): Promise<void> {
  const { emit, run } = context;
  emit.say(
    `Started job ${handle.run.projectName}.${handle.run.jobName}: execution ${handle.run.jobRunId}.`,
  );
  emit.widget('job-run', handle.run);
  if (!blocking) return;
  handle.onChange((now) => emit.again('job-run', now));
  const stop = () => handle.cancel();
  run.signal.addEventListener('abort', stop, { once: true });
  if (run.signal.aborted) stop();
  let end: JobRunData;
  try {
    end = await handle.done;
  } finally {
    run.signal.removeEventListener('abort', stop);
  }
  emit.again('job-run', end);
  run.signal.throwIfAborted();
  if (end.state !== 'Succeeded' && end.state !== 'Finished')
    throw new ExecutionError(`The job ${end.projectName}.${end.jobName} ended as ${end.state}.`);
}

/** Carries out `exec task`. */
export async function execTask(context: Context, { ref }: StatementOf<'execTask'>): Promise<void> {
  const jobs = jobsOf(context);
  if (ref.length < 2) throw new MetadataError('A task is named with its job: exec task JOB.TASK.');
  const { job, jobName, projectName } = names(context, ref.slice(0, -1), 'Execute');
  const task = context.catalogue.child(job.id, 'task', ref.at(-1)!);
  if (!task)
    throw new MetadataError(`There is no task ${ref.at(-1)!} of job ${projectName}.${jobName}.`);
  await follow(
    context,
    jobs.start(projectName, jobName, { ...startedBy(context), onlyTask: task.name }),
    true,
  );
}

/** Longest script, in characters. */
const MAX_SCRIPT = 2 ** 20;

/** The text of a script file in the current data source. */
export async function scriptOf(context: Context, path: string): Promise<string> {
  if (!path.toLowerCase().endsWith('.magpie'))
    throw new MetadataError('A script file ends in .magpie.');
  const source = dataSourceOf(context, undefined);
  const file = within(rootOf(context, source), path);
  let text: string;
  try {
    await checkLinks(context, source, [file]);
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (!['ENOENT', 'ENOTDIR', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? ''))
      throw error;
    throw new ExecutionError(`There is no script ${path} in data source ${source.name}.`);
  }
  if (text.length > MAX_SCRIPT)
    throw new ExecutionError(`The script ${path} is longer than ${MAX_SCRIPT} characters.`);
  return text;
}

/** Carries out `cancel`. */
export async function cancel(
  context: Context,
  { executionId }: StatementOf<'cancel'>,
): Promise<void> {
  const found = await jobsOf(context).find(executionId);
  const missing = () =>
    new MetadataError(`There is no execution ${executionId}, or you may not use it.`);
  if (!found) throw missing();
  const { projectName, jobName, userName } = found.run;
  const job = context.catalogue.find(
    { type: 'job', ref: [projectName, jobName] },
    context.session.place,
  );
  if (
    userName !== context.who.userName &&
    !context.who.isAdmin &&
    !(job && context.catalogue.may(job, context.who, 'Execute'))
  )
    throw missing();
  if (!found.cancel) throw new MetadataError(`The execution ${executionId} is over.`);
  found.cancel();
  if (job) use(context, job, 'Execute');
  context.emit.say(`Cancelled execution ${executionId} of job ${projectName}.${jobName}.`);
}

/** Carries out `start`, `stop` and `restart`. */
export async function control(
  context: Context,
  { action, type, ref }: StatementOf<'control'>,
): Promise<void> {
  const item = need(context, type, ref, 'Write');
  if (type !== 'cluster')
    throw new ExecutionError(
      `Running a ${type} is not available on this server: ${item.name} keeps its definition.`,
    );
  if (action === 'stop')
    throw new ExecutionError(
      'The engine of cluster local is a part of this server and is there as long as it: "restart cluster" ends all sessions with it.',
    );
  if (action === 'start') return context.emit.say('The cluster local runs already.');
  changed(context, item, 'Restart', undefined, 'Execute');
  await context.restartEngine();
  context.emit.say(
    'Restarted cluster local: all sessions begin anew, without their temporary tables.',
  );
}

/** Carries out `show metrics`. */
export async function showMetrics(
  context: Context,
  { job: ref }: StatementOf<'showMetrics'>,
): Promise<void> {
  const { jobName, projectName } = names(context, ref, 'Read');
  context.emit.widget('job-metrics', await jobsOf(context).metrics(projectName, jobName));
}

/** Carries out `show history`. */
export async function showHistory(
  context: Context,
  { of, ref }: StatementOf<'showHistory'>,
): Promise<void> {
  if (of === 'task' && ref.length < 2)
    throw new MetadataError('A task is named with its job: show history of task JOB.TASK.');
  const { job, jobName, projectName } = names(
    context,
    of === 'job' ? ref : ref.slice(0, -1),
    'Read',
  );
  if (of === 'job')
    return context.emit.widget('job-history', {
      projectName,
      jobName,
      history: await jobsOf(context).history(projectName, jobName),
    });
  const task = context.catalogue.child(job.id, 'task', ref.at(-1)!);
  if (!task)
    throw new MetadataError(`There is no task ${ref.at(-1)!} of job ${projectName}.${jobName}.`);
  context.emit.widget('task-history', {
    projectName,
    jobName,
    taskName: task.name,
    history: await jobsOf(context).history(projectName, jobName, task.name),
  });
}

/** Carries out `show state`. */
export async function showState(
  context: Context,
  { of, ref }: StatementOf<'showState'>,
): Promise<void> {
  if (of === 'cluster')
    return context.emit.say(`Cluster ${need(context, 'cluster', ref, 'Use').name}: Running`);
  const { job, jobName, projectName } = names(context, ref, 'Read');
  const [last] = ((await context.jobs?.history(projectName, jobName)) ?? []) as readonly {
    jobRunId?: string;
    state?: string;
    startTime?: string;
  }[];
  context.emit.say(
    `Job ${projectName}.${jobName}: ${String(job.definition['state'])}${last ? `; execution ${last.jobRunId} of ${last.startTime} is ${last.state}` : '; it has not run yet'}`,
  );
}

/** Carries out `show schedules` and `show subscriptions`. */
export async function showParts(
  context: Context,
  kind: 'schedules' | 'subscriptions',
  ref: Ref,
): Promise<void> {
  const { job } = names(context, ref, 'Read');
  const { catalogue } = context;
  if (kind === 'schedules')
    context.emit.widget('schedules', {
      schedules: catalogue
        .children(job.id, 'schedule')
        .map((schedule) => scheduleData(context, schedule)),
    });
  else {
    const all = catalogue
      .children(job.id, 'subscription')
      .map((item) => ({ item, data: subscriptionData(context, item) }));
    context.emit.widget('subscriptions', { subscriptions: all.map(({ data }) => data) });
    for (const { item, data } of all) {
      const history = context.jobs?.told(item.id) ?? [];
      if (history.length > 0) context.emit.widget('subscription', { subscription: data, history });
    }
  }
}
