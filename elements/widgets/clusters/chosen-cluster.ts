/** Requests the description of the cluster that a portal names. */
import { type Client, TidingError } from '@tiding/client';
import { clusterTexts } from '../../clusters/texts.ts';
import { isPortalCluster, type PortalCluster } from '../../portal/cluster.ts';
import { fill } from '../../text/fill.ts';

/**
 * Descriptions are requested by name, and another server may have a cluster of the same name.
 * Therefore the cluster is looked up in the list of the server first. Fails if it is missing there.
 */
export async function describeCluster(
  client: Client,
  wanted: PortalCluster,
  signal: AbortSignal,
): Promise<unknown> {
  const { clusters } = await client.clusters.list({ signal });
  const found = clusters.find((each) => isPortalCluster(wanted, each));
  if (found) return client.objects.get('cluster', found.name, { signal });
  throw new TidingError('server', fill(clusterTexts.unknown, { name: wanted.name ?? wanted.id }));
}
