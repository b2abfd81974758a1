/**
 * Lock file of the data folder. Only one server may use a folder, because a second one would not
 * see the first one's memory.
 */
import { open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/**
 * Folders locked by this process. For these the lock file contains this process's id and proves
 * nothing.
 */
const held = new Set<string>();

/**
 * Locks the folder and returns a function that releases it. Rejects with a user-readable message if
 * another server holds the lock.
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const file = join(folder, 'server.lock');
  for (let attempt = 0; attempt < 2; attempt += 1) {
    try {
      const handle = await open(file, 'wx', 0o600);
      await handle.writeFile(String(process.pid));
      await handle.close();
      held.add(file);
      return async () => {
        await rm(file, { force: true });
        held.delete(file);
      };
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'EEXIST') throw error;
      const read = () => readFile(file, 'utf8').catch(() => '');
      // An empty file: another server is taking the lock right now, or was killed while doing so.
      const pid = Number((await read()) || (await wait(200), await read()));
      if (held.has(file) || alive(pid))
        throw new Error(
          `The data folder ${folder} is in use by another server (process ${pid}). ` +
            'Stop it, or choose another folder with --data.',
        );
      // Stale lock of a server that was killed.
      await rm(file, { force: true });
    }
  }
  throw new Error(`The data folder ${folder} could not be locked.`);
}

function alive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
