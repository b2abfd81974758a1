/** Runs the tools that set up Python. */
import { basename } from 'node:path';
import { onAbort } from '../../base/aborted.ts';
import { KernelProblem } from '../kernels/kernel-problem.ts';
import { installerEnvironment } from '../processes/child-environment.ts';
import { describeExit, startGroup } from '../processes/process-group.ts';

/**
 * Python is unavailable. The message says what to do, optionally followed by lines of a tool's
 * output.
 */
export class PythonProblem extends KernelProblem {
  override readonly name = 'PythonProblem';
}

/** Arguments of Python that install packages. */
export const pipInstall = ['-m', 'pip', 'install', '--progress-bar', 'off'] as const;

/** Returns what the last error in the output of pip says; it describes the cause. */
export const lastPipError = (output: string): string | undefined =>
  output
    .split('\n')
    .findLast((line) => line.startsWith('ERROR: '))
    ?.slice('ERROR: '.length);

interface ToolOptions {
  readonly notes: string;
  readonly signal: AbortSignal;
  readonly env?: Readonly<Record<string, string>>;
  tell?(line: string): void;
}

/**
 * Runs an installer and reports its output. Rejects with {@link PythonProblem}, which has the last
 * lines, or with the signal's reason.
 */
export async function runTool(
  program: string,
  args: readonly string[],
  options: ToolOptions,
): Promise<void> {
  options.signal.throwIfAborted();
  const group = await startGroup(program, args, {
    cwd: options.notes,
    env: installerEnvironment({
      PIP_DISABLE_PIP_VERSION_CHECK: '1',
      PYTHONUNBUFFERED: '1',
      ...options.env,
    }),
    stdio: ['ignore', 'pipe', 'pipe'],
    folder: options.notes,
  });
  const forget = onAbort(options.signal, () => void group.end(0));
  const lines: string[] = [];
  for (const stream of [group.child.stdout, group.child.stderr]) {
    let rest = '';
    stream?.setEncoding('utf8').on('data', (text: string) => {
      const parts = (rest + text).split(/\r?\n|\r/);
      rest = parts.pop() ?? '';
      for (const line of parts.filter((part) => part.trim() !== '')) {
        lines.push(line);
        options.tell?.(line);
      }
    });
  }
  const closed = new Promise<void>((resolve) => group.child.once('close', () => resolve()));
  const exit = await group.exited;
  await closed;
  forget();
  options.signal.throwIfAborted();
  if (exit.code === 0) return;
  const command = `${basename(program)} ${args.slice(0, 3).join(' ')}`;
  throw new PythonProblem(
    `Python could not be set up: ${command} ended with ${describeExit(exit)}.\n` +
      lines.slice(-15).join('\n'),
  );
}
