/**
 * Ends all child processes when the server ends, even if it is killed. A small shell process reads
 * from a pipe whose other end only the server holds, so the pipe closes when the server ends.
 *
 * One watcher serves all processes: each line it reads lists everything to kill. No child process
 * inherits the server's end of the pipe, so user code cannot reach it.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import script from '../programs/watcher.sh?raw';
import { childEnvironment } from './child-environment.ts';

/**
 * Environment variable that marks child processes, and their own children, as started by the
 * server.
 */
export const PROCESS_MARK_VARIABLE = 'INTERPRETER_MARK';

/** Leaders of process groups by mark; undefined before the process has started. */
const watched = new Map<string, number | undefined>();
let watcher: ChildProcess | undefined;

/**
 * Registers a mark and the process group of `leader`, which end when this process ends. Does
 * nothing on Windows.
 */
export function watchProcess(mark: string, leader?: number): void {
  watched.set(mark, leader);
  sendWatched();
}

/** Unregisters processes that have ended, because the system may reuse their ids. */
export function unwatchProcess(mark: string): void {
  if (watched.delete(mark)) sendWatched();
}

function sendWatched(): void {
  if (process.platform === 'win32') return;
  // If the watcher was killed, the next change starts a new one.
  watcher ??= startWatcher();
  watcher.stdin?.write(
    `${[...watched]
      .flat()
      .filter((each) => each !== undefined)
      .join(' ')}\n`,
  );
}

function startWatcher(): ChildProcess {
  // It has its own process group, so that a signal to the server's group does not reach it. The
  // working directory `/` keeps no folder busy.
  const child = spawn('sh', ['-c', script, 'sh', PROCESS_MARK_VARIABLE], {
    cwd: '/',
    env: childEnvironment(),
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  const gone = (): void => void (watcher === child && (watcher = undefined));
  child.once('error', gone).once('exit', gone);
  child.stdin?.on('error', gone);
  // The watcher must not keep the server alive.
  child.unref();
  (child.stdin as Socket | null)?.unref();
  return child;
}
