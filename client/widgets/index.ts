/**
 * Payloads of the display widgets that `%magpie` sends: schemas, tolerant reading, and rules
 * that several widgets share. Pure functions, for pages, workers and Node.js.
 *
 * @module @tiding/client/widgets
 */

export { type BadgeColour, healthBadge, logBadge, scoreBadge, stateBadge } from './badges.ts';
export { type PersistenceMapping, persistenceMappingSchema } from './catalogue.ts';
export { type ClusterRun, clusterRunSchema } from './clusters.ts';
export {
  FIXED_FROM_EDGES,
  type FlowEdge,
  type FlowGraph,
  type FlowNode,
  type JobGraphData,
  jobFlow,
  jobOf,
  kindOf,
  lineageFlow,
  nestedJobOf,
  nodeId,
  rootJob,
  targetOf,
  tasksOf,
} from './flow.ts';
export { type JobNode, jobNodeSchema, type Task, taskSchema } from './jobs.ts';
export { widgetOfObject } from './objects.ts';
export type {
  NarrowPayload,
  PayloadOf,
  StrictPayload,
  UnknownKeys,
  WidgetPayload,
} from './payloads.ts';
export {
  type ComparedField,
  compareProfiles,
  type FieldChange,
  type ProfileComparison,
  shareOf,
} from './profile-comparison.ts';
export {
  type Counts,
  type DataSetProfile,
  dataSetProfileSchema,
  type FieldProfile,
  fieldProfileSchema,
  type RelationshipPayload,
  relationshipSchema,
} from './profiles.ts';
export { type ShownRelationship, shownRelationships } from './relationships.ts';
export { type DefaultName, defaultOf } from './repositories.ts';
export {
  completeSummary,
  durationOf,
  filterLogs,
  inOrder,
  LOG_TAIL,
  type MeasuredRun,
  type RunRow,
  type RunSummary,
  runRows,
  runRowsSteps,
  type Spanned,
  TREND_RUNS,
  trend,
} from './runs.ts';
export { type WidgetData, type WidgetId, widgetIds, widgetSchemas } from './schemas.ts';
export { withoutSecrets } from './shared/addresses.ts';
export {
  ENVELOPE_VERSION,
  type Envelope,
  envelopeHtml,
  envelopeOf,
  isLongPayload,
  type ReadWidget,
  readWidget,
  readWidgetSteps,
} from './shared/envelope.ts';
export { fieldTypeText } from './shared/field-types.ts';
export { keyLabel, type LabelledEntry, labelledEntries } from './shared/labelled-entries.ts';
export {
  LAYER_DISTANCE,
  type Links,
  layout,
  layoutSteps,
  NODE_HEIGHT,
  NODE_PITCH,
  NODE_WIDTH,
} from './shared/layered-layout.ts';
export { newestFirst, sortSteps, timeOf } from './shared/order.ts';
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
export {
  type CountSlot,
  SPARK_BARS,
  sparkline,
  type TimeCounts,
  type TimeUnit,
  type TopValues,
  timeCounts,
  timeUnits,
  topValues,
} from './shared/time-counts.ts';
export {
  nullHandling,
  type RunShare,
  runShares,
  type SelectedFields,
  selectedFields,
  type ValidatorKind,
  validatorKind,
} from './shared/validators.ts';
export { type UsageEvent, usageObject, usagePermission, usageState } from './usage-events.ts';
export {
  type FieldSelector,
  fieldSelectorSchema,
  type Validator,
  type ValidatorRun,
  validatorRunSchema,
  validatorSchema,
} from './validation.ts';
