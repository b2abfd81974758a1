import type { ElementSpec } from '../runtime/define-element.ts';
import { homeWanted, lazyView } from '../runtime/lazy-view.ts';

export const packages: ElementSpec = {
  tag: 'tiding-packages',
  doc:
    'Catalogue of packages: visualizations, spells, interpreters and applications. Users can ' +
    'enable, disable, configure and reorder them.',
  view: lazyView(() => import('./packages-view.tsx')),
  properties: {},
  events: [homeWanted],
};
