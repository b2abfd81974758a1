/** How the widgets of this family are loaded. */
import type { WidgetViews } from '../contract.ts';

export const profilesWidgets = {
  'data-set-profile': () =>
    import('./data-set-profile.tsx').then(
      ({ dataSetProfileWidget: dataSetProfile }) => dataSetProfile,
    ),
  'schema-profile': () => import('./schema-profile.tsx').then(({ schemaProfile }) => schemaProfile),
  'profile-comparison': () =>
    import('./profile-comparison.tsx').then(({ profileComparison }) => profileComparison),
  relationships: () => import('./relationships.tsx').then(({ relationships }) => relationships),
  'exported-result': () => import('./exports.tsx').then(({ exportedResult }) => exportedResult),
  'exported-file': () => import('./exports.tsx').then(({ exportedFile }) => exportedFile),
} satisfies Partial<WidgetViews>;
