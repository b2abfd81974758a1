/** Named places to compute. */
import type { RestHandlers } from '../context.ts';
import { Refusal } from '../errors.ts';

const notYet = (): never => {
  throw new Refusal(501, 'not served yet');
};

/** REST calls. */
export const clustersRest = {
  listClusters: notYet,
  setCluster: notYet,
} satisfies Partial<RestHandlers>;
