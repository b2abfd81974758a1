/** The signal `cluster` of a portal, for elements that show or choose clusters. */
import { useMemo, useSyncExternalStore } from 'react';
import { portal } from './bus.ts';
import type { PortalSignals } from './signals.ts';

/** The cluster of a portal. */
export type PortalCluster = PortalSignals['cluster'];
/** What elements know of a cluster of their server. */
interface KnownCluster {
  readonly clusterId: string;
  readonly name: string;
}

const noPortal = () => () => {};

/** The cluster of a portal; nothing without a portal or signal. */
export function usePortalCluster(name: string | undefined): PortalCluster | undefined {
  const bus = useMemo(() => (name ? portal(name) : undefined), [name]);
  return useSyncExternalStore(bus?.subscribe ?? noPortal, () => bus?.get('cluster'));
}

/** Whether a signal names this cluster. Clusters of different servers may have the same id. */
export const isPortalCluster = (
  signal: PortalCluster | undefined,
  { clusterId, name }: KnownCluster,
): boolean => signal?.id === clusterId && (signal.name === undefined || signal.name === name);

const busOf = (host: HTMLElement) => {
  const { portal: name } = host as { portal?: string };
  return name ? portal(name) : undefined;
};

/** Sends the cluster that the user chose in an element, if the element has a portal. */
export function sendCluster(host: HTMLElement, { clusterId: id, name }: KnownCluster): void {
  busOf(host)?.set('cluster', { id, name }, { by: host });
}

/** Removes the signal if it names a cluster that the user no longer uses. */
export function clearCluster(host: HTMLElement, cluster: KnownCluster): void {
  const bus = busOf(host);
  if (isPortalCluster(bus?.get('cluster'), cluster)) bus?.clear('cluster', { by: host });
}
