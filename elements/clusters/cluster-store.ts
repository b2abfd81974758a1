/** The clusters as every element of a page shows them: asked for once, and one's change is seen by all. */
import { useEffect, useSyncExternalStore } from 'react';
import type { Client } from 'tiding/client';
import type { Cluster, ClusterList } from 'tiding/protocol';
import { useSelect } from '../runtime/hooks.ts';

/** While a cluster comes or goes the list is asked for again after this, ms. */
export const POLL_MS = 2_000;
const passing: ReadonlySet<string> = new Set(['Provisioning', 'Bootstrapping', 'Stopping']);

/** What is known. */
export interface ClustersState {
  /** The newest answer; stays while the next one is on its way. */
  readonly value: ClusterList | undefined;
  /** Why the newest try failed. */
  readonly error: unknown;
  readonly loading: boolean;
}

/** The clusters of a client. */
export class ClusterStore {
  state: ClustersState = { value: undefined, error: undefined, loading: true };
  readonly #client: Client;
  readonly #listeners = new Set<() => void>();
  #pending: Promise<void> | undefined;
  /** Answers that were asked for before a change are older than it. */
  #turn = 0;
  #watchers = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(client: Client) {
    this.#client = client;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** Asks for the list; who asks while an answer is on its way gets that one. */
  readonly reload = (): Promise<void> => (this.#pending ??= this.#load());

  async #load(): Promise<void> {
    const mine = (this.#turn += 1);
    this.#set({ ...this.state, loading: true });
    try {
      const value = await this.#client.clusters.list();
      if (mine === this.#turn) this.#set({ value, error: undefined, loading: false });
    } catch (error) {
      if (mine === this.#turn) this.#set({ ...this.state, error, loading: false });
    }
    if (mine === this.#turn) this.#pending = undefined;
    this.#plan();
  }

  /** Puts a change in its place that the server has made. */
  change(change: (value: ClusterList) => ClusterList): void {
    this.#drop();
    const { value } = this.state;
    this.#set({ value: value && change(value), error: undefined, loading: false });
    this.#plan();
  }

  /** Puts a cluster in the place of what is known of it. */
  replace(cluster: Cluster): void {
    this.change((value) => ({
      ...value,
      clusters: value.clusters.map((each) =>
        each.clusterId === cluster.clusterId ? cluster : each,
      ),
    }));
  }

  /** Nobody's clusters are known any more. */
  clear(): void {
    this.#drop();
    this.#set({ value: undefined, error: undefined, loading: true });
  }

  /** Keeps the list fresh while clusters come or go, until the answer is called. */
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

  #set(state: ClustersState): void {
    this.state = state;
    for (const listener of [...this.#listeners]) listener();
  }

  #plan(): void {
    clearTimeout(this.#timer);
    if (this.#watchers > 0 && this.state.value?.clusters.some(({ state }) => passing.has(state)))
      this.#timer = setTimeout(() => void this.reload(), POLL_MS);
  }
}

const stores = new WeakMap<Client, ClusterStore>();

/** The clusters of a client, the same for everybody who asks. */
export function clustersOf(client: Client): ClusterStore {
  let store = stores.get(client);
  if (!store) stores.set(client, (store = new ClusterStore(client)));
  return store;
}

/** The clusters for as long as a view is there. `passive`: shown beside something else; it asks once for who is signed in, and waits for nothing. */
export function useClusters(
  client: Client,
  passive?: 'passive' | 'silent',
): ClustersState & { readonly store: ClusterStore; readonly reload: () => Promise<void> } {
  const store = clustersOf(client);
  const state = useSyncExternalStore(
    store.subscribe,
    () => store.state,
    () => store.state,
  );
  const phase = useSelect(client, ({ session }) => session.phase, 'unknown');
  // Who signs in again has other clusters; the first sign-in is part of the first question.
  const out = phase === 'signed-out';
  const asks = passive === undefined || (passive === 'passive' && phase === 'signed-in');
  useEffect(() => {
    if (out) store.clear();
    if (asks) void store.reload();
  }, [store, out, asks]);
  useEffect(() => (passive === undefined ? store.watch() : undefined), [store, passive]);
  return { ...state, store, reload: store.reload };
}

/** The user's current cluster; `undefined`: none. */
export function currentOf({ clusters, currentClusterId }: ClusterList): Cluster | undefined {
  return clusters.find(({ clusterId }) => clusterId === currentClusterId);
}
