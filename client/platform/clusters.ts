/** Named places to compute, and which of them is the user's current one. */
import type { CallOptions } from '../core/abort.ts';
import type { Context } from '../context.ts';
import type { Cluster, ClusterList } from '../protocol/index.ts';

/** Clusters. On ours and on the fork; upstream has none (`unsupported`). */
export class Clusters {
  readonly #context: Context;

  /** @internal */
  constructor(context: Context) {
    this.#context = context;
  }

  /** The clusters with state, health, workers and times (ISO 8601 UTC or epoch ms), and the id of the current one. */
  list(options: CallOptions = {}): Promise<ClusterList> {
    return this.#context.call('listClusters', options);
  }

  /** Makes a cluster the current one, by name. 404 for an unknown one, 409 for one that does not run. Answers its id. */
  async use(name: string, options: CallOptions = {}): Promise<string | undefined> {
    return (
      (await this.#context.call('setCluster', { ...options, body: { clusterName: name } }))
        .currentClusterId ?? undefined
    );
  }

  /** There is no current cluster any more. */
  async unset(options: CallOptions = {}): Promise<void> {
    await this.#context.call('setCluster', { ...options, body: {} });
  }

  /** Starts a cluster with `owned`, and answers it as it is then: up to a minute later it is Running or Failed. For administrators; ours only. 409 where that cannot be. */
  start(name: string, options: CallOptions = {}): Promise<Cluster> {
    return this.#context.call('startCluster', { ...options, params: { clusterName: name } });
  }

  /** Stops a cluster with `owned` and whatever runs on it; resolves when it is stopped. For administrators; ours only. 409 where that cannot be. */
  stop(name: string, options: CallOptions = {}): Promise<Cluster> {
    return this.#context.call('stopCluster', { ...options, params: { clusterName: name } });
  }
}
