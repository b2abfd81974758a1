/** Whether the server is well, for who watches over it: words, and nothing of what it holds. */
import { statfs } from 'node:fs/promises';
import type { ServerContext } from './context.ts';
import type { ServerOptions } from './options.ts';

/** Less free space than this is too little, in bytes. */
const MIN_FREE = 100 * 2 ** 20;

/** Answer of `/healthz`. */
export interface Health {
  /** `degraded`: nothing can be stored, or soon will not; told with status 503. */
  status: 'ok' | 'degraded';
  /** `ok`, or what is wrong. */
  storage: string;
  disk: string;
  /** An interpreter that does not start ends no other; it is told and does not count. */
  interpreters: string;
  notes: string;
}

/** Whether there is room in the data folder: `ok`, or what is wrong. */
export async function diskHealth({ data }: Pick<ServerOptions, 'data'>): Promise<string> {
  const free = await statfs(data).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => -1,
  );
  return free < 0
    ? 'the data folder cannot be read'
    : free < MIN_FREE
      ? 'little space is left'
      : 'ok';
}

/** Looks at the storage, the disk and the interpreters. */
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
