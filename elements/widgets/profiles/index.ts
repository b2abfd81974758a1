/** Widgets of profiles and exports, and the tags for them. */
import type { ElementSpec } from '../../runtime/define-element.ts';
import { widgetElement, widgetElements } from '../widget-element.ts';
import { comparisonElement } from './comparison-element.ts';

const result = widgetElement(
  'tiding-exported-result',
  'An exported result on the server, to download or send to a map page.',
);

export const profilesElements: readonly ElementSpec[] = [
  ...widgetElements({
    'tiding-profile':
      'Profile of a data set: its fields with search, filters and sorting, each with its ' +
      'values, distribution and time charts.',
    'tiding-schema-profile': 'Profile of a schema: its tables with their row and field counts.',
    'tiding-relationships': 'Relationships between tables, highest score first.',
    'tiding-exported-file': 'An exported data source file, to download.',
  }),
  comparisonElement(),
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
];
