/** Health of the server for monitoring: status words only, no data. */
import { statfs } from 'node:fs/promises';
import type { ServerContext } from '../areas/context.ts';
import type { ServerOptions } from '../base/options.ts';

/** Free disk space below this is reported as too little, in bytes; on a small disk, a tenth. */
const MIN_FREE = 100 * 2 ** 20;

/** Response of `/healthz`. */
export interface Health {
  /** `degraded` (status 503): nothing can be stored, or soon nothing will be. */
  status: 'ok' | 'degraded';
  /** `ok`, or the problem. */
  storage: string;
  disk: string;
  /**
   * Reported only: an interpreter that fails to start does not affect the others, so it does not
   * degrade the server.
   */
  interpreters: string;
  notes: string;
}

/** Checks the free space of the data folder; returns `ok` or the problem. */
export async function diskHealth({ data }: Pick<ServerOptions, 'data'>): Promise<string> {
  const disk = await statfs(data).catch(() => undefined);
  if (!disk) return 'the data folder cannot be read';
  const { bavail, blocks, bsize } = disk;
  return bavail * bsize < Math.min(MIN_FREE, (blocks * bsize) / 10) ? 'little space is left' : 'ok';
}

/** Checks the storage, the disk and the interpreters. */
export async function healthOf({ notes, pool, options }: ServerContext): Promise<Health> {
  const storage = notes.isHealthy ? 'ok' : 'a note could not be stored';
  const disk = await diskHealth(options);
  return {
    status: storage === 'ok' && disk === 'ok' ? 'ok' : 'degraded',
    storage,
    disk,
    interpreters: pool.health() === 'Healthy' ? 'ok' : 'an interpreter is not ready',
    notes: notes.broken.size === 0 ? 'ok' : `${notes.broken.size} cannot be read`,
  };
}
