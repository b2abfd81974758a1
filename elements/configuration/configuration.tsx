import type { ElementSpec } from '../runtime/define-element.ts';
import { homeWanted, lazyView } from '../runtime/lazy-view.ts';

export const configuration: ElementSpec = {
  tag: 'tiding-configuration',
  doc: "The server's configuration (read-only) and the settings of its note storages.",
  view: lazyView(() => import('./configuration-view.tsx')),
  properties: {},
  events: [homeWanted],
};
