import type { ElementSpec, EventSpec } from '../runtime/define-element.ts';
import { lazyView } from '../runtime/lazy-view.ts';

const events: readonly EventSpec[] = [
  {
    name: 'tiding-cluster-changed',
    doc: 'The current cluster was set or unset; detail {clusterId?, name?}, empty if it was unset.',
  },
  {
    name: 'tiding-home-wanted',
    doc: 'The user has no access to the clusters; a message says so. Navigate to the home page.',
  },
];

export const clusters: ElementSpec = {
  tag: 'tiding-clusters',
  doc:
    'Clusters with their state and health. Users can choose the current cluster, and start ' +
    'and stop clusters.',
  view: lazyView(() => import('./clusters-view.tsx')),
  properties: {},
  events,
};

export const clusterCard: ElementSpec = {
  tag: 'tiding-cluster-card',
  doc: 'One cluster with its state and health, and buttons to use, start and stop it.',
  view: lazyView(() => import('./cluster-card-view.tsx')),
  properties: { cluster: { kind: 'string', doc: 'Name or id of the cluster.' } },
  events,
};
