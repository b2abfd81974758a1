import type { ElementSpec } from '../runtime/define-element.ts';
import { homeWanted, lazyView } from '../runtime/lazy-view.ts';

export const connectionsElement: ElementSpec = {
  tag: 'tiding-connections',
  doc:
    'Connections to databases. Users can test them, search their tables and columns, and see ' +
    'first rows; administrators can create them.',
  view: lazyView(() => import('./connections-view.tsx')),
  properties: {
    connection: { kind: 'string', doc: 'Name of the connection whose tables are shown.' },
    insertable: {
      kind: 'boolean',
      doc: 'Shows Insert query, which emits tiding-insert-query, instead of Query in a new note.',
    },
  },
  events: [
    {
      name: 'tiding-insert-query',
      doc:
        'The user wants to use a query; detail {connection, query, text}. The text is that of a ' +
        'paragraph, with the magic of the connection.',
    },
    {
      name: 'tiding-open-note',
      doc: 'A note with a query was created; detail {noteId}. Navigate to the note.',
    },
    homeWanted,
  ],
};
