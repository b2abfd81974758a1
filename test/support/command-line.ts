/** The program `tiding` in this process, for tests of what it prints and how it ends. */
import { EventEmitter } from 'node:events';
import { PassThrough, Writable } from 'node:stream';
import { runCommandLine } from '../../server/cli/main.ts';

/** A command that may still be running. */
interface StartedCommand {
  /** What it has printed so far. */
  readonly said: { out: string; err: string };
  readonly ended: Promise<number>;
  /** Sends it a signal. */
  kill(signal: 'SIGINT' | 'SIGTERM'): void;
}

interface CommandOptions {
  readonly input?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** Starts a command without a terminal. */
export function startCommand(
  args: readonly string[],
  options: CommandOptions = {},
): StartedCommand {
  const said = { out: '', err: '' };
  const sink = (name: 'out' | 'err') =>
    new Writable({
      decodeStrings: false,
      write: (text: string, _, done) => {
        said[name] += text;
        done();
      },
    });
  const signals = new EventEmitter();
  const ended = runCommandLine(args, {
    stdout: sink('out'),
    stderr: sink('err'),
    stdin: new PassThrough().end(options.input ?? ''),
    env: { ...process.env, ...options.env },
    cwd: process.cwd(),
    signals,
  });
  return { said, ended, kill: (signal) => void signals.emit(signal) };
}

export async function runCommand(
  args: readonly string[],
  options: CommandOptions = {},
): Promise<{ code: number; out: string; err: string }> {
  const { said, ended } = startCommand(args, options);
  return { code: await ended, ...said };
}
