/** Builds the payloads of jobs, tasks, schedules and subscriptions. */
import type {
  JobNode,
  JobRun,
  PayloadOf,
  Schedule,
  Subscription,
  Task,
  WidgetPayload,
} from '@tiding/client/widgets';
import { definitionOf, type Item, isSameName } from '../../catalogue/state.ts';
import { timesOf } from '../../jobs/schedules.ts';
import type { StatementContext } from '../context.ts';
import { lineageOf } from '../objects/lineage.ts';

const isAfter = (task: Item, before: Item): boolean =>
  isSameName(definitionOf(task, 'task').predecessorName ?? '', before.name);

function taskData(tasks: readonly Item[], task: Item, nested: boolean): PayloadOf<Task> {
  const next = tasks.filter((each) => isAfter(each, task));
  const { taskType, predecessorName } = definitionOf(task, 'task');
  return {
    taskId: task.id,
    name: task.name,
    taskType,
    predecessor: predecessorName ?? null,
    successors: nested
      ? next.map((each) => taskData(tasks, each, true))
      : next.map(({ name }) => name),
  };
}

/** Shows a job, its graph and its runs. */
export async function describeJob(context: StatementContext, job: Item): Promise<void> {
  const { catalogue, emit } = context;
  const project = catalogue.byId(job.parentId)!;
  const tasks = catalogue.children(job.id, 'task');
  const [first] = tasks.filter((task) => definitionOf(task, 'task').predecessorName === undefined);
  emit.widget('job', {
    job: {
      jobId: job.id,
      name: job.name,
      projectName: project.name,
      ...definitionOf(job, 'job'),
      ...(first ? { startTask: taskData(tasks, first, true) } : {}),
      tasks: tasks.map((task) => taskData(tasks, task, false)),
      schedules: catalogue.children(job.id, 'schedule').map(({ name }) => name),
      subscriptions: catalogue.children(job.id, 'subscription').map(({ name }) => name),
    },
    lineage: lineageOf(context, job),
  });
  if (tasks.length > 0) emit.widget('job-graph', await graphOf(context, job));
  emit.widget('job-history', await context.jobs.history(project.name, job.name));
}

/** The latest run as a member of a node. */
const lastRunOf = (
  run: { state: string; startTime: string; endTime?: string | undefined } | undefined,
): PayloadOf<JobNode>['lastRun'] =>
  run && { state: run.state, startTime: run.startTime, endTime: run.endTime };

/** Graph of the tasks of a job and of every nested job that the user may see. */
async function graphOf(context: StatementContext, root: Item): Promise<WidgetPayload<'job-graph'>> {
  const { catalogue } = context;
  const nodes: PayloadOf<JobNode>[] = [];
  const edges: { source: string; target: string }[] = [];
  const jobs = [root];
  for (const job of jobs) {
    const id = catalogue.nameOf(job);
    const projectName = catalogue.byId(job.parentId)!.name;
    const tasks = catalogue.children(job.id, 'task');
    const run = (await context.jobs.history(projectName, job.name)).history[0];
    const lastRun = lastRunOf(run);
    nodes.push({ id, projectName, jobName: job.name, objectType: 'Job', lastRun });
    for (const task of tasks) {
      const { nestedJobReference: reference, taskType } = definitionOf(task, 'task');
      const kind = reference ? 'NestedJob' : taskType === 'SqlMapper' ? 'SqlMapper' : 'Script';
      nodes.push({
        id: `${id}.${task.name}`,
        projectName,
        jobName: job.name,
        nodeType: kind,
        task: {
          ...taskData(tasks, task, false),
          ...(reference ? { nestedJobReference: reference } : {}),
        },
        // The last attempt of the task in that run.
        lastRun: lastRunOf(
          run?.taskRuns.findLast(({ taskName }) => isSameName(taskName, task.name)),
        ),
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

/** Shows a task. */
export function describeTaskItem(context: StatementContext, task: Item): void {
  const tasks = context.catalogue.children(task.parentId!, 'task');
  const { predecessorName: _, ...definition } = definitionOf(task, 'task');
  context.emit.widget('task', {
    task: { ...definition, ...taskData(tasks, task, false) },
    lineage: lineageOf(context, task),
  });
}

/** A schedule with its next run time. */
export function scheduleData({ catalogue }: StatementContext, schedule: Item): PayloadOf<Schedule> {
  const holder = catalogue.byId(schedule.parentId)!;
  const project = catalogue.holder(schedule, 'project');
  const definition = definitionOf(schedule, 'schedule');
  return {
    name: schedule.name,
    startTime: null,
    endTime: null,
    ...definition,
    ...(project
      ? { projectName: project.name, jobName: holder.name }
      : { clusterName: holder.name }),
    nextRunTime:
      definition.state === 'Enabled'
        ? (timesOf(definition).next(new Date())?.toISOString() ?? null)
        : null,
  };
}

/** Runs that a schedule started, and its missed starts, newest first. */
export async function scheduleHistory(
  { catalogue, jobs, schedules }: StatementContext,
  schedule: Item,
): Promise<readonly PayloadOf<JobRun>[]> {
  const job = catalogue.byId(schedule.parentId)!;
  const project = catalogue.holder(schedule, 'project');
  if (!project) return [];
  const runs = (await jobs.history(project.name, job.name)).history.filter(
    ({ scheduleName }) => scheduleName !== undefined && isSameName(scheduleName, schedule.name),
  );
  return [...runs, ...schedules.missed(`${schedule.id}`)].sort(
    (one, other) => Date.parse(other.startTime) - Date.parse(one.startTime),
  );
}

/** A subscription in the shape of the payload. */
export function subscriptionData(
  { catalogue }: StatementContext,
  subscription: Item,
): PayloadOf<Subscription> {
  const holder = catalogue.byId(subscription.parentId)!;
  return {
    name: subscription.name,
    objectType: holder.type === 'job' ? 'Job' : 'Cluster',
    objectName: catalogue.nameOf(holder),
    startTime: subscription.createdAt,
    ...definitionOf(subscription, 'subscription'),
  };
}
