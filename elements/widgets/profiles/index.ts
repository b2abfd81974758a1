/** Widgets of this family, and the tags that people place for them. */
import type { ElementSpec } from '../../runtime/define-element.ts';
import type { WidgetViews } from '../contract.ts';
import { widgetElement } from '../widget-element.ts';
import { comparisonElement } from './comparison-element.ts';

export const profilesWidgets = {
  'data-set-profile': () =>
    import('./data-set-profile.tsx').then(({ dataSetProfile }) => dataSetProfile),
  'schema-profile': () => import('./schema-profile.tsx').then(({ schemaProfile }) => schemaProfile),
  'profile-comparison': () =>
    import('./profile-comparison.tsx').then(({ profileComparison }) => profileComparison),
  relationships: () => import('./relationships.tsx').then(({ relationships }) => relationships),
  'exported-result': () => import('./exports.tsx').then(({ exportedResult }) => exportedResult),
  'exported-file': () => import('./exports.tsx').then(({ exportedFile }) => exportedFile),
} satisfies Partial<WidgetViews>;

const result = widgetElement(
  'tiding-exported-result',
  'exported-result',
  'A result that a server keeps: saved as a file, or sent to a map page.',
);

export const profilesElements: readonly ElementSpec[] = [
  widgetElement(
    'tiding-profile',
    'data-set-profile',
    'The profile of a data set: its fields to search, filter and order, each with its values, distribution and times.',
  ),
  widgetElement(
    'tiding-schema-profile',
    'schema-profile',
    'The profile of a schema: its tables with their rows and fields.',
  ),
  comparisonElement(),
  widgetElement(
    'tiding-relationships',
    'relationships',
    'Relationships between tables, the surest first.',
  ),
  {
    ...result,
    properties: {
      ...result.properties,
      mapUrl: {
        kind: 'string',
        doc: 'Address of the map page, for Send to Map: it is opened with the address of the result, encoded, in its fragment.',
      },
    },
  },
  widgetElement(
    'tiding-exported-file',
    'exported-file',
    'A file of an exported data source, to be saved.',
  ),
];
