/**
 * Payloads of the platform's objects, as the display widgets and `%magpie` have them: schemas, tolerant reading, and the rules
 * that hold for several widgets. Pure: for pages, workers and Node alike.
 *
 * @module tiding/widgets
 */
export { widgetIds, widgetSchemas, type WidgetData, type WidgetId } from './schemas.ts';
export { MAX_PROBLEMS, mend, type Mended, type PayloadProblem } from './mend.ts';
export {
  ENVELOPE_VERSION,
  envelopeHtml,
  envelopeOf,
  isLongPayload,
  readWidget,
  readWidgetSteps,
  type Envelope,
  type ReadWidget,
} from './envelope.ts';
export { healthBadge, logBadge, scoreBadge, stateBadge, type Badge } from './badges.ts';
export { bagEntries, keyWords, type BagEntry } from './bag.ts';
export { widgetOfObject } from './objects.ts';
export {
  nullHandling,
  runShares,
  selectedFields,
  validatorKind,
  type RunShare,
  type SelectedFields,
  type ValidatorKind,
} from './validators.ts';
export { usageObject, usagePermission, usageState, type UsageEvent } from './usage-events.ts';
export { newestFirst, sortSteps, timeOf } from './order.ts';
export { clusterRun, type ClusterRun } from './clusters.ts';
export { jobNode, task, type JobNode, type Task } from './jobs.ts';
export {
  dataSetProfile,
  fieldProfile,
  relationship,
  type Counts,
  type DataSetProfile,
  type FieldProfile,
  type SomeRelationship,
} from './profiles.ts';
export {
  type CountSlot,
  SPARK_BARS,
  sparkline,
  type TimeCounts,
  timeCounts,
  type TimeUnit,
  timeUnits,
  type TopValues,
  topValues,
} from './time-counts.ts';
export {
  compareProfiles,
  type ComparedField,
  type FieldChange,
  type ProfileComparison,
  shareOf,
} from './profile-comparison.ts';
export { shownRelationships, type ShownRelationship } from './relationships.ts';
export {
  field,
  jobRun,
  lineage,
  logEntry,
  named,
  permission,
  schedule,
  subscription,
  taskRun,
} from './shapes.ts';
export type {
  Field,
  FieldType,
  JobRun,
  Lineage,
  LogEntry,
  Named,
  Permission,
  Schedule,
  Subscription,
  TaskRun,
  Time,
} from './shapes.ts';
export {
  fieldSelector,
  validator,
  validatorRun,
  type FieldSelector,
  type Validator,
  type ValidatorRun,
} from './validation.ts';
export { persistenceMapping, type PersistenceMapping } from './catalogue.ts';
export {
  FIXED_FROM_EDGES,
  jobFlow,
  jobOf,
  kindOf,
  lineageFlow,
  nestedJobOf,
  nodeId,
  rootJob,
  targetOf,
  tasksOf,
  type FlowEdge,
  type FlowGraph,
  type FlowNode,
  type JobGraphData,
} from './flow.ts';
export {
  layout,
  layoutSteps,
  LEVEL,
  NODE_HEIGHT,
  NODE_WIDTH,
  PITCH,
  type Links,
} from './layers.ts';
export {
  durationOf,
  filterLogs,
  inOrder,
  LOG_TAIL,
  runRows,
  runRowsSteps,
  summaryOf,
  trend,
  TREND_RUNS,
  type MeasuredRun,
  type RunRow,
  type RunSummary,
  type Spanned,
} from './runs.ts';
export { defaultOf, type DefaultName } from './repositories.ts';
export { fieldTypeText } from './field-types.ts';
export { withoutSecrets } from './addresses.ts';
