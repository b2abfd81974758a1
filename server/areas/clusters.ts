/** Compute clusters. */
import type { GatewayContext, RestHandlers } from './context.ts';

export const clustersRest = {
  listClusters: ({ person }, { clusters }) => clusters.list(person.principal),
  setCluster: async ({ person: { principal }, body: { clusterName } }, { clusters }) => {
    const before = clusters.usesSpark(principal);
    const currentClusterId = await clusters.choose(principal, clusterName);
    const now = clusters.usesSpark(principal);
    const where = now ? `compute on ${clusterName}` : 'no longer compute on a cluster';
    return {
      currentClusterId,
      ...(before || now
        ? {
            message:
              `Python processes that only you use ${where} from their next start. ` +
              'To apply this to running ones, restart the interpreter.',
          }
        : {}),
    };
  },
  startCluster: ({ params }, { clusters }) => clusters.start(params['clusterName'] ?? ''),
  stopCluster: ({ params }, { clusters }) => clusters.stop(params['clusterName'] ?? ''),
} satisfies Partial<RestHandlers<GatewayContext>>;
