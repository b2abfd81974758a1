/** How the widgets of this family are loaded. */
import type { WidgetViews } from '../contract.ts';

export const clustersWidgets = {
  cluster: async () => (await import('./cluster.tsx')).clusterWidget,
} satisfies Partial<WidgetViews>;
