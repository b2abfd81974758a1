/** One server a data folder: a second one would not see what the first has in memory. */
import { open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/** Locks of this process: the id in the file is its own then, and says nothing. */
const held = new Set<string>();

/** Takes the folder. Rejects with a sentence for people where another server has it. Returns what gives it back. */
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
      // Empty: another server is just taking it, or was killed at that.
      const pid = Number((await read()) || (await wait(200), await read()));
      if (held.has(file) || alive(pid))
        throw new Error(
          `The data folder ${folder} is in use by another server (process ${pid}). Stop it, or choose another folder with --data.`,
        );
      // Left behind by a server that was killed.
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
