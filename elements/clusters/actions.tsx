import type { Client } from '@tiding/client';
import { hasAnyRole } from '@tiding/client/model';
import { type Cluster, endpoints } from '@tiding/client/protocol';
import { type ReactNode, useEffect, useState } from 'react';
import { clearCluster, sendCluster } from '../portal/cluster.ts';
import { emitEvent } from '../runtime/define-element.ts';
import { useEvent, useSelect } from '../runtime/hooks.ts';
import { fill } from '../text/fill.ts';
import { ConfirmDialog } from '../ui/dialogs.tsx';
import { serverMessageOf } from '../ui/page.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { clusterStoreOf } from './cluster-store.ts';
import { clusterTexts } from './texts.ts';

const t = clusterTexts;
const TOAST_MS = 6_000;

export type ClusterAction = 'use' | 'unset' | 'start' | 'stop';

/** The confirmation of each action, and its error text if the server gives none. */
const questions: Readonly<
  Record<
    ClusterAction,
    () => { title: string; message: string; action: string; danger?: boolean; fallback: string }
  >
> = {
  use: () => ({ title: t.use, message: t.confirmUse, action: t.use, fallback: t.serverError }),
  unset: () => ({
    title: t.stopUsing,
    message: t.confirmStopUsing,
    action: t.stopUsing,
    fallback: t.serverError,
  }),
  start: () => ({
    title: t.confirmStart,
    message: t.confirmStartText,
    action: t.start,
    fallback: t.notStarted,
  }),
  stop: () => ({
    title: t.confirmStop,
    message: t.confirmStopText,
    action: t.stop,
    danger: true,
    fallback: t.notStopped,
  }),
};

/** Runs the actions of the cards: asks for confirmation, calls the server, shows a message. */
interface ClusterActions {
  readonly confirm: (action: ClusterAction, cluster: Cluster) => void;
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
  const [asked, setAsked] = useState<{ action: ClusterAction; cluster: Cluster }>();
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set());
  const [show, toasts] = useToasts(TOAST_MS, 'corner');
  useSelect(client, ({ session }) => session.ticket, undefined);
  // On a page of another site, the session may not have been requested yet.
  useEffect(() => {
    if (client.state.session.phase === 'unknown') void client.session.ticket().catch(() => {});
  }, [client]);
  const confirm = useEvent((action: ClusterAction, cluster: Cluster) =>
    setAsked({ action, cluster }),
  );
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
  const question = asked && questions[asked.action]();
  const view = (
    <>
      {asked && question ? (
        <ConfirmDialog
          title={question.title}
          text={fill(question.message, { name: asked.cluster.name })}
          action={question.action}
          danger={question.danger}
          onClose={(confirmed) => {
            setAsked(undefined);
            if (confirmed) void runAction(asked.action, asked.cluster);
          }}
        />
      ) : null}
      {toasts}
    </>
  );
  const { access } = endpoints.startCluster;
  const manages = typeof access !== 'string' && hasAnyRole(client.session.roles, access);
  return {
    confirm,
    isConfirming: asked !== undefined,
    busy,
    manages,
    fail: useEvent((message: string) => show('danger', message)),
    view,
  };
}

/** Message for a failed refresh of the list. */
export const staleMessage = (error: unknown): string => serverMessageOf(error, t.notLoaded);
