/**
 * Lock file of the data folder. Only one server may use a folder, because a second one would not
 * see the first one's memory.
 */
import { randomUUID } from 'node:crypto';
import { readFile, readlink, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { readTextFile } from './files.ts';

/** The process that holds a lock. */
interface Holder {
  readonly pid: number;
  /** Start time of the process in clock ticks after boot; undefined where /proc is missing. */
  readonly startTime?: string | undefined;
  /** The boot of the machine, and the namespace in which `pid` is valid. */
  readonly machine: string;
  readonly token: string;
}

/** Times in ms. */
interface LockTimes {
  /** How often the holder renews the time of the file. */
  readonly renewal: number;
  /** How long a file must not be renewed until a holder elsewhere is assumed to have ended. */
  readonly expiry: number;
}

/** How long a server waits for another one that replaces a stale lock, in ms. */
const CLAIM_WAIT_MS = 20;
const TIMES: LockTimes = { renewal: 3_000, expiry: 15_000 };

/**
 * Locks the folder and returns a function that releases it. Rejects with a user-readable message if
 * another server holds the lock. A holder on this machine that has ended is recognised at once; one
 * in another container or on another machine is recognised when it no longer renews the file.
 *
 * @param onLost called if another server has taken the lock, for example because this process was
 * suspended for longer than the expiry. Nothing may be written afterwards.
 */
export async function lockFolder(
  folder: string,
  onLost: () => void = () => {},
  times: LockTimes = TIMES,
): Promise<() => Promise<void>> {
  const file = join(folder, 'server.lock');
  const token = randomUUID();
  const own: Holder = {
    pid: process.pid,
    startTime: await startTimeOf(process.pid),
    machine: await machineId(),
    token,
  };
  const content = JSON.stringify(own);
  while (!(await create(file, content))) {
    const found = await readTextFile(file);
    if (found === undefined) continue;
    if (await isHeld(file, found, own.machine, times))
      throw new Error(
        `The data folder ${folder} is in use by another server (${nameOf(found)}). ` +
          'Stop it, or choose another folder with --data.',
      );
    if (await replaceStale(file, found, content, times)) break;
  }
  let isLost = false;
  const renew = async (): Promise<void> => {
    const found = await readTextFile(file);
    // A slow disk may answer two renewals at once.
    if (isLost) return;
    if (found === content || (found === undefined && (await create(file, content)))) {
      const now = new Date();
      await utimes(file, now, now);
    } else {
      isLost = true;
      clearInterval(timer);
      onLost();
    }
  };
  // A failing disk is reported by whatever writes to it.
  const timer = setInterval(() => void renew().catch(() => {}), times.renewal).unref();
  return async () => {
    clearInterval(timer);
    if ((await readTextFile(file)) === content) await rm(file, { force: true });
  };
}

/** Creates the file; false if it exists. */
async function create(file: string, content: string): Promise<boolean> {
  try {
    await writeFile(file, content, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    // On a full disk it is created, but empty.
    await rm(file, { force: true });
    throw error;
  }
}

/** The holder in a lock file. Earlier versions wrote the process id only. */
function holderOf(content: string): Partial<Holder> {
  try {
    const parsed: unknown = JSON.parse(content);
    return typeof parsed === 'number' ? { pid: parsed } : (parsed as Partial<Holder>);
  } catch {
    // Empty: it is being written, or its writer was killed.
    return {};
  }
}

const nameOf = (content: string): string => {
  const { pid } = holderOf(content);
  return pid === undefined ? 'which is starting' : `process ${pid}`;
};

async function isHeld(
  file: string,
  content: string,
  machine: string,
  times: LockTimes,
): Promise<boolean> {
  const holder = holderOf(content);
  if (holder.pid !== undefined && (holder.machine ?? machine) === machine) {
    if (holder.startTime !== undefined) return (await startTimeOf(holder.pid)) === holder.startTime;
    // A restarted container gives its server the same id again.
    const isOwnId = holder.machine === undefined && holder.pid === process.pid;
    return !isOwnId && isAlive(holder.pid);
  }
  const renewedAt = async () => (await stat(file).catch(() => undefined))?.mtimeMs;
  const before = await renewedAt();
  for (let waited = 0; waited < times.expiry; waited += times.renewal / 4) {
    await wait(times.renewal / 4);
    if ((await renewedAt()) !== before) return (await readTextFile(file)) !== undefined;
  }
  return false;
}

/**
 * Replaces a stale lock; false if another server is doing so. The file always exists, and of
 * several servers that find it stale, only the one that claims it may replace it.
 */
async function replaceStale(
  file: string,
  stale: string,
  content: string,
  times: LockTimes,
): Promise<boolean> {
  const claim = `${file}.claim`;
  if (!(await create(claim, content))) {
    // The server that claimed it may have been killed.
    const claimed = await stat(claim).catch(() => undefined);
    if (claimed && Date.now() - claimed.mtimeMs > times.expiry) await rm(claim, { force: true });
    else await wait(CLAIM_WAIT_MS);
    return false;
  }
  try {
    if ((await readTextFile(file)) !== stale) return false;
    const next = `${file}.next`;
    await writeFile(next, content, { mode: 0o600 });
    await rename(next, file);
    return true;
  } finally {
    await rm(claim, { force: true });
  }
}

/** Id of the boot of this machine and of the namespace of process ids, for example a container. */
async function machineId(): Promise<string> {
  try {
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8');
    return `${boot.trim()} ${await readlink('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}

async function startTimeOf(pid: number): Promise<string | undefined> {
  try {
    const text = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The name of the program, in brackets, may contain spaces and brackets.
    return text.slice(text.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
