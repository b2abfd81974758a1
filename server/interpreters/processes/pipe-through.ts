/** Short programs that read a text and print another. */
import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';
import { childEnvironment } from './child-environment.ts';

/** Time limit of a program, in ms. */
const LIMIT_MS = 10_000;
const MAX_OUTPUT_BYTES = 8 * 2 ** 20;

/** Runs a program and returns what it prints. Rejects as `execFile` does. */
export async function pipeThrough(
  program: string,
  args: readonly string[],
  input: string,
  signal?: AbortSignal,
): Promise<string> {
  const running = promisify(execFile)(program, args, {
    env: childEnvironment(),
    cwd: tmpdir(),
    timeout: LIMIT_MS,
    maxBuffer: MAX_OUTPUT_BYTES,
    signal,
  });
  running.child.stdin?.on('error', () => undefined);
  running.child.stdin?.end(input);
  return (await running).stdout;
}
