/** Maps object types to the widgets that show them. */
import type { WidgetId } from './schemas.ts';

const widgets: Readonly<Record<string, WidgetId>> = {
  organization: 'organization',
  customer: 'customer',
  user: 'user',
  role: 'role',
  repository: 'repository',
  datasource: 'data-source',
  secret: 'secret',
  identityprovider: 'identity-provider',
  cluster: 'cluster',
  schema: 'schema',
  table: 'table',
  stream: 'stream',
  sink: 'sink',
  project: 'project',
  job: 'job',
  task: 'task',
  schedule: 'job-schedule',
  jobschedule: 'job-schedule',
  subscription: 'subscription',
  validationsuite: 'validation-suite',
};

/**
 * Returns the id of the widget that shows an object of this type, or undefined if there is none.
 * Ignores case, spaces, underscores and hyphens.
 *
 * @example
 * widgetOfObject('DataSource'); // 'data-source'
 */
export function widgetOfObject(objectType: string | undefined): WidgetId | undefined {
  const kind = objectType?.toLowerCase().replace(/[\s_-]/g, '') ?? '';
  return Object.hasOwn(widgets, kind) ? widgets[kind] : undefined;
}
