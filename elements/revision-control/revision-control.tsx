import type { ElementSpec } from '../runtime/define-element.ts';
import { lazyView } from '../runtime/lazy-view.tsx';

/** `<tiding-revision-control>` */
export const revisionControl: ElementSpec = {
  tag: 'tiding-revision-control',
  doc: 'The remote repository that notes are pushed to: set, synchronised, removed.',
  view: lazyView(() => import('./revision-control-view.tsx')),
  properties: {},
  events: [
    {
      name: 'tiding-home-wanted',
      doc: 'The reader may not see this page, and three seconds have passed.',
    },
  ],
};
