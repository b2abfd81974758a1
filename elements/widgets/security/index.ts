/** Widgets of this family, and the tags that people place for them. */
import type { ElementSpec } from '../../runtime/define-element.ts';
import type { WidgetViews } from '../contract.ts';
import { widgetElement } from '../widget-element.ts';

export const securityWidgets = {
  customer: () => import('./customer.tsx').then(({ customer }) => customer),
  organization: () => import('./organization.tsx').then(({ organization }) => organization),
  user: () => import('./user.tsx').then(({ user }) => user),
  role: () => import('./role.tsx').then(({ role }) => role),
  permissions: () => import('./permissions.tsx').then(({ permissions }) => permissions),
  'activity-history': () =>
    import('./activity-history.tsx').then(({ activityHistory }) => activityHistory),
  'usage-events': () => import('./usage-events.tsx').then(({ usageEvents }) => usageEvents),
  secret: () => import('./secret.tsx').then(({ secret }) => secret),
  'identity-provider': () =>
    import('./identity-provider.tsx').then(({ identityProvider }) => identityProvider),
} satisfies Partial<WidgetViews>;

export const securityElements: readonly ElementSpec[] = [
  widgetElement('tiding-customer', 'customer', 'A customer with its organizations.'),
  widgetElement(
    'tiding-organization',
    'organization',
    'An organization: its default repository, limits of its clusters, and the rights on it.',
  ),
  widgetElement('tiding-user', 'user', 'A user: status, roles and rights.'),
  widgetElement('tiding-role', 'role', 'A role: who has it, and which rights it gives.'),
  widgetElement('tiding-permissions', 'permissions', 'Rights: which, on what, and whose.'),
  widgetElement(
    'tiding-activity-history',
    'activity-history',
    'What was changed on an object, the newest first.',
  ),
  widgetElement(
    'tiding-usage-events',
    'usage-events',
    'Who used which right on what, the newest first.',
  ),
  widgetElement('tiding-secret', 'secret', 'A secret, without its value.'),
  widgetElement(
    'tiding-identity-provider',
    'identity-provider',
    'How people of an organization sign in elsewhere.',
  ),
];
