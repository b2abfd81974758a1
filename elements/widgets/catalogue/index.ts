/** Widgets of the data catalogue, and the tags for them. */
import { widgetElements } from '../widget-element.ts';

export const catalogueElements = widgetElements({
  'tiding-table': 'A table: its fields with their types, its persistence mapping and its lineage.',
  'tiding-schema': 'A schema with its tables by name.',
  'tiding-repository': 'A repository: its three defaults, data sources, projects and schemas.',
  'tiding-data-source': 'A data source: a store, database or folder. Credentials are never shown.',
  'tiding-stream': 'A stream: source, state and fields.',
  'tiding-sink': 'A sink: source, target and state.',
});
