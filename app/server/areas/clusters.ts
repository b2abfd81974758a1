/** Named places to compute. */
import type { RestHandlers } from '../context.ts';

/** REST calls. */
export const clustersRest = {
  listClusters: ({ person }, { clusters }) => clusters.list(person.principal),
  setCluster: async ({ person, body }, { clusters }) => ({ currentClusterId: await clusters.choose(person.principal, body.clusterName) }),
} satisfies Partial<RestHandlers>;
