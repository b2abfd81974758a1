/** Lets the server answer while the processes of its users are busy. */
import { writeFile } from 'node:fs/promises';
import { getPriority, setPriority } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';

/** How much nicer than the server its child processes are. */
export const NICER_BY = 5;
let nicerBy = NICER_BY;
const MAX_NICENESS = 19;
/** Linux accepts one change of a group of processes each tenth of a second from all programs. */
const ATTEMPTS = 20;
const PAUSE_MS = 110;

/**
 * Sets how much nicer new child processes are. For tests: beside browsers and other tests, nicer
 * processes hardly run on a slow machine.
 */
export function setNicerBy(niceness: number): void {
  nicerBy = niceness;
}

/**
 * Gives a process, and those it starts, less processor time than the server if there is not enough
 * for all. Never rejects: without the right to do so, or on another system, nothing changes.
 */
export async function lowerPriority(pid: number): Promise<void> {
  if (nicerBy === 0) return;
  try {
    const niceness = Math.min(MAX_NICENESS, getPriority() + nicerBy);
    setPriority(pid, niceness);
    await lowerAutogroup(pid, niceness);
  } catch {
    // The process has ended, or the system does not support it.
  }
}

/**
 * Linux may share the processor evenly between sessions, whatever the niceness of their processes.
 * Each process group is a session.
 */
async function lowerAutogroup(pid: number, niceness: number): Promise<void> {
  const file = `/proc/${pid}/autogroup`;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    try {
      return await writeFile(file, String(niceness));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      await wait(PAUSE_MS, undefined, { ref: false });
    }
  }
}
