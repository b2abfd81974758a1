/** Widgets of users and permissions, and the tags for them. */
import { widgetElements } from '../widget-element.ts';

export const securityElements = widgetElements({
  'tiding-customer': 'A customer with its organizations.',
  'tiding-organization': 'An organization: its default repository, cluster limits and permissions.',
  'tiding-user': 'A user: status, roles and permissions.',
  'tiding-role': 'A role: its users and permissions.',
  'tiding-permissions': 'Permissions: type, object and principal.',
  'tiding-activity-history': 'Changes of an object, newest first.',
  'tiding-usage-events': 'Usage events: who used which permission on what, newest first.',
  'tiding-secret': 'A secret, without its value.',
  'tiding-identity-provider': 'Identity provider through which users of an organization sign in.',
});
