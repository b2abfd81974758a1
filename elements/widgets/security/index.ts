/** Widgets of users and permissions, and the tags for them. */
import type { ElementSpec } from '../../runtime/define-element.ts';
import { widgetElement } from '../widget-element.ts';

export const securityElements: readonly ElementSpec[] = [
  widgetElement('customer', 'A customer with its organizations.'),
  widgetElement(
    'organization',
    'An organization: its default repository, cluster limits and permissions.',
  ),
  widgetElement('user', 'A user: status, roles and permissions.'),
  widgetElement('role', 'A role: its users and permissions.'),
  widgetElement('permissions', 'Permissions: type, object and principal.'),
  widgetElement('activity-history', 'Changes of an object, newest first.'),
  widgetElement('usage-events', 'Usage events: who used which permission on what, newest first.'),
  widgetElement('secret', 'A secret, without its value.'),
  widgetElement(
    'identity-provider',
    'Identity provider through which users of an organization sign in.',
  ),
];
