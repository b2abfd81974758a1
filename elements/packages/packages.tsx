import type { ElementSpec } from '../runtime/define-element.ts';
import { lazyView } from '../runtime/lazy-view.tsx';

/** `<tiding-packages>` */
export const packages: ElementSpec = {
  tag: 'tiding-packages',
  doc: 'The catalogue of packages: visualizations, spells, interpreters and applications, turned on and off, set and put in order.',
  view: lazyView(() => import('./packages-view.tsx')),
  properties: {},
  events: [
    {
      name: 'tiding-home-wanted',
      doc: 'The reader may not see this page, and three seconds have passed.',
    },
  ],
};
