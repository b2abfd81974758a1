/** Reads the state of a Spark standalone master from its `/json/` page. */

import type { Cluster } from '@tiding/client/protocol';
import * as z from 'zod/mini';
import { readAtMost } from '../base/bytes.ts';

/** The parts of `/json/` that are used; the same from Spark 2 to 4. Memory in MiB. */
const masterPage = z.object({
  /** Address for drivers: `spark://host:port`. */
  url: z.optional(z.string()),
  status: z.string(),
  workers: z.array(z.object({ state: z.string(), cores: z.number(), memory: z.number() })),
});
/** A report of a master. */
export type MasterPage = z.infer<typeof masterPage>;

const MAX_BYTES = 4 * 2 ** 20;

/** States of a master; one that is on standby or recovering accepts no work. */
const states: Readonly<Record<string, string>> = {
  ALIVE: 'Running',
  STANDBY: 'Stopped',
  RECOVERING: 'Bootstrapping',
  COMPLETING_RECOVERY: 'Bootstrapping',
};

/**
 * Reads a master's page. Rejects if it does not respond within `limit` ms, redirects, or sends
 * something else.
 */
export async function readMaster(address: string, limit: number): Promise<MasterPage> {
  const response = await fetch(new URL('json/', address.endsWith('/') ? address : `${address}/`), {
    redirect: 'error',
    headers: { Accept: 'application/json' },
    signal: AbortSignal.timeout(limit),
  });
  if (!response.ok || !response.body)
    throw new Error(`it responded with status ${response.status}`);
  const tooLong = () => new Error('its response is too long');
  const bytes = await readAtMost(response.body, MAX_BYTES, tooLong);
  const parsed = masterPage.safeParse(JSON.parse(bytes.toString('utf8')));
  if (!parsed.success) throw new Error('its response is not that of a Spark master');
  return parsed.data;
}

/**
 * Returns the master's address for drivers; `undefined` if it reports none that is usable. It
 * becomes a command-line argument, so spaces and quotes are rejected.
 */
export const driverAddress = ({ url = '' }: MasterPage): string | undefined =>
  /^spark:\/\/[\w.,:[\]-]+$/.test(url) ? url : undefined;

/** Returns the part of a cluster's entry that the master reports. */
export function describeMaster({
  status,
  workers,
}: MasterPage): Pick<Cluster, 'state' | 'workerCount' | 'workerType' | 'health'> {
  const state = states[status] ?? 'Provisioning';
  const alive = workers.filter((worker) => worker.state === 'ALIVE');
  const kinds = [
    ...new Set(
      alive.map(({ cores, memory }) => `${cores} cores, ${Math.round(memory / 102.4) / 10} GiB`),
    ),
  ];
  // A master lists a dead worker for a while before forgetting it.
  const workersHealth =
    alive.length === 0 ? 'Unhealthy' : alive.length < workers.length ? 'Degraded' : 'Healthy';
  return {
    state,
    workerCount: alive.length,
    ...(kinds.length > 0 ? { workerType: { name: kinds.join(' / ') } } : {}),
    ...(state === 'Running' ? { health: { driver: 'Healthy', workers: workersHealth } } : {}),
  };
}
