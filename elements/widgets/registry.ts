/** All widgets by id, and how their code is loaded. */
import type { WidgetData, WidgetId } from '@tiding/client/widgets';
import { createLazyValue, type LazyValue } from '../runtime/lazy-value.ts';
import type { WidgetModule } from './contract.ts';

type WidgetViews = { readonly [Id in WidgetId]: () => Promise<WidgetModule<WidgetData<Id>>> };

/** How the widgets of each family are loaded. */
export const widgetFamilies = {
  jobs: {
    'job-graph': async () => (await import('./jobs/job-graph.tsx')).jobGraph,
    project: async () => (await import('./jobs/project.tsx')).project,
    'job-schedule': async () => (await import('./jobs/schedules.tsx')).jobSchedule,
    schedules: async () => (await import('./jobs/schedules.tsx')).schedules,
    subscription: async () => (await import('./jobs/schedules.tsx')).subscriptionWidget,
    subscriptions: async () => (await import('./jobs/schedules.tsx')).subscriptions,
    'job-metrics': async () => (await import('./jobs/metrics.tsx')).jobMetrics,
    'job-history': async () => (await import('./jobs/histories.tsx')).jobHistory,
    'task-history': async () => (await import('./jobs/histories.tsx')).taskHistory,
    'job-run': async () => (await import('./jobs/histories.tsx')).jobRunWidget,
    'task-run': async () => (await import('./jobs/histories.tsx')).taskRunWidget,
    job: async () => (await import('./jobs/job.tsx')).jobWidget,
    task: async () => (await import('./jobs/job.tsx')).taskWidget,
    lineage: async () => (await import('./jobs/lineage.tsx')).lineageWidget,
  },
  security: {
    customer: async () => (await import('./security/principals.tsx')).customer,
    organization: async () => (await import('./security/principals.tsx')).organization,
    user: async () => (await import('./security/principals.tsx')).user,
    role: async () => (await import('./security/principals.tsx')).role,
    permissions: async () => (await import('./security/principals.tsx')).permissionsWidget,
    'activity-history': async () => (await import('./security/events.tsx')).activityHistory,
    'usage-events': async () => (await import('./security/events.tsx')).usageEvents,
    secret: async () => (await import('./security/principals.tsx')).secret,
    'identity-provider': async () => (await import('./security/principals.tsx')).identityProvider,
  },
  profiles: {
    'data-set-profile': async () =>
      (await import('./profiles/data-set-profile.tsx')).dataSetProfileWidget,
    'schema-profile': async () => (await import('./profiles/schema-profile.tsx')).schemaProfile,
    'profile-comparison': async () =>
      (await import('./profiles/profile-comparison.tsx')).profileComparison,
    relationships: async () => (await import('./profiles/relationships.tsx')).relationships,
    'exported-result': async () => (await import('./profiles/exports.tsx')).exportedResult,
    'exported-file': async () => (await import('./profiles/exports.tsx')).exportedFile,
  },
  clusters: {
    cluster: async () => (await import('./clusters/cluster.tsx')).clusterWidget,
  },
  validation: {
    'validation-suite': async () => (await import('./validation/validators.tsx')).validationSuite,
    validators: async () => (await import('./validation/validators.tsx')).validators,
    'field-selector': async () => (await import('./validation/validators.tsx')).fieldSelectorWidget,
    'table-validation': async () => (await import('./validation/tables.tsx')).tableValidation,
    'schema-validation': async () => (await import('./validation/tables.tsx')).schemaValidation,
    'validated-tables': async () => (await import('./validation/tables.tsx')).validatedTables,
    'suite-run': async () => (await import('./validation/runs.tsx')).suiteRun,
    'validator-runs': async () => (await import('./validation/runs.tsx')).validatorRuns,
  },
  catalogue: {
    table: async () => (await import('./catalogue/objects.tsx')).table,
    stream: async () => (await import('./catalogue/streams.tsx')).stream,
    sink: async () => (await import('./catalogue/streams.tsx')).sink,
    schema: async () => (await import('./catalogue/objects.tsx')).schema,
    repository: async () => (await import('./catalogue/objects.tsx')).repositoryWidget,
    'data-source': async () => (await import('./catalogue/objects.tsx')).dataSource,
  },
} satisfies Readonly<Record<string, Partial<WidgetViews>>>;

/** The type of the families guarantees that payload and view match. */
const codes = new Map(
  Object.values(widgetFamilies)
    .flatMap((family) => Object.entries(family))
    .map(([id, load]) => [
      id,
      createLazyValue(load as unknown as () => Promise<WidgetModule<WidgetData>>),
    ]),
);

/** Loads the code of a widget; rejects if the network is down. */
export const widgetCode = (id: WidgetId): LazyValue<WidgetModule<WidgetData>> => codes.get(id)!;
