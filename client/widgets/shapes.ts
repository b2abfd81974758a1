/** What payloads of several widgets are made of. Unknown fields pass through; nothing but an object's own name is required. */
import * as z from 'zod/mini';
import { bag, maybe, open } from '../protocol/define.ts';

/** A moment: ISO 8601, milliseconds since 1970, or another text that `parseDate` reads. */
export const time = z.union([z.string(), z.number()]);
/** A moment as it travels. */
export type Time = string | number;
/** A list; missing and `null` are empty. */
export const list = <Item extends z.core.SomeType>(
  item: Item,
): z.ZodMiniType<readonly z.infer<Item>[]> =>
  z.pipe(
    z.nullish(z.array(item)),
    z.transform((value) => value ?? []),
  ) as unknown as z.ZodMiniType<readonly z.infer<Item>[]>;

/** An object of which a text in its place may be what nobody is to see: that is left out, where for other objects it would be the name. */
export const guarded = <Inner extends z.core.SomeType>(
  inner: Inner,
): z.ZodMiniType<z.infer<Inner>> =>
  z.pipe(
    bag as unknown as z.ZodMiniType,
    inner as unknown as z.ZodMiniType,
  ) as unknown as z.ZodMiniType<z.infer<Inner>>;

/** Anything that has a name, with a word about it. */
export const named = open({ name: maybe(z.string()), description: maybe(z.string()) });
/** Anything that has a name. */
export type Named = z.infer<typeof named>;

/** Who made an object, when and from what; data sets and what flows from which to which. */
export const lineage = open({
  createAction: maybe(
    open({
      actionType: maybe(z.string()),
      userName: maybe(z.string()),
      actionTime: maybe(time),
      state: maybe(z.string()),
      projectName: maybe(z.string()),
      jobName: maybe(z.string()),
    }),
  ),
  lineageGraph: maybe(
    open({
      nodes: list(
        open({ id: z.string(), label: maybe(z.string()), objectType: maybe(z.string()) }),
      ),
      edges: list(open({ source: z.string(), target: z.string() })),
    }),
  ),
});
/** Where an object comes from; absent for who may not read it. */
export type Lineage = z.infer<typeof lineage>;

/** A line of a log. */
export const logEntry = open({
  eventType: maybe(z.string()),
  eventTime: maybe(time),
  message: maybe(z.string()),
  taskName: maybe(z.string()),
});
/** A line of a log. */
export type LogEntry = z.infer<typeof logEntry>;

/** A run of a task. Without an end it goes on. */
export const taskRun = open({
  taskRunId: maybe(z.string()),
  taskName: maybe(z.string()),
  taskType: maybe(z.string()),
  state: maybe(z.string()),
  attempt: maybe(z.number()),
  startTime: maybe(time),
  endTime: maybe(time),
  logs: list(logEntry),
});
/** A run of a task. */
export type TaskRun = z.infer<typeof taskRun>;

/** A run of a job. Without an end it goes on. */
export const jobRun = open({
  jobRunId: maybe(z.string()),
  projectName: maybe(z.string()),
  jobName: maybe(z.string()),
  state: maybe(z.string()),
  startTime: maybe(time),
  endTime: maybe(time),
  userName: maybe(z.string()),
  scheduleName: maybe(z.string()),
  clusterName: maybe(z.string()),
  taskRuns: list(taskRun),
  logs: list(logEntry),
});
/** A run of a job. */
export type JobRun = z.infer<typeof jobRun>;

/** A right that somebody has on something. */
export const permission = open({
  permissionType: maybe(z.string()),
  objectType: maybe(z.string()),
  objectName: maybe(z.string()),
  principalType: maybe(z.string()),
  principalName: maybe(z.string()),
  viaRole: maybe(z.string()),
});
/** A right that somebody has on something. */
export type Permission = z.infer<typeof permission>;

/** When something happens; `clusterAction` of clusters alone. */
export const schedule = open({
  name: maybe(z.string()),
  description: maybe(z.string()),
  expression: maybe(z.string()),
  timeZone: maybe(z.string()),
  startTime: maybe(time),
  endTime: maybe(time),
  projectName: maybe(z.string()),
  jobName: maybe(z.string()),
  clusterName: maybe(z.string()),
  clusterAction: maybe(z.string()),
  userName: maybe(z.string()),
  state: maybe(z.string()),
  nextRunTime: maybe(time),
});
/** When something happens. */
export type Schedule = z.infer<typeof schedule>;

/** Who is told of what. */
export const subscription = open({
  name: maybe(z.string()),
  description: maybe(z.string()),
  objectType: maybe(z.string()),
  objectName: maybe(z.string()),
  eventTypes: list(z.string()),
  channel: maybe(z.string()),
  recipients: list(z.string()),
  state: maybe(z.string()),
  startTime: maybe(time),
});
/** Who is told of what. */
export type Subscription = z.infer<typeof subscription>;

/** Type of a field: a name, or of an array, a map or a structure. */
export type FieldType =
  | string
  | { readonly dataType?: string | undefined; readonly [more: string]: unknown };
/** Type of a field. */
export const fieldType = z.union([
  z.string(),
  open({ dataType: maybe(z.string()) }),
]) as unknown as z.ZodMiniType<FieldType>;
/** A column of a table or stream. */
export const field = open({
  fieldIndex: maybe(z.number()),
  name: maybe(z.string()),
  description: maybe(z.string()),
  fieldType: maybe(fieldType),
  length: maybe(z.number()),
});
/** A column of a table or stream. */
export type Field = z.infer<typeof field>;
