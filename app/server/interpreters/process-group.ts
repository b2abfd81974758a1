/** Child processes in a process group of their own, which is ended as a whole. */
import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

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
  /** SIGTERM, and SIGKILL to whatever is left after `grace` ms (0: at once). Resolves when the leader is gone. */
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
export async function startGroup(command: string, args: readonly string[], options: GroupOptions): Promise<ProcessGroup> {
  const child = spawn(command, [...args], { cwd: options.cwd, env: options.env, stdio: options.stdio, detached: true });
  const exited = new Promise<Exit>((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })));
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
  child.on('error', () => undefined);
  const pid = child.pid ?? 0;
  const forget = remember(options.folder, pid);
  const signal = (name: NodeJS.Signals): void => {
    try {
      process.kill(-pid, name);
    } catch {
      // The group is gone.
    }
  };
  const end = async (grace: number): Promise<void> => {
    if (grace > 0) {
      signal('SIGTERM');
      await Promise.race([exited, wait(grace, undefined, { ref: false })]);
    }
    // Also after a clean exit: others of the group may have ignored the first signal.
    signal('SIGKILL');
    await exited;
    forget();
  };
  void exited.then(forget);
  return { child, exited, signal, end };
}

/** Words for an exit: `exit code 3`, `signal SIGKILL`. */
export function describeExit(exit: Exit): string {
  return exit.signal ? `signal ${exit.signal}` : `exit code ${exit.code ?? 'unknown'}`;
}

const noteFolder = (folder: string): string => join(folder, 'processes');

/** Notes a child with the server it belongs to; returns how to take the note back. */
function remember(folder: string, pid: number): () => void {
  const start = startOf(pid);
  const serverStart = startOf(process.pid);
  if (!start || !serverStart) return () => undefined;
  const file = join(noteFolder(folder), `${pid}.json`);
  try {
    mkdirSync(noteFolder(folder), { recursive: true, mode: 0o700 });
    writeFileSync(file, JSON.stringify({ pid, start, server: process.pid, serverStart }), { mode: 0o600 });
  } catch {
    // A full disk, say: the process runs, it only has no note.
  }
  return () => rmSync(file, { force: true });
}

/**
 * Ends groups that a server left behind when it was killed. Processes of a server that still runs are not touched; start
 * times guard against process ids that were given out again. Works where `/proc` exists, elsewhere it does nothing.
 */
export function endLeftovers(folder: string): void {
  let names: string[];
  try {
    names = readdirSync(noteFolder(folder));
  } catch {
    return;
  }
  for (const name of names) {
    const file = join(noteFolder(folder), name);
    const note = readNote(file);
    if (note && startOf(note.server) === note.serverStart) continue;
    if (note && note.pid > 1 && startOf(note.pid) === note.start) {
      try {
        process.kill(-note.pid, 'SIGKILL');
      } catch {
        // It ended by itself in between.
      }
    }
    rmSync(file, { force: true });
  }
}

function readNote(file: string): { pid: number; start: string; server: number; serverStart: string } | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (typeof value !== 'object' || value === null) return undefined;
    const { pid, start, server, serverStart } = value as Record<string, unknown>;
    if (typeof pid !== 'number' || typeof server !== 'number') return undefined;
    if (typeof start !== 'string' || typeof serverStart !== 'string') return undefined;
    return { pid, start, server, serverStart };
  } catch {
    return undefined;
  }
}

/** Start time of a process in clock ticks since boot, as text; undefined where there is no such process or no `/proc`. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name in brackets and may hold blanks; the 22nd is the start time.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}
