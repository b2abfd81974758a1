/** Starts the built server as a process, for tests that kill it and for benchmarks. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const bin = join(import.meta.dirname, '../../server/bin/tiding.mjs');
const built = join(import.meta.dirname, '../../server/dist/cli.js');

export interface ServerProcess {
  readonly url: string;
  /** The first line it printed. */
  readonly line: string;
  readonly child: ChildProcess;
  /** Everything on standard error so far. */
  readonly errors: () => string;
  kill(signal: NodeJS.Signals): Promise<number | null>;
}

/** Memory of a process in bytes: what it has now, or the most that it has had. */
export async function memoryOf(pid: number): Promise<{ now: number; peak: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const bytes = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)![1]) * 1_024;
  return { now: bytes('VmRSS'), peak: bytes('VmHWM') };
}

/** Command line of a process, separated by spaces. */
export const commandOf = (pid: string | number): string =>
  readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');

/** Processes whose working directory is in `folder` and whose command contains `text`. */
export function processesIn(folder: string, text = ''): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return (
          readlinkSync(`/proc/${pid}/cwd`).startsWith(folder) &&
          !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8')) &&
          commandOf(pid).includes(text)
        );
      } catch {
        return false;
      }
    })
    .map(Number);
}

/** Runs the command line; resolves when it ends. */
export async function runCli(
  args: readonly string[],
  options: { input?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<{ code: number | null; out: string; err: string }> {
  const child = spawn(process.execPath, [bin, ...args], {
    env: { ...process.env, ...options.env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk: Buffer) => (out += chunk));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk));
  child.stdin.end(options.input ?? '');
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, out, err })));
}

/** Starts a server and waits for its first line. Rejects with its output if it exits instead. */
export async function startProcess(
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<ServerProcess> {
  if (!existsSync(built)) throw new Error('the server is not built: node scripts/build.mjs');
  // As `npm start` and the image do.
  const node = ['--max-semi-space-size=4'];
  const child = spawn(process.execPath, [...node, bin, '--no-open', ...args], {
    env: { ...process.env, TIDING_LOG: 'error', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk));
  const line = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk;
      if (text.includes('\n')) resolve(text.trim());
    });
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${errors}`)));
  });
  const url = /(http:\/\/[^/\s]+)/.exec(line)?.[1] ?? '';
  return {
    url,
    line,
    child,
    errors: () => errors,
    kill: (signal) =>
      new Promise((resolve) => {
        if (child.exitCode !== null || child.signalCode !== null) return resolve(child.exitCode);
        child.once('exit', (code) => resolve(code));
        child.kill(signal);
      }),
  };
}
