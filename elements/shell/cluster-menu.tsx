/** Menu that shows the current cluster and changes it. */

import type { Client } from '@tiding/client';
import { Boxes, Server, Unplug } from 'lucide-react';
import { useState } from 'react';
import { currentCluster, useClusters } from '../clusters/cluster-store.ts';
import { stateTone } from '../clusters/cluster-text.ts';
import { clusterTexts as t } from '../clusters/texts.ts';
import { CodeBoundary, lazyCode } from '../runtime/lazy-code.tsx';
import { fill } from '../text/fill.ts';
import { MenuButton, type MenuEntry } from '../ui/menu/menu-button.tsx';
import type { RequestedAction } from './cluster-question.tsx';

/** Maximum number of clusters in the menu; the clusters page lists all. */
const MAX_CLUSTERS = 10;
const ClusterQuestion = lazyCode(() => import('./cluster-question.tsx'));

interface Props {
  client: Client;
  host: HTMLElement;
  /** Called when the menu or its dialog opens or closes. */
  onOpen: (open: boolean) => void;
}

/**
 * Shows the current cluster and the available ones; renders nothing if there are none. A hidden bar
 * does not load the list.
 */
export function ClusterMenu({ client, host, onOpen }: Props) {
  const { value } = useClusters(client, host.checkVisibility() ? 'passive' : 'silent');
  const [asked, setAsked] = useState<RequestedAction>();
  if (!value || value.clusters.length === 0) return null;
  const current = currentCluster(value);
  // A server of one machine has only its own cluster: that none is chosen says nothing.
  if (!current && value.clusters.length === 1) return null;
  const name = current?.name ?? t.none;
  const entries = (): MenuEntry[] => {
    const usable = value.clusters
      .filter((cluster) => cluster === current || cluster.state === 'Running')
      .slice(0, MAX_CLUSTERS);
    return [
      ...usable.map(
        (cluster): MenuEntry => ({
          label: cluster.name,
          icon: Server,
          data: true,
          checked: cluster === current,
          onSelect: () => cluster === current || setAsked({ action: 'use', cluster }),
        }),
      ),
      ...(usable.length > 0 ? ['rule' as const] : []),
      ...(current
        ? [
            {
              label: t.stopUsing,
              icon: Unplug,
              onSelect: () => setAsked({ action: 'unset', cluster: current }),
            },
          ]
        : []),
      { label: t.allClusters, icon: Boxes, onSelect: () => location.assign('#/clusters') },
    ];
  };
  return (
    <>
      <MenuButton
        className="nav-cluster"
        label={fill(t.currentIs, { name })}
        onOpen={onOpen}
        entries={entries}
      >
        <span className={`dot ${current ? stateTone(current.state) : ''}`} />
        <span className="cluster-data">{name}</span>
      </MenuButton>
      <CodeBoundary fallback={null}>
        {asked ? (
          <ClusterQuestion client={client} host={host} requested={asked} onOpen={onOpen} />
        ) : null}
      </CodeBoundary>
    </>
  );
}
