import type { ElementSpec } from '../runtime/define-element.ts';
import { lazyView } from '../runtime/lazy-view.tsx';

/** `<tiding-search>` */
export const search: ElementSpec = {
  tag: 'tiding-search',
  doc: 'The notes and paragraphs that have a term, each with the place where it stands.',
  view: lazyView(() => import('./search-view.tsx')),
  properties: { term: { kind: 'string', doc: 'What is to be found.' } },
  events: [
    {
      name: 'tiding-open-note',
      doc: 'A hit was chosen; detail {noteId, paragraphId?}. Prevent it to keep the page.',
    },
    {
      name: 'tiding-home-wanted',
      doc: 'The reader may not see this page, and three seconds have passed.',
    },
  ],
};
