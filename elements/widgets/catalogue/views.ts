/** How the widgets of this family are loaded. */
import type { WidgetViews } from '../contract.ts';

export const catalogueWidgets = {
  table: () => import('./objects.tsx').then(({ table }) => table),
  stream: () => import('./streams.tsx').then(({ stream }) => stream),
  sink: () => import('./streams.tsx').then(({ sink }) => sink),
  schema: () => import('./objects.tsx').then(({ schema }) => schema),
  repository: () => import('./objects.tsx').then(({ repositoryWidget: repository }) => repository),
  'data-source': () => import('./objects.tsx').then(({ dataSource }) => dataSource),
} satisfies Partial<WidgetViews>;
