/** Starts each child process in a separate process group, which can be ended as a whole. */

import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { lowerPriority } from './process-priority.ts';
import { PROCESS_MARK_VARIABLE, unwatchProcess, watchProcess } from './process-watcher.ts';

/** Maximum number of scans for processes that were being started during the previous scan. */
const MAX_SCANS = 20;
/** Processes inspected concurrently. More would occupy the file system's threads. */
const SCAN_CONCURRENCY = 8;
/** Time that child processes may outlive a leader, in ms, because they may still print. */
const ORPHAN_GRACE_MS = 1_000;

/** How a process ended: an exit code, or the signal that ended it. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A running process that leads a group. */
export interface ProcessGroup {
  readonly child: ChildProcess;
  /** Resolves when the leader has ended. Never rejects. */
  readonly exited: Promise<Exit>;
  /** Sends a signal to every process of the group. Does nothing if the group is gone. */
  signal(name: NodeJS.Signals): void;
  /**
   * Sends SIGTERM, and SIGKILL to all remaining processes after `grace` ms (0: immediately).
   * Resolves when the leader is gone. On systems with `/proc`, this includes processes that left
   * the group, for example for a new session, unless they cleared their environment.
   */
  end(grace: number): Promise<void>;
}

interface GroupOptions {
  readonly cwd: string;
  readonly env: Record<string, string>;
  readonly stdio: StdioOptions;
  /** Encoding of messages, if `stdio` contains 'ipc'. */
  readonly serialization?: 'json' | 'advanced';
  /** Folder for the record that lets the next server end this process; see {@link endLeftovers}. */
  readonly folder: string;
}

/**
 * Starts a program in a new process group. Rejects with the system's error if it cannot be started
 * (`ENOENT`, `EACCES`).
 */
export async function startGroup(
  command: string,
  args: readonly string[],
  options: GroupOptions,
): Promise<ProcessGroup> {
  const mark = randomUUID();
  // The record is written before the process starts, because the server may be killed at any time.
  const removeRecord = remember(options.folder, mark);
  watchProcess(mark);
  const forget = (): void => {
    unwatchProcess(mark);
    removeRecord();
  };
  const child = spawn(command, [...args], {
    cwd: options.cwd,
    env: { ...options.env, [PROCESS_MARK_VARIABLE]: mark },
    stdio: options.stdio,
    ...(options.serialization ? { serialization: options.serialization } : {}),
    detached: true,
  });
  const pid = child.pid ?? 0;
  if (pid) watchProcess(mark, pid);
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
  if (pid) void lowerPriority(pid);
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
    // This is needed after a clean exit too: other processes may have ignored the first signal.
    signal('SIGKILL');
    await exited;
    await endAll(mark);
    isSwept = true;
    forget();
  };
  // A leader that ends by itself ends its child processes too. Until then the record remains for
  // the next server.
  void exited
    .then(() => wait(ORPHAN_GRACE_MS, undefined, { ref: false }))
    .then(() => (isSwept ? undefined : end(0)));
  return { child, exited, signal, end };
}

/** Describes an exit: `exit code 3`, `signal SIGKILL`. */
export function describeExit(exit: Exit): string {
  return exit.signal ? `signal ${exit.signal}` : `exit code ${exit.code ?? 'unknown'}`;
}

const recordFolder = (folder: string): string => join(folder, 'processes');

/** Records that processes with this mark belong to the server. Returns its undo function. */
function remember(folder: string, mark: string): () => void {
  const serverStart = startOf(process.pid);
  if (!serverStart) return () => undefined;
  const file = join(recordFolder(folder), `${mark}.json`);
  try {
    mkdirSync(recordFolder(folder), { recursive: true, mode: 0o700 });
    writeFileSync(file, JSON.stringify({ mark, server: process.pid, serverStart }), {
      mode: 0o600,
    });
  } catch {
    // Without a record, for example because the disk is full, the process runs all the same.
  }
  return () => rmSync(file, { force: true });
}

/**
 * Ends all processes of a server that was killed. They are found by the marks in their environment,
 * even if the leader is gone or processes left its group. Processes of a running server are not
 * affected. Does nothing on systems without `/proc`.
 */
export function endLeftovers(folder: string): void {
  let names: string[];
  try {
    names = readdirSync(recordFolder(folder));
  } catch {
    return;
  }
  const marks = new Set<string>();
  const files: string[] = [];
  for (const name of names) {
    const file = join(recordFolder(folder), name);
    const record = readRecord(file);
    if (record && startOf(record.server) === record.serverStart) continue;
    if (record) marks.add(record.mark);
    files.push(file);
  }
  // A process may start another one during a scan. The next scan finds that one.
  for (let round = 0; marks.size > 0 && round < MAX_SCANS && endMarked(marks); round += 1);
  for (const file of files) rmSync(file, { force: true });
}

/** Ends the processes with one of the marks, and their groups. Returns whether it found any. */
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

/**
 * Ends the processes with a mark. It reads files asynchronously, because there may be thousands of
 * processes to inspect.
 */
async function endAll(mark: string): Promise<void> {
  // A process may start another one during a scan. The next scan finds that one.
  for (let round = 0, found = true; found && round < MAX_SCANS; round += 1) {
    found = false;
    const names = (await readdir('/proc').catch(() => []))
      .filter((name) => Number(name) > 1 && Number(name) !== process.pid)
      .values();
    const scan = async (): Promise<void> => {
      // All scanners share one list. Processes of other accounts have an unreadable environment.
      for (const name of names) {
        if (markIn(await readFile(`/proc/${name}/environ`, 'latin1').catch(() => '')) !== mark)
          continue;
        killWithGroup(Number(name));
        found = true;
      }
    };
    await Promise.all(Array.from({ length: SCAN_CONCURRENCY }, scan));
  }
}

function killWithGroup(pid: number): void {
  const [, , group] = statOf(pid) ?? [];
  for (const target of [-Number(group), pid]) {
    try {
      if (target < -1 || target > 1) process.kill(target, 'SIGKILL');
    } catch {
      // The process has ended in the meantime.
    }
  }
}

/**
 * Returns the mark in the environment of a process; '' if there is none or the environment cannot
 * be read.
 */
function markOf(pid: number): string {
  try {
    return markIn(readFileSync(`/proc/${pid}/environ`, 'latin1'));
  } catch {
    return '';
  }
}

const markIn = (environment: string): string =>
  new RegExp(`\0${PROCESS_MARK_VARIABLE}=([^\0]*)`).exec(`\0${environment}`)?.[1] ?? '';

function readRecord(
  file: string,
): { mark: string; server: number; serverStart: string } | undefined {
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

/**
 * Start time of a process in clock ticks since boot, as text; undefined if there is no such process
 * or no `/proc`.
 */
const startOf = (pid: number): string | undefined => statOf(pid)?.[19];

/**
 * Returns the fields of `/proc/<pid>/stat` after the program's name; undefined if there is no such
 * process or no `/proc`.
 */
function statOf(pid: number): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name in parentheses, which may contain blanks. The third
    // is the state and the 22nd the start time.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}
