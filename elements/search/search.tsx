import type { ElementSpec } from '../runtime/define-element.ts';
import { homeWanted, lazyView } from '../runtime/lazy-view.ts';

export const search: ElementSpec = {
  tag: 'tiding-search',
  doc:
    'Search results: the notes and paragraphs that contain a term, with the matches ' +
    'highlighted.',
  view: lazyView(() => import('./search-view.tsx')),
  properties: { term: { kind: 'string', doc: 'The search term.' } },
  events: [
    {
      name: 'tiding-open-note',
      doc:
        'The user selected a result; detail {noteId, paragraphId?}. Call preventDefault() to ' +
        'stay on the page.',
    },
    homeWanted,
  ],
};
