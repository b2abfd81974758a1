import type { Client } from '@tiding/client';
import type { Cluster } from '@tiding/client/protocol';
import { isPortalCluster, type PortalCluster, usePortalCluster } from '../portal/cluster.ts';
import { useHostClient } from '../runtime/client-view.tsx';
import type { ViewProps } from '../runtime/define-element.ts';
import { HostContext } from '../runtime/hooks.ts';
import { commonTexts } from '../text/common.ts';
import { fill } from '../text/fill.ts';
import { LoadProblem, pageSheet } from '../ui/page.tsx';
import { useClusterActions } from './actions.tsx';
import { Card } from './card.tsx';
import { useClusters } from './cluster-store.ts';
import sheet from './clusters.css';
import { clusterTexts } from './texts.ts';

export const sheets = [pageSheet, sheet];

const t = clusterTexts;

export default function ClusterCardView(props: ViewProps) {
  const client = useHostClient(props);
  const { cluster: name, portal } = props.values as { cluster?: string; portal?: string };
  const signal = usePortalCluster(portal);
  const wanted = name || signal;
  if (!client) return <p className="element-note">{commonTexts.noServer}</p>;
  if (!wanted) return <p className="element-note">{portal ? t.noneChosen : t.noCluster}</p>;
  return (
    <HostContext value={props.host}>
      <One client={client} host={props.host} wanted={wanted} />
    </HostContext>
  );
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

interface OneProps {
  client: Client;
  host: HTMLElement;
  wanted: string | PortalCluster;
}

function One({ client, host, wanted }: OneProps) {
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
