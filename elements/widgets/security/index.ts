/** Widgets of users and permissions, and the tags for them. */
import type { ElementSpec } from '../../runtime/define-element.ts';
import { widgetElement } from '../widget-element.ts';

export const securityElements: readonly ElementSpec[] = [
  widgetElement('tiding-customer', 'customer', 'A customer with its organizations.'),
  widgetElement(
    'tiding-organization',
    'organization',
    'An organization: its default repository, cluster limits and permissions.',
  ),
  widgetElement('tiding-user', 'user', 'A user: status, roles and permissions.'),
  widgetElement('tiding-role', 'role', 'A role: its users and permissions.'),
  widgetElement('tiding-permissions', 'permissions', 'Permissions: type, object and principal.'),
  widgetElement(
    'tiding-activity-history',
    'activity-history',
    'Changes of an object, newest first.',
  ),
  widgetElement(
    'tiding-usage-events',
    'usage-events',
    'Usage events: who used which permission on what, newest first.',
  ),
  widgetElement('tiding-secret', 'secret', 'A secret, without its value.'),
  widgetElement(
    'tiding-identity-provider',
    'identity-provider',
    'Identity provider through which users of an organization sign in.',
  ),
];
