import type { ElementSpec } from '../runtime/define-element.ts';
import { homeWanted, lazyView } from '../runtime/lazy-view.ts';

export const interpretersElement: ElementSpec = {
  tag: 'tiding-interpreters',
  doc:
    'Interpreter settings: properties, dependencies, permissions and repositories. ' +
    '`mayLeave()` asks the user about unsaved changes.',
  view: lazyView(() => import('./interpreters-view.tsx')),
  properties: {},
  methods: [
    {
      name: 'mayLeave',
      doc:
        'Asks the user about unsaved changes if there are any; resolves to whether the page may ' +
        'be left.',
      returns: 'Promise<boolean>',
      withoutView: true,
    },
  ],
  events: [homeWanted],
};
