/** How the widgets of this family are loaded. */
import type { WidgetViews } from '../contract.ts';

export const catalogueWidgets = {
  table: () => import('./table.tsx').then(({ table }) => table),
  stream: () => import('./streams.tsx').then(({ stream }) => stream),
  sink: () => import('./streams.tsx').then(({ sink }) => sink),
  schema: () => import('./schema.tsx').then(({ schema }) => schema),
  repository: () =>
    import('./repository.tsx').then(({ repositoryWidget: repository }) => repository),
  'data-source': () => import('./data-source.tsx').then(({ dataSource }) => dataSource),
} satisfies Partial<WidgetViews>;
