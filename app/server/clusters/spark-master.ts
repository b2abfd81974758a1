/** A Spark standalone master, as its own page `/json/` tells of it. */
import * as z from 'zod/mini';
import type { Cluster } from 'tiding/protocol';

/** The part of `/json/` that is read; the same from Spark 2 to 4. Memory in MiB. */
const masterPage = z.object({
  /** Where drivers reach it: `spark://host:port`. */
  url: z.optional(z.string()),
  status: z.string(),
  workers: z.array(z.object({ state: z.string(), cores: z.number(), memory: z.number() })),
});
/** What a master says. */
export type MasterPage = z.infer<typeof masterPage>;

const MAX_BYTES = 4 * 2 ** 20;

/** States of a master; one that stands by or recovers takes no work. */
const states: Readonly<Record<string, string>> = {
  ALIVE: 'Running',
  STANDBY: 'Stopped',
  RECOVERING: 'Bootstrapping',
  COMPLETING_RECOVERY: 'Bootstrapping',
};

/** Reads a master's page. Rejects when it does not answer within `limit` ms, redirects, or answers something else. */
export async function readMaster(address: string, limit: number): Promise<MasterPage> {
  const response = await fetch(new URL('json/', address.endsWith('/') ? address : `${address}/`), {
    redirect: 'error',
    headers: { Accept: 'application/json' },
    signal: AbortSignal.timeout(limit),
  });
  if (!response.ok || !response.body) throw new Error(`it answered ${response.status}`);
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of response.body as unknown as AsyncIterable<Uint8Array>) {
    size += piece.length;
    if (size > MAX_BYTES) throw new Error('its answer is too long');
    pieces.push(piece);
  }
  const parsed = masterPage.safeParse(JSON.parse(Buffer.concat(pieces).toString('utf8')));
  if (!parsed.success) throw new Error('its answer is not that of a Spark master');
  return parsed.data;
}

/** Where drivers reach a master; undefined where it tells nothing that can be used. It becomes an argument, so it holds no blanks and quotes. */
export const driverAddress = ({ url = '' }: MasterPage): string | undefined =>
  /^spark:\/\/[\w.,:[\]-]+$/.test(url) ? url : undefined;

/** What of a cluster's entry comes from the master. */
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
  // A dead worker is listed by its master for a while, and then forgotten.
  const workersHealth =
    alive.length === 0 ? 'Unhealthy' : alive.length < workers.length ? 'Degraded' : 'Healthy';
  return {
    state,
    workerCount: alive.length,
    ...(kinds.length > 0 ? { workerType: { name: kinds.join(' / ') } } : {}),
    ...(state === 'Running' ? { health: { driver: 'Healthy', workers: workersHealth } } : {}),
  };
}
