/** How the widgets of this family are loaded. */
import type { WidgetViews } from '../contract.ts';

export const securityWidgets = {
  customer: async () => (await import('./principals.tsx')).customer,
  organization: async () => (await import('./principals.tsx')).organization,
  user: async () => (await import('./principals.tsx')).user,
  role: async () => (await import('./principals.tsx')).role,
  permissions: async () => (await import('./principals.tsx')).permissionsWidget,
  'activity-history': async () => (await import('./events.tsx')).activityHistory,
  'usage-events': async () => (await import('./events.tsx')).usageEvents,
  secret: async () => (await import('./principals.tsx')).secret,
  'identity-provider': async () => (await import('./principals.tsx')).identityProvider,
} satisfies Partial<WidgetViews>;
