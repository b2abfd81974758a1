import type { ElementSpec } from '../runtime/define-element.ts';
import { lazyView } from '../runtime/lazy-view.ts';

export const home: ElementSpec = {
  tag: 'tiding-home',
  doc: 'The home page: note list, recently opened notes, create and import.',
  view: lazyView(() => import('./home-view.tsx')),
  properties: {},
  events: [
    {
      name: 'tiding-open-note',
      doc:
        'The user selected or created a note; detail {noteId}. Call preventDefault() to stay ' +
        'on the page.',
    },
  ],
};
