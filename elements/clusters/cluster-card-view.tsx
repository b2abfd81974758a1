import type { Cluster } from '@tiding/client/protocol';
import { isPortalCluster, type PortalCluster, usePortalCluster } from '../portal/cluster.ts';
import { type ClientViewProps, clientView } from '../runtime/client-view.tsx';
import { fill } from '../text/fill.ts';
import { LoadProblem, pageSheet } from '../ui/page.tsx';
import { useClusterActions } from './actions.tsx';
import { Card } from './card.tsx';
import { useClusters } from './cluster-store.ts';
import sheet from './clusters.css';
import { clusterTexts as t } from './texts.ts';

export const sheets = [pageSheet, sheet];

export default clientView(ClusterCard);

function ClusterCard(props: ClientViewProps) {
  const { cluster: name, portal } = props.values as { cluster?: string; portal?: string };
  const signal = usePortalCluster(portal);
  const wanted = name || signal;
  if (!wanted) return <p className="element-note">{portal ? t.noneChosen : t.noCluster}</p>;
  return <One {...props} wanted={wanted} />;
}

/** Finds the cluster of an attribute or of a signal. */
function findCluster(clusters: readonly Cluster[], wanted: string | PortalCluster) {
  if (typeof wanted !== 'string') return clusters.find((each) => isPortalCluster(wanted, each));
  // Ids are unique, but a name may look like another cluster's id.
  return (
    clusters.find(({ clusterId }) => clusterId === wanted) ??
    clusters.find(({ name }) => name === wanted)
  );
}

function One({ client, host, wanted }: ClientViewProps & { wanted: string | PortalCluster }) {
  const loaded = useClusters(client);
  const actions = useClusterActions(client, host);
  const { value } = loaded;
  if (!value) return <LoadProblem host={host} loaded={loaded} fallback={t.notLoaded} />;
  const cluster = findCluster(value.clusters, wanted);
  if (!cluster)
    return (
      <p className="element-note" role="alert">
        {fill(t.unknown, {
          name: typeof wanted === 'string' ? wanted : (wanted.name ?? wanted.id),
        })}
      </p>
    );
  return (
    <>
      <Card
        cluster={cluster}
        current={cluster.clusterId === value.currentClusterId}
        manages={actions.manages}
        busy={actions.busy.has(cluster.clusterId)}
        onAsk={actions.confirm}
      />
      {actions.view}
    </>
  );
}
