/**
 * Schemas that several payloads share. Unknown fields pass through, and nearly all fields are
 * optional.
 */
import * as z from 'zod/mini';
import { jsonObject, maybe, open } from '../../protocol/define.ts';

/** Schema of {@link PayloadTime}. */
export const time = z.union([z.string(), z.number()]);
/**
 * A time in a payload: ISO 8601, milliseconds since 1970, or another text that `parseDate` reads.
 */
export type PayloadTime = string | number;
/** A list. A missing list or `null` is read as empty. */
export const listOf = <Item extends z.core.SomeType>(
  item: Item,
): z.ZodMiniType<readonly z.infer<Item>[]> =>
  z.pipe(
    z.nullish(z.array(item)),
    z.transform((value) => value ?? []),
  ) as unknown as z.ZodMiniType<readonly z.infer<Item>[]>;

/**
 * An object that may hold secrets. A text in its place is dropped, because it may be the secret.
 * For other objects, a text is used as the name.
 */
export const guardedObject = <Inner extends z.core.SomeType>(
  inner: Inner,
): z.ZodMiniType<z.infer<Inner>> =>
  z.pipe(
    jsonObject as unknown as z.ZodMiniType,
    inner as unknown as z.ZodMiniType,
  ) as unknown as z.ZodMiniType<z.infer<Inner>>;

/** Returns optional texts of these names, for the shape of an object. */
export const maybeStrings = <Name extends string>(...names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, maybe(z.string())])) as Record<
    Name,
    ReturnType<typeof maybe<z.ZodMiniString>>
  >;

/** Id of an object, a text or a number. */
export const id = maybe(z.union([z.string(), z.number()]));
/** Fields of everything with a name and a description. */
export const named = maybeStrings('name', 'description');
/** Fields of everything that belongs to a job. */
export const ofJob = maybeStrings('projectName', 'jobName');
/** Fields of everything that takes time. */
export const span = { startTime: maybe(time), endTime: maybe(time) };

/** Schema of {@link NamedObject}. */
export const namedSchema = open(named);
/** Anything with a name and a description. */
export type NamedObject = z.infer<typeof namedSchema>;

/** Schema of {@link Lineage}. */
export const lineageSchema = open({
  createAction: maybe(
    open({
      ...maybeStrings('actionType', 'userName'),
      actionTime: maybe(time),
      state: maybe(z.string()),
      ...ofJob,
    }),
  ),
  lineageGraph: maybe(
    open({
      nodes: listOf(
        open({ id: z.string(), label: maybe(z.string()), objectType: maybe(z.string()) }),
      ),
      edges: listOf(open({ source: z.string(), target: z.string() })),
      // The node of the object itself.
      rootNodeId: maybe(z.string()),
    }),
  ),
});
/**
 * Origin of an object: who created it, when, and the data sets it was made from. Absent if the user
 * may not read it.
 */
export type Lineage = z.infer<typeof lineageSchema>;

/** Schema of {@link LogEntry}. */
export const logEntrySchema = open({
  eventType: maybe(z.string()),
  eventTime: maybe(time),
  ...maybeStrings('message', 'taskName'),
});
/** An entry of a log. */
export type LogEntry = z.infer<typeof logEntrySchema>;

/** Schema of {@link TaskRun}. */
export const taskRunSchema = open({
  ...maybeStrings('jobRunId', 'taskRunId', 'taskName', 'taskType', 'state'),
  attempt: maybe(z.number()),
  ...span,
  logs: listOf(logEntrySchema),
});
/** A run of a task. Without `endTime` it is in progress. */
export type TaskRun = z.infer<typeof taskRunSchema>;

/** Schema of {@link JobRun}. */
export const jobRunSchema = open({
  jobRunId: maybe(z.string()),
  ...ofJob,
  state: maybe(z.string()),
  ...span,
  ...maybeStrings('userName', 'scheduleName', 'clusterName'),
  jobId: maybe(z.number()),
  // The run whose task started this one.
  parentJobRunId: maybe(z.string()),
  // Number of missed starts, for an entry of state Missed.
  missedCount: maybe(z.number()),
  taskRuns: listOf(taskRunSchema),
  logs: listOf(logEntrySchema),
});
/** A run of a job. Without `endTime` it is in progress. */
export type JobRun = z.infer<typeof jobRunSchema>;

/** Schema of {@link Permission}. */
export const permissionSchema = open({
  ...maybeStrings('permissionType', 'objectType', 'objectName', 'principalType', 'principalName'),
  ...maybeStrings('viaRole', 'viaOrganization'),
});
/** A permission on an object, and who has it. */
export type Permission = z.infer<typeof permissionSchema>;

/** Schema of {@link Schedule}. */
export const scheduleSchema = open({
  ...named,
  ...maybeStrings('expression', 'timeZone'),
  ...span,
  ...ofJob,
  ...maybeStrings('clusterName', 'clusterAction', 'userName', 'state'),
  nextRunTime: maybe(time),
});
/** A schedule of a job or cluster. Only clusters have a `clusterAction`. */
export type Schedule = z.infer<typeof scheduleSchema>;

/** Schema of {@link Subscription}. */
export const subscriptionSchema = open({
  ...named,
  ...maybeStrings('objectType', 'objectName'),
  eventTypes: listOf(z.string()),
  channel: maybe(z.string()),
  recipients: listOf(z.string()),
  state: maybe(z.string()),
  startTime: maybe(time),
});
/** Recipients and event types of notifications about an object. */
export type Subscription = z.infer<typeof subscriptionSchema>;

/** Type of a field: a name, or an object that describes an array, map or struct. */
export type FieldType =
  | string
  | { readonly dataType?: string | undefined; readonly [more: string]: unknown };
/** Schema of {@link FieldType}. */
const fieldTypePayload = z.union([
  z.string(),
  open({ dataType: maybe(z.string()) }),
]) as unknown as z.ZodMiniType<FieldType>;
/** Schema of {@link ColumnPayload}. */
export const tableColumnSchema = open({
  fieldIndex: maybe(z.number()),
  ...named,
  fieldType: maybe(fieldTypePayload),
  length: maybe(z.number()),
});
/** A column of a table or stream. */
export type ColumnPayload = z.infer<typeof tableColumnSchema>;
