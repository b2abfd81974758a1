/** Views whose code is loaded when they are first shown or preloaded. */
import type { EventSpec, LazyView } from './define-element.ts';
import { createLazyValue } from './lazy-value.ts';

/** Event of a page that the user may have no access to. */
export const homeWanted: EventSpec = {
  name: 'tiding-home-wanted',
  doc:
    'The user has no access to this page. A notice has been shown for three seconds; now ' +
    'navigate to the home page.',
};

/** Creates a lazy view for an element spec: `view: lazyView(() => import('./jobs.tsx'))`. */
export const lazyView = (load: LazyView['load']): LazyView => createLazyValue(load);
