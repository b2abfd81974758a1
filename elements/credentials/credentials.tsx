import type { ElementSpec } from '../runtime/define-element.ts';
import { lazyView } from '../runtime/lazy-view.tsx';

/** `<tiding-credentials>` */
export const credentials: ElementSpec = {
  tag: 'tiding-credentials',
  doc: "Names and passwords with which the user's interpreters reach data: added, changed and removed.",
  view: lazyView(() => import('./credentials-view.tsx')),
  properties: {},
  events: [
    {
      name: 'tiding-home-wanted',
      doc: 'Its reader may not see it, and has been told so for three seconds.',
    },
  ],
};
