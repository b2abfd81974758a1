import type { Client } from '@tiding/client';
import { hasAnyRole } from '@tiding/client/model';
import { type Cluster, endpoints } from '@tiding/client/protocol';
import { type ReactNode, useEffect, useState } from 'react';
import { clearCluster, sendCluster } from '../portal/cluster.ts';
import { emitEvent } from '../runtime/define-element.ts';
import { useEvent, useSelect } from '../runtime/hooks.ts';
import { fill } from '../text/fill.ts';
import { useQuestion } from '../ui/dialogs.tsx';
import { serverMessageOf } from '../ui/page.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { clusterStoreOf } from './cluster-store.ts';
import { clusterTexts as t } from './texts.ts';

export type ClusterAction = 'use' | 'unset' | 'start' | 'stop';

/** The confirmation of each action, and its error text if the server gives none. */
const questions: Readonly<
  Record<
    ClusterAction,
    () => { title: string; text: string; action: string; danger?: boolean; fallback: string }
  >
> = {
  use: () => ({ title: t.use, text: t.confirmUse, action: t.use, fallback: t.serverError }),
  unset: () => ({
    title: t.stopUsing,
    text: t.confirmStopUsing,
    action: t.stopUsing,
    fallback: t.serverError,
  }),
  start: () => ({
    title: t.confirmStart,
    text: t.confirmStartText,
    action: t.start,
    fallback: t.notStarted,
  }),
  stop: () => ({
    title: t.confirmStop,
    text: t.confirmStopText,
    action: t.stop,
    danger: true,
    fallback: t.notStopped,
  }),
};

/** Runs the actions of the cards: asks for confirmation, calls the server, shows a message. */
interface ClusterActions {
  readonly confirm: (action: ClusterAction, cluster: Cluster) => Promise<void>;
  readonly isConfirming: boolean;
  /** Ids of the clusters with a pending request. */
  readonly busy: ReadonlySet<string>;
  /** Whether the user may start and stop clusters owned by the server. */
  readonly manages: boolean;
  /** Shows an error message. */
  readonly fail: (message: string) => void;
  /** The confirmation dialog and toasts. */
  readonly view: ReactNode;
}

/** The actions of all cards in an element. */
export function useClusterActions(client: Client, host: HTMLElement): ClusterActions {
  const [ask, question] = useQuestion();
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set());
  const [show, toasts] = useToasts();
  useSelect(client, ({ session }) => session.ticket, undefined);
  // On a page of another site, the session may not have been requested yet.
  useEffect(() => {
    if (client.state.session.phase === 'unknown') void client.session.ticket().catch(() => {});
  }, [client]);
  const confirm = useEvent(async (action: ClusterAction, cluster: Cluster): Promise<void> => {
    const { title, text, danger = false, ...more } = questions[action]();
    const asked = { title, text: fill(text, { name: cluster.name }), action: more.action, danger };
    if (await ask(asked)) await runAction(action, cluster);
  });
  const runAction = async (action: ClusterAction, cluster: Cluster): Promise<void> => {
    const { name, clusterId } = cluster;
    const store = clusterStoreOf(client);
    setBusy((before) => new Set(before).add(clusterId));
    try {
      if (action === 'use') {
        const currentClusterId = (await client.clusters.use(name)) ?? clusterId;
        store.change((value) => ({ ...value, currentClusterId }));
        sendCluster(host, { clusterId: currentClusterId, name });
        show('success', fill(t.set, { name }));
        emitEvent(host, 'tiding-cluster-changed', { clusterId: currentClusterId, name });
      } else if (action === 'unset') {
        await client.clusters.unset();
        store.change((value) => ({ ...value, currentClusterId: null }));
        clearCluster(host, cluster);
        show('success', t.unset);
        emitEvent(host, 'tiding-cluster-changed', {});
      } else if (action === 'start') {
        store.replace(await client.clusters.start(name));
        show('info', fill(t.starting, { name }));
      } else {
        // The server answers only when the cluster has stopped.
        store.replace({ ...cluster, state: 'Stopping' });
        store.replace(await client.clusters.stop(name, { timeout: 0 }));
        show('info', fill(t.wasStopped, { name }));
      }
    } catch (error) {
      show('danger', serverMessageOf(error, questions[action]().fallback));
      // The updated list may show why the action was refused.
      void store.reload();
    }
    setBusy((before) => new Set([...before].filter((id) => id !== clusterId)));
  };
  const { access } = endpoints.startCluster;
  const manages = typeof access !== 'string' && hasAnyRole(client.session.roles, access);
  return {
    confirm,
    isConfirming: question !== null,
    busy,
    manages,
    fail: useEvent((message: string) => show('danger', message)),
    view: (
      <>
        {question}
        {toasts}
      </>
    ),
  };
}

/** Message for a failed refresh of the list. */
export const staleMessage = (error: unknown): string => serverMessageOf(error, t.notLoaded);
