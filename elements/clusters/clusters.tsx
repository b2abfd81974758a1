import type { ElementSpec, EventSpec } from '../runtime/define-element.ts';
import { lazyView } from '../runtime/lazy-view.tsx';

const events: readonly EventSpec[] = [
  {
    name: 'tiding-cluster-changed',
    doc: 'The current cluster was set or unset; detail {clusterId?, name?}, empty when there is none any more.',
  },
  { name: 'tiding-home-wanted', doc: 'Who may not see the clusters is to be taken home.' },
];

/** `<tiding-clusters>` */
export const clusters: ElementSpec = {
  tag: 'tiding-clusters',
  doc: 'The places to compute: how they do, which is the current one, and what uses, starts and stops them.',
  view: lazyView(() => import('./clusters-view.tsx')),
  properties: {},
  events,
};

/** `<tiding-cluster-card>` */
export const clusterCard: ElementSpec = {
  tag: 'tiding-cluster-card',
  doc: 'One cluster: how it does, and what uses, starts and stops it.',
  view: lazyView(() => import('./cluster-card-view.tsx')),
  properties: { cluster: { kind: 'string', doc: 'Its name or id.' } },
  events,
};
