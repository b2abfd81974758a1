/** Schemas of job payloads: graphs, schedules and runs. */
import * as z from 'zod/mini';
import { maybe, open } from '../protocol/define.ts';
import {
  id,
  jobRunSchema,
  lineageSchema,
  listOf,
  maybeStrings,
  named,
  namedSchema,
  ofJob,
  scheduleSchema,
  span,
  subscriptionSchema,
  taskRunSchema,
  time,
} from './shared/shared-schemas.ts';

/** A task by name, or as an object. */
const successor = z.union([
  z.string(),
  open({
    taskId: id,
    ...maybeStrings('name', 'taskType', 'predecessor'),
    successors: maybe(z.array(z.unknown())),
  }),
]);
/** Schema of {@link Task}. */
export const taskSchema = open({
  taskId: id,
  ...named,
  ...maybeStrings('taskType', 'state', 'predecessor'),
  successors: listOf(successor),
  nestedJobReference: maybe(open(ofJob)),
  maxRetries: maybe(z.number()),
  timeout: maybe(z.string()),
  isFinalizer: maybe(z.boolean()),
  ...maybeStrings('failureMode', 'script', 'targetSchemaName', 'targetTableName'),
  targetTableSpec: maybe(z.unknown()),
  ...maybeStrings('dataSourceName', 'saveMode', 'createMode', 'writeMode'),
  partitionOptions: maybe(open({ count: maybe(z.number()), partitionBy: listOf(z.string()) })),
});
/** A task of a job, as in the job graph and in its own view. */
export type Task = z.infer<typeof taskSchema>;
/** Schema of {@link JobNode}. */
export const jobNodeSchema = open({
  id: z.string(),
  ...ofJob,
  ...maybeStrings('objectType', 'nodeType'),
  task: maybe(taskSchema),
  ...maybeStrings('label', 'state'),
  lastRun: maybe(open({ state: maybe(z.string()), ...span })),
});
/**
 * A node of a job graph. `objectType` or `nodeType` is Job, Task, Script, NestedJob or SqlMapper.
 * `lastRun` is the latest run of the job or task; without `endTime` it is in progress.
 */
export type JobNode = z.infer<typeof jobNodeSchema>;

/** Schemas of the job widgets, by widget id. */
export const jobSchemas = {
  'job-graph': open({
    rootNodeId: maybe(z.string()),
    nodes: listOf(jobNodeSchema),
    edges: maybe(z.array(open({ source: z.string(), target: z.string() }))),
  }),
  project: open({
    project: maybe(
      open({
        projectId: id,
        ...named,
        repositoryName: maybe(z.string()),
      }),
    ),
    lineage: maybe(lineageSchema),
    jobs: listOf(open(maybeStrings('name', 'description', 'state'))),
    history: listOf(jobRunSchema),
  }),
  'job-schedule': open({
    schedule: maybe(scheduleSchema),
    user: maybe(open({ userName: maybe(z.string()), serviceAccount: maybe(z.boolean()) })),
    history: listOf(jobRunSchema),
    subscriptions: listOf(subscriptionSchema),
  }),
  schedules: open({ schedules: listOf(scheduleSchema) }),
  subscription: open({
    subscription: maybe(subscriptionSchema),
    history: listOf(
      open({
        ...span,
        ...maybeStrings('state', 'eventType', 'jobRunId'),
        // Why some recipients were not notified.
        message: maybe(z.string()),
      }),
    ),
  }),
  subscriptions: open({ subscriptions: listOf(subscriptionSchema) }),
  'job-metrics': open({
    ...ofJob,
    summary: maybe(
      open({
        runCount: maybe(z.number()),
        succeededCount: maybe(z.number()),
        averageDurationMs: maybe(z.number()),
      }),
    ),
    runs: listOf(
      open({
        jobRunId: maybe(z.string()),
        startTime: maybe(time),
        durationMs: maybe(z.number()),
        state: maybe(z.string()),
      }),
    ),
  }),
  'job-history': open({
    ...ofJob,
    history: listOf(jobRunSchema),
  }),
  'task-history': open({
    ...ofJob,
    taskName: maybe(z.string()),
    history: listOf(taskRunSchema),
  }),
  'job-run': jobRunSchema,
  'task-run': taskRunSchema,
  task: open({ task: maybe(taskSchema), lineage: maybe(lineageSchema) }),
  job: open({
    job: maybe(
      open({
        jobId: id,
        ...named,
        ...maybeStrings('projectName', 'state', 'failureMode'),
        allowConcurrentRuns: maybe(z.boolean()),
        startTask: maybe(taskSchema),
        tasks: listOf(taskSchema),
        schedules: listOf(z.union([z.string(), namedSchema])),
        subscriptions: listOf(z.union([z.string(), namedSchema])),
      }),
    ),
    lineage: maybe(lineageSchema),
  }),
};
