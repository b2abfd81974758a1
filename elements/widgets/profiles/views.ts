/** How the widgets of this family are loaded. */
import type { WidgetViews } from '../contract.ts';

export const profilesWidgets = {
  'data-set-profile': () =>
    import('./data-set-profile.tsx').then(
      ({ dataSetProfileWidget: dataSetProfile }) => dataSetProfile,
    ),
  'schema-profile': async () => (await import('./schema-profile.tsx')).schemaProfile,
  'profile-comparison': async () => (await import('./profile-comparison.tsx')).profileComparison,
  relationships: async () => (await import('./relationships.tsx')).relationships,
  'exported-result': async () => (await import('./exports.tsx')).exportedResult,
  'exported-file': async () => (await import('./exports.tsx')).exportedFile,
} satisfies Partial<WidgetViews>;
