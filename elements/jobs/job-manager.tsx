import type { ElementSpec } from '../runtime/define-element.ts';
import { lazyView } from '../runtime/lazy-view.tsx';

/** `<tiding-job-manager>` */
export const jobManager: ElementSpec = {
  tag: 'tiding-job-manager',
  doc: 'Notes as jobs, live: what runs, how far it is, and what starts and stops it.',
  view: lazyView(() => import('./job-manager-view.tsx')),
  properties: {},
  events: [
    {
      name: 'tiding-open-note',
      doc: 'A note, or a paragraph of one, was chosen; detail {noteId, paragraphId?}. Prevent it to keep the page.',
    },
    { name: 'tiding-home-wanted', doc: 'Who may not see the page is to be taken home.' },
  ],
};
