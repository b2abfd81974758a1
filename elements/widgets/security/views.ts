/** How the widgets of this family are loaded. */
import type { WidgetViews } from '../contract.ts';

export const securityWidgets = {
  customer: () => import('./principals.tsx').then(({ customer }) => customer),
  organization: () => import('./principals.tsx').then(({ organization }) => organization),
  user: () => import('./principals.tsx').then(({ user }) => user),
  role: () => import('./principals.tsx').then(({ role }) => role),
  permissions: () =>
    import('./principals.tsx').then(({ permissionsWidget: permissions }) => permissions),
  'activity-history': () => import('./events.tsx').then(({ activityHistory }) => activityHistory),
  'usage-events': () => import('./events.tsx').then(({ usageEvents }) => usageEvents),
  secret: () => import('./principals.tsx').then(({ secret }) => secret),
  'identity-provider': () =>
    import('./principals.tsx').then(({ identityProvider }) => identityProvider),
} satisfies Partial<WidgetViews>;
