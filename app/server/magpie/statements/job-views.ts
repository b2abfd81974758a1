/** Jobs, tasks, schedules and subscriptions as payloads have them. */
import { parseQuartz } from 'tiding/model';
import { sameName, type Item } from '../catalogue/state.ts';
import type { Context } from './context.ts';
import { lineageOf } from './lineage.ts';

interface TaskData {
  readonly taskId: number;
  readonly name: string;
  readonly taskType: string;
  readonly predecessor: string | null;
  readonly successors: readonly (string | TaskData)[];
}

const isAfter = (task: Item, before: Item): boolean =>
  sameName(String(task.definition['predecessorName'] ?? ''), before.name);

function taskData(tasks: readonly Item[], task: Item, nested: boolean): TaskData {
  const next = tasks.filter((each) => isAfter(each, task));
  return {
    taskId: task.id,
    name: task.name,
    taskType: String(task.definition['taskType']),
    predecessor:
      typeof task.definition['predecessorName'] === 'string'
        ? task.definition['predecessorName']
        : null,
    successors: nested
      ? next.map((each) => taskData(tasks, each, true))
      : next.map(({ name }) => name),
  };
}

/** A job: its view, its graph and its runs. */
export async function describeJob(context: Context, job: Item): Promise<void> {
  const { catalogue, emit } = context;
  const project = catalogue.byId(job.parentId)!;
  const tasks = catalogue.children(job.id, 'task');
  const [first] = tasks.filter(({ definition }) => definition['predecessorName'] === undefined);
  emit.widget('job', {
    job: {
      jobId: job.id,
      name: job.name,
      projectName: project.name,
      ...job.definition,
      ...(first ? { startTask: taskData(tasks, first, true) } : {}),
      tasks: tasks.map((task) => taskData(tasks, task, false)),
      schedules: catalogue.children(job.id, 'schedule').map(({ name }) => name),
      subscriptions: catalogue.children(job.id, 'subscription').map(({ name }) => name),
    },
    lineage: lineageOf(context, job),
  });
  if (tasks.length > 0) emit.widget('job-graph', graphOf(context, job));
  emit.widget('job-history', {
    projectName: project.name,
    jobName: job.name,
    history: (await context.jobs?.history(project.name, job.name)) ?? [],
  });
}

/** The tasks of a job, and of all jobs that run in it and may be seen. */
function graphOf(context: Context, root: Item): object {
  const { catalogue } = context;
  const nodes: object[] = [];
  const edges: { source: string; target: string }[] = [];
  const jobs = [root];
  for (const job of jobs) {
    const id = catalogue.nameOf(job);
    const projectName = catalogue.byId(job.parentId)!.name;
    const tasks = catalogue.children(job.id, 'task');
    nodes.push({ id, projectName, jobName: job.name, objectType: 'Job' });
    for (const task of tasks) {
      const { definition } = task;
      const reference = definition['nestedJobReference'] as
        | { projectName: string; jobName: string }
        | undefined;
      const kind = reference
        ? 'NestedJob'
        : definition['taskType'] === 'SqlMapper'
          ? 'SqlMapper'
          : 'Script';
      nodes.push({
        id: `${id}.${task.name}`,
        projectName,
        jobName: job.name,
        nodeType: kind,
        task: {
          ...taskData(tasks, task, false),
          ...(reference ? { nestedJobReference: reference } : {}),
        },
      });
      const before = tasks.find((each) => isAfter(task, each));
      edges.push({ source: before ? `${id}.${before.name}` : id, target: `${id}.${task.name}` });
      const nestedProject =
        reference &&
        catalogue.child(catalogue.holder(job, 'repository')!.id, 'project', reference.projectName);
      const nested = nestedProject && catalogue.child(nestedProject.id, 'job', reference.jobName);
      if (nested && !jobs.includes(nested) && catalogue.visible([nested], context.who).length > 0)
        jobs.push(nested);
    }
  }
  return { rootNodeId: catalogue.nameOf(root), nodes, edges };
}

/** A task. */
export function describeTaskItem(context: Context, task: Item): void {
  const tasks = context.catalogue.children(task.parentId!, 'task');
  const { predecessorName: _, ...definition } = task.definition;
  context.emit.widget('task', {
    task: { ...definition, ...taskData(tasks, task, false) },
    lineage: lineageOf(context, task),
  });
}

/** A schedule, with when it acts next. */
export function scheduleData({ catalogue }: Context, schedule: Item): object {
  const holder = catalogue.byId(schedule.parentId)!;
  const project = catalogue.holder(schedule, 'project');
  const { definition } = schedule;
  return {
    name: schedule.name,
    startTime: null,
    endTime: null,
    ...definition,
    ...(project
      ? { projectName: project.name, jobName: holder.name }
      : { clusterName: holder.name }),
    nextRunTime: definition['state'] === 'Enabled' ? nextTime(definition) : null,
  };
}

/** The next time of an expression within the schedule's window, ISO 8601 UTC. */
export function nextTime(
  definition: Readonly<Record<string, unknown>>,
  now = new Date(),
): string | null {
  const { expression, timeZone, startTime, endTime } = definition as {
    expression: string;
    timeZone?: string;
    startTime?: string;
    endTime?: string;
  };
  const from =
    startTime !== undefined && Date.parse(startTime) > now.getTime()
      ? new Date(Date.parse(startTime) - 1)
      : now;
  const next = parseQuartz(expression, timeZone ?? 'UTC').next(from);
  return next && (endTime === undefined || next.getTime() <= Date.parse(endTime))
    ? next.toISOString()
    : null;
}

/** The runs that a schedule started, and the starts that were missed; newest first. */
export async function scheduleHistory(
  { catalogue, jobs }: Context,
  schedule: Item,
): Promise<readonly object[]> {
  const job = catalogue.byId(schedule.parentId)!;
  const project = catalogue.holder(schedule, 'project');
  if (!project || !jobs) return [];
  const runs = (
    (await jobs.history(project.name, job.name)) as readonly { scheduleName?: string }[]
  ).filter(
    ({ scheduleName }) => scheduleName !== undefined && sameName(scheduleName, schedule.name),
  );
  const time = (entry: object): number =>
    Date.parse((entry as { startTime?: string }).startTime ?? '');
  return [...runs, ...jobs.missed(`${schedule.id}`)].sort((one, other) => time(other) - time(one));
}

/** A subscription. */
export function subscriptionData({ catalogue }: Context, subscription: Item): object {
  const holder = catalogue.byId(subscription.parentId)!;
  return {
    name: subscription.name,
    objectType: holder.type === 'job' ? 'Job' : 'Cluster',
    objectName: catalogue.nameOf(holder),
    startTime: subscription.createdAt,
    ...subscription.definition,
  };
}
