import type { ElementSpec } from '../runtime/define-element.ts';
import { homeWanted, lazyView } from '../runtime/lazy-view.ts';

export const accessTokensElement: ElementSpec = {
  tag: 'tiding-access-tokens',
  doc:
    'Personal access tokens of the signed-in user. Users can create, describe, disable, ' +
    'enable and delete them.',
  view: lazyView(() => import('./access-tokens-view.tsx')),
  properties: {},
  events: [homeWanted],
};
