import type { ElementSpec } from '../runtime/define-element.ts';
import { lazyView } from '../ui/lazy-view.tsx';

/** Spec of the `<tiding-credentials>` element. */
export const credentialsElement: ElementSpec = {
  tag: 'tiding-credentials',
  doc:
    "User names and passwords that the user's interpreters need to access data. Users can " +
    'add, edit and remove them.',
  view: lazyView(() => import('./credentials-view.tsx')),
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
