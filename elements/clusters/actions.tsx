import { useEffect, useState, type ReactNode } from 'react';
import type { Client } from 'tiding/client';
import { hasAnyRole } from 'tiding/model';
import { endpoints, type Cluster } from 'tiding/protocol';
import { tell } from '../runtime/define-element.ts';
import { useEvent, useSelect } from '../runtime/hooks.ts';
import { fill, text } from '../text/en.ts';
import { ConfirmDialog } from '../ui/dialogs.tsx';
import { messageOf } from '../ui/page.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { clustersOf } from './cluster-store.ts';

const t = text.clusters;
const TOAST_MS = 6_000;

/** What can be done with a cluster. */
export type ClusterAction = 'use' | 'unset' | 'start' | 'stop';

/** What each asks before, and says where it fails without a word of the server. */
const questions: Readonly<
  Record<
    ClusterAction,
    () => { title: string; words: string; action: string; danger?: boolean; fallback: string }
  >
> = {
  use: () => ({ title: t.use, words: t.confirmUse, action: t.use, fallback: t.serverError }),
  unset: () => ({
    title: t.stopUsing,
    words: t.confirmStopUsing,
    action: t.stopUsing,
    fallback: t.serverError,
  }),
  start: () => ({
    title: t.confirmStart,
    words: t.confirmStartText,
    action: t.start,
    fallback: t.notStarted,
  }),
  stop: () => ({
    title: t.confirmStop,
    words: t.confirmStopText,
    action: t.stop,
    danger: true,
    fallback: t.notStopped,
  }),
};

/** What cards ask for: a question first, then the server, then a message. */
export interface ClusterActions {
  readonly ask: (action: ClusterAction, cluster: Cluster) => void;
  /** A question is open. */
  readonly asking: boolean;
  /** Ids of clusters of which something was asked that is on its way. */
  readonly busy: ReadonlySet<string>;
  /** Whether the user may start and stop what the server owns. */
  readonly manages: boolean;
  /** Says that something failed. */
  readonly fail: (message: string) => void;
  /** Question and messages. */
  readonly view: ReactNode;
}

/** The actions of the cards in an element. */
export function useClusterActions(client: Client, host: HTMLElement): ClusterActions {
  const [asked, setAsked] = useState<{ action: ClusterAction; cluster: Cluster }>();
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set());
  const [show, toasts] = useToasts(TOAST_MS, 'corner');
  useSelect(client, ({ session }) => session.ticket, undefined);
  // In a page of others nobody may have asked yet who the reader is.
  useEffect(() => {
    if (client.state.session.phase === 'unknown') void client.session.ticket().catch(() => {});
  }, [client]);
  const ask = useEvent((action: ClusterAction, cluster: Cluster) => setAsked({ action, cluster }));
  const act = async (action: ClusterAction, cluster: Cluster): Promise<void> => {
    const { name, clusterId } = cluster;
    const store = clustersOf(client);
    setBusy((before) => new Set(before).add(clusterId));
    try {
      if (action === 'use') {
        const currentClusterId = (await client.clusters.use(name)) ?? clusterId;
        store.change((value) => ({ ...value, currentClusterId }));
        show('success', fill(t.set, { name }));
        tell(host, 'tiding-cluster-changed', { clusterId: currentClusterId, name });
      } else if (action === 'unset') {
        await client.clusters.unset();
        store.change((value) => ({ ...value, currentClusterId: null }));
        show('success', t.unset);
        tell(host, 'tiding-cluster-changed', {});
      } else if (action === 'start') {
        store.replace(await client.clusters.start(name));
        show('info', fill(t.starting, { name }));
      } else {
        // The answer comes when it is stopped.
        store.replace({ ...cluster, state: 'Stopping' });
        store.replace(await client.clusters.stop(name, { timeout: 0 }));
        show('info', fill(t.wasStopped, { name }));
      }
    } catch (error) {
      show('danger', messageOf(error, questions[action]().fallback));
      // What was refused had a reason that the list may show.
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
          text={fill(question.words, { name: asked.cluster.name })}
          action={question.action}
          cancel={text.cancel}
          danger={question.danger}
          onClose={(confirmed) => {
            setAsked(undefined);
            if (confirmed) void act(asked.action, asked.cluster);
          }}
        />
      ) : null}
      {toasts}
    </>
  );
  const { access } = endpoints.startCluster;
  const manages = typeof access !== 'string' && hasAnyRole(client.session.roles, access);
  return {
    ask,
    asking: asked !== undefined,
    busy,
    manages,
    fail: useEvent((message: string) => show('danger', message)),
    view,
  };
}

/** Says once, in a message, that what is shown could not be brought up to date. */
export const staleMessage = (error: unknown): string => messageOf(error, t.notLoaded);
