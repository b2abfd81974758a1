import type { ElementSpec } from '../runtime/define-element.ts';
import { lazyView } from '../ui/lazy-view.tsx';

/** Spec of the `<tiding-revision-control>` element. */
export const revisionControlElement: ElementSpec = {
  tag: 'tiding-revision-control',
  doc:
    'The remote git repository that notes are pushed to. Users can configure, synchronise ' +
    'and remove it.',
  view: lazyView(() => import('./revision-control-view.tsx')),
  properties: {},
  events: [
    {
      name: 'tiding-home-wanted',
      doc:
        'The user has no access to this page. A notice has been shown for three seconds; now ' +
        'navigate to the home page.',
    },
  ],
};
