/**
 * Payloads of the display widgets that `%magpie` sends: schemas, tolerant reading, and rules
 * that several widgets share. Pure functions, for pages, workers and Node.js.
 *
 * @module @tiding/client/widgets
 */

export * from './badges.ts';
export { type PersistenceMapping, persistenceMappingSchema } from './catalogue.ts';
export { type ClusterRun, clusterRunSchema } from './clusters.ts';
export * from './flow.ts';
export { type JobNode, jobNodeSchema, type Task, taskSchema } from './jobs.ts';
export * from './objects.ts';
export type * from './payloads.ts';
export * from './profile-comparison.ts';
export {
  type Counts,
  type DataSetProfile,
  dataSetProfileSchema,
  type FieldProfile,
  fieldProfileSchema,
  type RelationshipPayload,
  relationshipSchema,
} from './profiles.ts';
export * from './relationships.ts';
export * from './repositories.ts';
export * from './runs.ts';
export * from './schemas.ts';
export * from './shared/addresses.ts';
export * from './shared/envelope.ts';
export * from './shared/field-types.ts';
export * from './shared/labelled-entries.ts';
export * from './shared/layered-layout.ts';
export * from './shared/order.ts';
export {
  MAX_PROBLEMS,
  type PayloadProblem,
  type RepairedPayload,
  repairPayload,
} from './shared/repair.ts';
export type {
  ColumnPayload,
  FieldType,
  JobRun,
  Lineage,
  LogEntry,
  NamedObject,
  PayloadTime,
  Permission,
  Schedule,
  Subscription,
  TaskRun,
} from './shared/shared-schemas.ts';
export {
  jobRunSchema,
  lineageSchema,
  logEntrySchema,
  namedSchema,
  permissionSchema,
  scheduleSchema,
  subscriptionSchema,
  tableColumnSchema,
  taskRunSchema,
} from './shared/shared-schemas.ts';
export * from './shared/time-counts.ts';
export * from './shared/validators.ts';
export * from './usage-events.ts';
export {
  type FieldSelector,
  fieldSelectorSchema,
  type Validator,
  type ValidatorRun,
  validatorRunSchema,
  validatorSchema,
} from './validation.ts';
