import type { ElementSpec } from '../runtime/define-element.ts';
import { homeWanted, lazyView } from '../runtime/lazy-view.ts';

export const credentialsElement: ElementSpec = {
  tag: 'tiding-credentials',
  doc:
    "User names and passwords that the user's interpreters need to access data. Users can " +
    'add, edit and remove them.',
  view: lazyView(() => import('./credentials-view.tsx')),
  properties: {},
  events: [homeWanted],
};
