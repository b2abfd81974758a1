/** Widgets of the data catalogue, and the tags for them. */
import type { ElementSpec } from '../../runtime/define-element.ts';
import { widgetElement } from '../widget-element.ts';

export const catalogueElements: readonly ElementSpec[] = [
  widgetElement(
    'table',
    'A table: its fields with their types, its persistence mapping and its lineage.',
  ),
  widgetElement('schema', 'A schema with its tables by name.'),
  widgetElement(
    'repository',
    'A repository: its three defaults, data sources, projects and schemas.',
  ),
  widgetElement(
    'data-source',
    'A data source: a store, database or folder. Credentials are never shown.',
  ),
  widgetElement('stream', 'A stream: source, state and fields.'),
  widgetElement('sink', 'A sink: source, target and state.'),
];
