/** Child processes in a process group of their own, which is ended as a whole. */
import { randomUUID } from 'node:crypto';
import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { MARK, unwatch, watch } from './watcher.ts';

/** How often it is looked for those that were just starting. */
const ROUNDS = 20;
/** Processes that are looked at side by side: the file system's threads are there for others too. */
const LOOKS = 8;
/** What a leader has started outlives it by this at most, in ms; it may have something to print yet. */
const ALONE_MS = 1_000;

/** How a process ended: an exit code, or the signal that ended it. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A running process that leads a group. */
export interface ProcessGroup {
  readonly child: ChildProcess;
  /** Settles when the leader has ended; never rejects. */
  readonly exited: Promise<Exit>;
  /** Sends a signal to every process of the group; a group that is gone is fine. */
  signal(name: NodeJS.Signals): void;
  /**
   * SIGTERM, and SIGKILL to whatever is left after `grace` ms (0: at once). Resolves when the leader is gone and, where `/proc` tells
   * of them, those who have left its group (a session of their own, say) without clearing their environment.
   */
  end(grace: number): Promise<void>;
}

/** What to start. */
export interface GroupOptions {
  readonly cwd: string;
  readonly env: Record<string, string>;
  readonly stdio: StdioOptions;
  /** Folder for the note that lets the next server end this process; see {@link endLeftovers}. */
  readonly folder: string;
}

/** Starts a program in a new process group. Rejects with the system's error when it cannot be started (`ENOENT`, `EACCES`). */
export async function startGroup(
  command: string,
  args: readonly string[],
  options: GroupOptions,
): Promise<ProcessGroup> {
  const mark = randomUUID();
  // Before it is there: a server may be killed at any moment.
  const takeBack = remember(options.folder, mark);
  watch(mark);
  const forget = (): void => {
    unwatch(mark);
    takeBack();
  };
  const child = spawn(command, [...args], {
    cwd: options.cwd,
    env: { ...options.env, [MARK]: mark },
    stdio: options.stdio,
    detached: true,
  });
  const pid = child.pid ?? 0;
  if (pid) watch(mark, pid);
  const exited = new Promise<Exit>((resolve) =>
    child.once('exit', (code, signal) => resolve({ code, signal })),
  );
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (error) => {
      forget();
      reject(error);
    });
  });
  child.on('error', () => undefined);
  const signal = (name: NodeJS.Signals): void => {
    try {
      process.kill(-pid, name);
    } catch {
      // The group is gone.
    }
  };
  let isSwept = false;
  const end = async (grace: number): Promise<void> => {
    if (grace > 0) {
      signal('SIGTERM');
      await Promise.race([exited, wait(grace, undefined, { ref: false })]);
    }
    // Also after a clean exit: others of the group may have ignored the first signal.
    signal('SIGKILL');
    await exited;
    await endAll(mark);
    isSwept = true;
    forget();
  };
  // A leader that ends by itself takes along whom it has started. Until then its note is there, for the next server.
  void exited
    .then(() => wait(ALONE_MS, undefined, { ref: false }))
    .then(() => (isSwept ? undefined : end(0)));
  return { child, exited, signal, end };
}

/** Words for an exit: `exit code 3`, `signal SIGKILL`. */
export function describeExit(exit: Exit): string {
  return exit.signal ? `signal ${exit.signal}` : `exit code ${exit.code ?? 'unknown'}`;
}

const noteFolder = (folder: string): string => join(folder, 'processes');

/** Notes that processes with this mark are the server's; returns how to take the note back. */
function remember(folder: string, mark: string): () => void {
  const serverStart = startOf(process.pid);
  if (!serverStart) return () => undefined;
  const file = join(noteFolder(folder), `${mark}.json`);
  try {
    mkdirSync(noteFolder(folder), { recursive: true, mode: 0o700 });
    writeFileSync(file, JSON.stringify({ mark, server: process.pid, serverStart }), {
      mode: 0o600,
    });
  } catch {
    // A full disk, say: the process runs, it only has no note.
  }
  return () => rmSync(file, { force: true });
}

/**
 * Ends what a server left behind when it was killed: every process that has a mark of its in its environment, also where
 * the first of them is gone or others have left its group. Processes of a server that still runs are not touched. Works
 * where `/proc` exists, elsewhere it does nothing.
 */
export function endLeftovers(folder: string): void {
  let names: string[];
  try {
    names = readdirSync(noteFolder(folder));
  } catch {
    return;
  }
  const marks = new Set<string>();
  const files: string[] = [];
  for (const name of names) {
    const file = join(noteFolder(folder), name);
    const note = readNote(file);
    if (note && startOf(note.server) === note.serverStart) continue;
    if (note) marks.add(note.mark);
    files.push(file);
  }
  // Who is just starting another may do so once more; it is gone by then.
  for (let round = 0; marks.size > 0 && round < ROUNDS && endMarked(marks); round += 1);
  for (const file of files) rmSync(file, { force: true });
}

/** Ends the processes with one of the marks and their groups; says whether there were any. */
function endMarked(marks: ReadonlySet<string>): boolean {
  let found = false;
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    if (!(pid > 1) || pid === process.pid || !marks.has(markOf(pid))) continue;
    killWithGroup(pid);
    found = true;
  }
  return found;
}

/** Ends the processes with a mark, without keeping others waiting: there may be thousands to look at. */
async function endAll(mark: string): Promise<void> {
  // Who is just starting another may do so once more; it is gone by then.
  for (let round = 0, found = true; found && round < ROUNDS; round += 1) {
    found = false;
    const names = (await readdir('/proc').catch(() => []))
      .filter((name) => Number(name) > 1 && Number(name) !== process.pid)
      .values();
    const look = async (): Promise<void> => {
      // All take from the same list. Whose environment is not ours to look at is not ours either.
      for (const name of names) {
        if (markIn(await readFile(`/proc/${name}/environ`, 'latin1').catch(() => '')) !== mark)
          continue;
        killWithGroup(Number(name));
        found = true;
      }
    };
    await Promise.all(Array.from({ length: LOOKS }, look));
  }
}

function killWithGroup(pid: number): void {
  const [, , group] = statOf(pid) ?? [];
  for (const target of [-Number(group), pid]) {
    try {
      if (target < -1 || target > 1) process.kill(target, 'SIGKILL');
    } catch {
      // It ended by itself in between.
    }
  }
}

/** The mark in the environment of a process; '' where there is none, or the process is not ours to look at. */
function markOf(pid: number): string {
  try {
    return markIn(readFileSync(`/proc/${pid}/environ`, 'latin1'));
  } catch {
    return '';
  }
}

const markIn = (environment: string): string =>
  new RegExp(`\0${MARK}=([^\0]*)`).exec(`\0${environment}`)?.[1] ?? '';

function readNote(file: string): { mark: string; server: number; serverStart: string } | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (typeof value !== 'object' || value === null) return undefined;
    const { mark, server, serverStart } = value as Record<string, unknown>;
    if (
      typeof mark !== 'string' ||
      mark === '' ||
      typeof server !== 'number' ||
      typeof serverStart !== 'string'
    )
      return undefined;
    return { mark, server, serverStart };
  } catch {
    return undefined;
  }
}

/** Start time of a process in clock ticks since boot, as text; undefined where there is no such process or no `/proc`. */
const startOf = (pid: number): string | undefined => statOf(pid)?.[19];

/** What the system says of a process, from its state on; undefined where there is no such process or no `/proc`. */
function statOf(pid: number): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name in brackets and may hold blanks; the third is the state, the 22nd the start time.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}
