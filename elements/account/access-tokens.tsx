import type { ElementSpec } from '../runtime/define-element.ts';
import { lazyView } from '../runtime/lazy-view.tsx';

/** `<tiding-access-tokens>` */
export const accessTokens: ElementSpec = {
  tag: 'tiding-access-tokens',
  doc: 'The personal access tokens of whoever is signed in: made and shown once, described, switched off and on, deleted.',
  view: lazyView(() => import('./access-tokens-view.tsx')),
  properties: {},
  events: [
    {
      name: 'tiding-home-wanted',
      doc: 'Its reader may not see it, and has been told so for three seconds.',
    },
  ],
};
