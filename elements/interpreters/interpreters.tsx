import type { ElementSpec } from '../runtime/define-element.ts';
import { lazyView } from '../runtime/lazy-view.tsx';

/** `<tiding-interpreters>` */
export const interpreters: ElementSpec = {
  tag: 'tiding-interpreters',
  doc: 'The interpreter settings: what they run with, who may use them, and where their dependencies come from. `mayLeave()` asks where changes are not saved.',
  view: lazyView(() => import('./interpreters-view.tsx')),
  properties: {},
  methods: [
    {
      name: 'mayLeave',
      doc: 'Asks the reader where changes are not saved; answers whether to go on. Absent while nothing is shown.',
      returns: 'Promise<boolean>',
    },
  ],
  events: [
    {
      name: 'tiding-home-wanted',
      doc: 'Its reader may not see the page; comes three seconds after it was said.',
    },
  ],
};
