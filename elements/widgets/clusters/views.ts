/** How the widgets of this family are loaded. */
import type { WidgetViews } from '../contract.ts';

export const clustersWidgets = {
  cluster: () => import('./cluster.tsx').then(({ clusterWidget: cluster }) => cluster),
} satisfies Partial<WidgetViews>;
