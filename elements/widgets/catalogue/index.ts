/** Widgets of this family, and the tags that people place for them. */
import type { ElementSpec } from '../../runtime/define-element.ts';
import type { WidgetViews } from '../contract.ts';
import { widgetElement } from '../widget-element.ts';

export const catalogueWidgets = {
  table: () => import('./table.tsx').then(({ table }) => table),
  stream: () => import('./streams.tsx').then(({ stream }) => stream),
  sink: () => import('./streams.tsx').then(({ sink }) => sink),
  schema: () => import('./schema.tsx').then(({ schema }) => schema),
  repository: () => import('./repository.tsx').then(({ repository }) => repository),
  'data-source': () => import('./data-source.tsx').then(({ dataSource }) => dataSource),
} satisfies Partial<WidgetViews>;

export const catalogueElements: readonly ElementSpec[] = [
  widgetElement(
    'tiding-table',
    'table',
    'A table of the catalogue: its fields with their types, where its rows are, and its lineage.',
  ),
  widgetElement('tiding-schema', 'schema', 'A schema with its tables by name.'),
  widgetElement(
    'tiding-repository',
    'repository',
    'A repository: its three defaults, and its data sources, projects and schemas.',
  ),
  widgetElement(
    'tiding-data-source',
    'data-source',
    'Where data is: a store, a database, a folder. Never its credentials.',
  ),
  widgetElement(
    'tiding-stream',
    'stream',
    'Rows that go on coming: from where, in which state, with which fields.',
  ),
  widgetElement('tiding-sink', 'sink', 'Where the rows of a stream go, and in which state.'),
];
