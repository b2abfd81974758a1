/** How the widgets of this family are loaded. */
import type { WidgetViews } from '../contract.ts';

export const securityWidgets = {
  customer: () => import('./customer.tsx').then(({ customer }) => customer),
  organization: () => import('./organization.tsx').then(({ organization }) => organization),
  user: () => import('./user.tsx').then(({ user }) => user),
  role: () => import('./role.tsx').then(({ role }) => role),
  permissions: () =>
    import('./permissions.tsx').then(({ permissionsWidget: permissions }) => permissions),
  'activity-history': () =>
    import('./activity-history.tsx').then(({ activityHistory }) => activityHistory),
  'usage-events': () => import('./usage-events.tsx').then(({ usageEvents }) => usageEvents),
  secret: () => import('./secret.tsx').then(({ secret }) => secret),
  'identity-provider': () =>
    import('./identity-provider.tsx').then(({ identityProvider }) => identityProvider),
} satisfies Partial<WidgetViews>;
