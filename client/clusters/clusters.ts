import type { CallOptions } from '../core/abort.ts';
import type { Cluster, ClusterList } from '../protocol/index.ts';
import { ClientArea } from '../session/client-area.ts';

/**
 * Clusters that run the user's code, and the user's current one. Tiding and Magpie servers only;
 * Apache Zeppelin rejects with `unsupported`.
 */
export class ClustersApi extends ClientArea {
  /**
   * Lists the clusters with state, health, workers and times (ISO 8601 in UTC, or ms since the
   * epoch), and the id of the current one.
   */
  list(options: CallOptions = {}): Promise<ClusterList> {
    return this.context.call('listClusters', options);
  }

  /**
   * Makes a cluster the current one, by name, and returns its id. Rejects with status 404 for an
   * unknown name and 409 if the cluster isn't running.
   */
  async use(name: string, options: CallOptions = {}): Promise<string | undefined> {
    return (
      (await this.context.call('setCluster', { ...options, body: { clusterName: name } }))
        .currentClusterId ?? undefined
    );
  }

  /** Unsets the current cluster. */
  async unset(options: CallOptions = {}): Promise<void> {
    await this.context.call('setCluster', { ...options, body: {} });
  }

  /**
   * Starts a cluster marked `owned` and returns it as it is then; within about a minute it is
   * Running or Failed. For administrators, on Tiding servers only. Rejects with status 409 if it
   * can't be started.
   */
  start(name: string, options: CallOptions = {}): Promise<Cluster> {
    return this.context.call('startCluster', { ...options, params: { clusterName: name } });
  }

  /**
   * Stops a cluster marked `owned` with everything that runs on it, and resolves when it has
   * stopped. For administrators, on Tiding servers only. Rejects with status 409 if it can't be
   * stopped.
   */
  stop(name: string, options: CallOptions = {}): Promise<Cluster> {
    return this.context.call('stopCluster', { ...options, params: { clusterName: name } });
  }
}
