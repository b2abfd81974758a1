/** Widgets of the data catalogue, and the tags for them. */
import type { ElementSpec } from '../../runtime/define-element.ts';
import { widgetElement } from '../widget-element.ts';

export const catalogueElements: readonly ElementSpec[] = [
  widgetElement(
    'tiding-table',
    'table',
    'A table: its fields with their types, its persistence mapping and its lineage.',
  ),
  widgetElement('tiding-schema', 'schema', 'A schema with its tables by name.'),
  widgetElement(
    'tiding-repository',
    'repository',
    'A repository: its three defaults, data sources, projects and schemas.',
  ),
  widgetElement(
    'tiding-data-source',
    'data-source',
    'A data source: a store, database or folder. Credentials are never shown.',
  ),
  widgetElement('tiding-stream', 'stream', 'A stream: source, state and fields.'),
  widgetElement('tiding-sink', 'sink', 'A sink: source, target and state.'),
];
