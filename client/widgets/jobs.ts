/** Payloads of jobs: graphs, schedules, runs. */
import * as z from 'zod/mini';
import { maybe, open } from '../protocol/define.ts';
import { jobRun, lineage, list, named, schedule, subscription, taskRun, time } from './shapes.ts';

const nestedJobReference = open({ projectName: maybe(z.string()), jobName: maybe(z.string()) });
/** A task by name, or whole. */
const successor = z.union([z.string(), open({ name: maybe(z.string()) })]);
/** A task of a job as its graph and its own view have it. */
export const task = open({
  taskId: maybe(z.union([z.string(), z.number()])),
  name: maybe(z.string()),
  description: maybe(z.string()),
  taskType: maybe(z.string()),
  state: maybe(z.string()),
  predecessor: maybe(z.string()),
  successors: list(successor),
  nestedJobReference: maybe(nestedJobReference),
  maxRetries: maybe(z.number()),
  timeout: maybe(z.string()),
  isFinalizer: maybe(z.boolean()),
  failureMode: maybe(z.string()),
  script: maybe(z.string()),
  targetSchemaName: maybe(z.string()),
  targetTableName: maybe(z.string()),
  targetTableSpec: maybe(z.unknown()),
  dataSourceName: maybe(z.string()),
  saveMode: maybe(z.string()),
  partitionOptions: maybe(open({ count: maybe(z.number()), partitionBy: list(z.string()) })),
});
/** A task of a job. */
export type Task = z.infer<typeof task>;
/** A node of a job's graph; `objectType` or `nodeType` is Job, Task, Script, NestedJob or SqlMapper. */
export const jobNode = open({
  id: z.string(),
  projectName: maybe(z.string()),
  jobName: maybe(z.string()),
  objectType: maybe(z.string()),
  nodeType: maybe(z.string()),
  task: maybe(task),
  label: maybe(z.string()),
  state: maybe(z.string()),
});
/** A node of a job's graph. */
export type JobNode = z.infer<typeof jobNode>;

const numbered = { startTime: maybe(time), endTime: maybe(time), state: maybe(z.string()) };

/** Payloads of jobs by widget. */
export const jobSchemas = {
  'job-graph': open({
    rootNodeId: maybe(z.string()),
    nodes: list(jobNode),
    edges: maybe(z.array(open({ source: z.string(), target: z.string() }))),
  }),
  project: open({
    project: maybe(
      open({
        projectId: maybe(z.union([z.string(), z.number()])),
        name: maybe(z.string()),
        description: maybe(z.string()),
        repositoryName: maybe(z.string()),
      }),
    ),
    lineage: maybe(lineage),
    jobs: list(
      open({ name: maybe(z.string()), description: maybe(z.string()), state: maybe(z.string()) }),
    ),
    history: list(jobRun),
  }),
  'job-schedule': open({
    schedule: maybe(schedule),
    user: maybe(open({ userName: maybe(z.string()), serviceAccount: maybe(z.boolean()) })),
    history: list(jobRun),
    subscriptions: list(subscription),
  }),
  schedules: open({ schedules: list(schedule) }),
  subscription: open({
    subscription: maybe(subscription),
    history: list(open({ ...numbered, eventType: maybe(z.string()) })),
  }),
  subscriptions: open({ subscriptions: list(subscription) }),
  'job-metrics': open({
    projectName: maybe(z.string()),
    jobName: maybe(z.string()),
    summary: maybe(
      open({
        runCount: maybe(z.number()),
        succeededCount: maybe(z.number()),
        averageDurationMs: maybe(z.number()),
      }),
    ),
    runs: list(
      open({
        jobRunId: maybe(z.string()),
        startTime: maybe(time),
        durationMs: maybe(z.number()),
        state: maybe(z.string()),
      }),
    ),
  }),
  'job-history': open({
    projectName: maybe(z.string()),
    jobName: maybe(z.string()),
    history: list(jobRun),
  }),
  'task-history': open({
    projectName: maybe(z.string()),
    jobName: maybe(z.string()),
    taskName: maybe(z.string()),
    history: list(taskRun),
  }),
  'job-run': jobRun,
  'task-run': taskRun,
  task: open({ task: maybe(task), lineage: maybe(lineage) }),
  job: open({
    job: maybe(
      open({
        jobId: maybe(z.union([z.string(), z.number()])),
        name: maybe(z.string()),
        description: maybe(z.string()),
        projectName: maybe(z.string()),
        state: maybe(z.string()),
        failureMode: maybe(z.string()),
        allowConcurrentRuns: maybe(z.boolean()),
        startTask: maybe(task),
        schedules: list(z.union([z.string(), named])),
        subscriptions: list(z.union([z.string(), named])),
      }),
    ),
    lineage: maybe(lineage),
  }),
};
