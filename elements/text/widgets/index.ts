/** Sentences of the display widgets. */
import { catalogueTexts } from './catalogue.ts';
import { clustersTexts } from './clusters.ts';
import { graphTexts } from './graph.ts';
import { jobsTexts } from './jobs.ts';
import { logsTexts } from './logs.ts';
import { profilesTexts } from './profiles.ts';
import { securityTexts } from './security.ts';
import { validationTexts } from './validation.ts';

export const widgetTexts = {
  graph: graphTexts,
  logs: logsTexts,
  jobs: jobsTexts,
  security: securityTexts,
  profiles: profilesTexts,
  clusters: clustersTexts,
  validation: validationTexts,
  catalogue: catalogueTexts,
  noData: 'This element has nothing to show: give it data, or the name of an object and a server.',
  noWidget: 'This element does not know what it shows: name a widget.',
  unknown: 'There is no widget {name}.',
  problem: 'One thing in this payload is not as it should be.',
  problems: '{n} things in this payload are not as they should be.',
  wrong: '{path}: {expected} expected, {found} found',
  payload: 'payload',
  none: 'None',
  details: 'Details',
  detailsOf: 'Details of {name}',
  titled: '{kind} {name}',
  /** What each widget is of. */
  names: {
    'job-graph': 'Job graph', project: 'Project', 'job-schedule': 'Schedule', schedules: 'Schedules', subscription: 'Subscription', subscriptions: 'Subscriptions', 'job-metrics': 'Job metrics', 'job-history': 'Job history',
    'task-history': 'Task history', 'job-run': 'Job run', 'task-run': 'Task run', task: 'Task', job: 'Job', customer: 'Customer', organization: 'Organization', user: 'User', role: 'Role', permissions: 'Permissions',
    'activity-history': 'Activity history', 'usage-events': 'Usage events', secret: 'Secret', 'identity-provider': 'Identity provider', 'schema-profile': 'Schema profile', 'data-set-profile': 'Data set profile', 'profile-comparison': 'Profile comparison',
    relationships: 'Relationships', 'exported-result': 'Exported result', 'exported-file': 'Exported file', cluster: 'Cluster', 'validation-suite': 'Validation suite', validators: 'Validators', 'field-selector': 'Field selector',
    'table-validation': 'Table validation', 'schema-validation': 'Schema validation', 'validated-tables': 'Validated tables', 'suite-run': 'Suite run', 'validator-runs': 'Validator runs', table: 'Table', stream: 'Stream', sink: 'Sink',
    schema: 'Schema', repository: 'Repository', 'data-source': 'Data source', lineage: 'Lineage',
  } as Record<string, string>,
};
