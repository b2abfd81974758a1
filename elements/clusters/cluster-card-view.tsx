import type { Client } from '@tiding/client';
import { useHostClient } from '../runtime/client-view.tsx';
import type { ViewProps } from '../runtime/define-element.ts';
import { HostContext } from '../runtime/hooks.ts';
import { commonTexts } from '../text/common.ts';
import { fill } from '../text/fill.ts';
import { clusterTexts } from '../text/pages/clusters.ts';
import { LoadProblem, pageSheet } from '../ui/page.tsx';
import { useClusterActions } from './actions.tsx';
import { Card } from './card.tsx';
import { useClusters } from './cluster-store.ts';
import sheet from './clusters.css';

export const sheets = [pageSheet, sheet];

const t = clusterTexts;

export default function ClusterCardView(props: ViewProps) {
  const client = useHostClient(props);
  const name = props.values['cluster'] as string | undefined;
  if (!client) return <p className="element-note">{commonTexts.noServer}</p>;
  if (!name) return <p className="element-note">{t.noCluster}</p>;
  return (
    <HostContext value={props.host}>
      <One client={client} host={props.host} name={name} />
    </HostContext>
  );
}

function One({ client, host, name }: { client: Client; host: HTMLElement; name: string }) {
  const loaded = useClusters(client);
  const actions = useClusterActions(client, host);
  const { value } = loaded;
  if (!value) return <LoadProblem host={host} loaded={loaded} fallback={t.notLoaded} />;
  // Ids are unique, but a name may look like another cluster's id.
  const cluster =
    value.clusters.find(({ clusterId }) => clusterId === name) ??
    value.clusters.find((each) => each.name === name);
  if (!cluster)
    return (
      <p className="element-note" role="alert">
        {fill(t.unknown, { name })}
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
