/** Cluster list shared by all elements of a page: loaded once, changes are visible everywhere. */

import type { Client } from '@tiding/client';
import type { Cluster, ClusterList } from '@tiding/client/protocol';
import { useEffect } from 'react';
import { useSelect } from '../runtime/hooks.ts';
import { createViewStore, useViewStore } from '../runtime/store.ts';
import type { Loaded } from '../ui/page.tsx';

/** Reload interval while a cluster starts or stops, in ms. */
const CLUSTER_POLL_MS = 2_000;
const passing: ReadonlySet<string> = new Set(['Provisioning', 'Bootstrapping', 'Stopping']);

type ClustersState = Pick<Loaded<ClusterList>, 'value' | 'error' | 'loading'>;

const notLoaded: ClustersState = { value: undefined, error: undefined, loading: true };

/** The cluster list of a client. */
class ClusterStore {
  readonly state = createViewStore(notLoaded);
  readonly #client: Client;
  #pending: Promise<void> | undefined;
  /** Counts changes: an answer requested before a change is outdated. */
  #turn = 0;
  #watchers = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(client: Client) {
    this.#client = client;
  }

  /** Loads the list. Calls made while a request is pending share its answer. */
  readonly reload = (): Promise<void> => (this.#pending ??= this.#load());

  async #load(): Promise<void> {
    const mine = (this.#turn += 1);
    this.state.set({ loading: true });
    try {
      const value = await this.#client.clusters.list();
      if (mine === this.#turn) this.state.set({ value, error: undefined, loading: false });
    } catch (error) {
      if (mine === this.#turn) this.state.set({ error, loading: false });
    }
    if (mine === this.#turn) this.#pending = undefined;
    this.#plan();
  }

  /** Applies a change the server has made. */
  change(change: (value: ClusterList) => ClusterList): void {
    this.#drop();
    const { value } = this.state.get();
    this.state.set({ value: value && change(value), error: undefined, loading: false });
    this.#plan();
  }

  replace(cluster: Cluster): void {
    this.change((value) => ({
      ...value,
      clusters: value.clusters.map((each) =>
        each.clusterId === cluster.clusterId ? cluster : each,
      ),
    }));
  }

  /** Forgets the list after sign-out. */
  clear(): void {
    this.#drop();
    this.state.set(notLoaded);
  }

  /** Reloads the list while clusters start or stop. Returns a function that stops it. */
  watch(): () => void {
    this.#watchers += 1;
    this.#plan();
    return () => {
      this.#watchers -= 1;
      if (this.#watchers === 0) clearTimeout(this.#timer);
    };
  }

  #drop(): void {
    this.#turn += 1;
    this.#pending = undefined;
  }

  #plan(): void {
    clearTimeout(this.#timer);
    const { value } = this.state.get();
    if (this.#watchers > 0 && value?.clusters.some(({ state }) => passing.has(state)))
      this.#timer = setTimeout(() => void this.reload(), CLUSTER_POLL_MS);
  }
}

const stores = new WeakMap<Client, ClusterStore>();

/** Returns the cluster list of a client; every caller gets the same one. */
export function clusterStoreOf(client: Client): ClusterStore {
  let store = stores.get(client);
  if (!store) stores.set(client, (store = new ClusterStore(client)));
  return store;
}

/**
 * The cluster list while a view is mounted. `passive`: for secondary displays; loads once per
 * signed-in user and does not poll.
 */
export function useClusters(
  client: Client,
  passive?: 'passive' | 'silent',
): ClustersState & { readonly store: ClusterStore; readonly reload: () => Promise<void> } {
  const store = clusterStoreOf(client);
  const state = useViewStore(store.state, (now) => now);
  const phase = useSelect(client, ({ session }) => session.phase, 'unknown');
  // Another user has other clusters. The first sign-in is part of the first request.
  const out = phase === 'signed-out';
  const asks = passive === undefined || (passive === 'passive' && phase === 'signed-in');
  useEffect(() => {
    if (out) store.clear();
    if (asks) void store.reload();
  }, [store, out, asks]);
  useEffect(() => {
    return passive === undefined ? store.watch() : undefined;
  }, [store, passive]);
  return { ...state, store, reload: store.reload };
}

/** The user's current cluster, or `undefined`. */
export function currentCluster({ clusters, currentClusterId }: ClusterList): Cluster | undefined {
  return clusters.find(({ clusterId }) => clusterId === currentClusterId);
}
