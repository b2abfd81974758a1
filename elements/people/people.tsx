import type { ElementSpec } from '../runtime/define-element.ts';
import { homeWanted, lazyView } from '../runtime/lazy-view.ts';

export const peopleElement: ElementSpec = {
  tag: 'tiding-people',
  doc:
    'Users of the server, for administrators: invite them, change their roles, reset their ' +
    'passwords, end their sessions, disable and remove them.',
  view: lazyView(() => import('./people-view.tsx')),
  properties: {},
  events: [homeWanted],
};
