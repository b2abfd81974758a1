/** How the widgets of this family are loaded. */
import type { WidgetViews } from '../contract.ts';

export const catalogueWidgets = {
  table: async () => (await import('./objects.tsx')).table,
  stream: async () => (await import('./streams.tsx')).stream,
  sink: async () => (await import('./streams.tsx')).sink,
  schema: async () => (await import('./objects.tsx')).schema,
  repository: async () => (await import('./objects.tsx')).repositoryWidget,
  'data-source': async () => (await import('./objects.tsx')).dataSource,
} satisfies Partial<WidgetViews>;
