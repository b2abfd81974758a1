import type { ElementSpec } from '../runtime/define-element.ts';
import { homeWanted, lazyView } from '../runtime/lazy-view.ts';

export const jobManager: ElementSpec = {
  tag: 'tiding-job-manager',
  doc: 'Live list of notes as jobs: status, progress, and buttons to start and stop them.',
  view: lazyView(() => import('./job-manager-view.tsx')),
  properties: {},
  events: [
    {
      name: 'tiding-open-note',
      doc:
        'The user selected a note or a paragraph; detail {noteId, paragraphId?}. Call ' +
        'preventDefault() to stay on the page.',
    },
    homeWanted,
  ],
};
