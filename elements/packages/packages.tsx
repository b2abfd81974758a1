import type { ElementSpec } from '../runtime/define-element.ts';
import { lazyView } from '../ui/lazy-view.tsx';

/** Spec of the `<tiding-packages>` element. */
export const packages: ElementSpec = {
  tag: 'tiding-packages',
  doc:
    'Catalogue of packages: visualizations, spells, interpreters and applications. Users can ' +
    'enable, disable, configure and reorder them.',
  view: lazyView(() => import('./packages-view.tsx')),
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
