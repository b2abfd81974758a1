import type { ElementSpec } from '../runtime/define-element.ts';
import { homeWanted, lazyView } from '../runtime/lazy-view.ts';

export const revisionControlElement: ElementSpec = {
  tag: 'tiding-revision-control',
  doc:
    'The remote git repository that notes are pushed to. Users can configure, synchronise ' +
    'and remove it.',
  view: lazyView(() => import('./revision-control-view.tsx')),
  properties: {},
  events: [homeWanted],
};
