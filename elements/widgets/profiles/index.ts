/** Widgets of profiles and exports, and the tags for them. */
import type { ElementSpec } from '../../runtime/define-element.ts';
import { widgetElement } from '../widget-element.ts';
import { comparisonElement } from './comparison-element.ts';

const result = widgetElement(
  'tiding-exported-result',
  'exported-result',
  'An exported result on the server, to download or send to a map page.',
);

export const profilesElements: readonly ElementSpec[] = [
  widgetElement(
    'tiding-profile',
    'data-set-profile',
    'Profile of a data set: its fields with search, filters and sorting, each with its ' +
      'values, distribution and time charts.',
  ),
  widgetElement(
    'tiding-schema-profile',
    'schema-profile',
    'Profile of a schema: its tables with their row and field counts.',
  ),
  comparisonElement(),
  widgetElement(
    'tiding-relationships',
    'relationships',
    'Relationships between tables, highest score first.',
  ),
  {
    ...result,
    properties: {
      ...result.properties,
      mapUrl: {
        kind: 'string',
        doc:
          'URL of the map page for Send to Map. The page is opened with the encoded download ' +
          'address of the result in the fragment.',
      },
    },
  },
  widgetElement(
    'tiding-exported-file',
    'exported-file',
    'An exported data source file, to download.',
  ),
];
