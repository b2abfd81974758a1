/** A shell in a pseudo-terminal, which Python's standard library provides. */

import type { InterpreterHost, Run, RunEnd } from './contract.ts';
import { childEnvironment } from './processes/child-environment.ts';
import { followProcess } from './processes/follow-process.ts';
import { startGroup } from './processes/process-group.ts';
import program from './programs/terminal.py?raw';

/** Characters of output that are passed on in one interval; the program waits for the next one. */
const MAX_INTERVAL_OUTPUT = 65_536;
const INTERVAL_MS = 50;
/** Time to wait for a prompt before the text of the paragraph is typed, in ms. */
const PROMPT_MS = 1_000;
/** Typed characters that the program has not read yet; more are dropped. */
const MAX_UNREAD = 1_048_576;

/** Starts bash, or sh if bash is missing. */
const launcher = 'command -v bash >/dev/null 2>&1 && exec bash; exec sh';

/**
 * Runs a shell in a terminal and types the text of the paragraph into it, as soon as it shows a
 * prompt. It runs until the shell ends. If nobody can type, it ends after the text.
 */
export async function runTerminal(
  run: Run,
  signal: AbortSignal,
  { folder, cwd, maxIdleMs }: Pick<InterpreterHost, 'folder' | 'maxIdleMs'> & { cwd: string },
): Promise<RunEnd> {
  if (run.confidential)
    return {
      code: 'ERROR',
      message: 'A terminal shows what is typed into it, also passwords. Use %sh for credentials.',
    };
  const idle = new AbortController();
  const idleTimer = setTimeout(() => idle.abort(), maxIdleMs);
  let prompt: NodeJS.Timeout | undefined;
  let pause: NodeJS.Timeout | undefined;
  try {
    const group = await startGroup('python3', ['-I', '-S', '-c', program, 'sh', '-c', launcher], {
      cwd,
      // Without a history file, nothing that is typed is stored in the account of the server.
      env: childEnvironment({ TERM: 'xterm-256color', HISTFILE: '' }),
      stdio: ['pipe', 'pipe', 'pipe'],
      folder,
    });
    const { stdin, stdout } = group.child;
    // The program may end while text is on its way to it.
    stdin?.on('error', () => undefined);
    const send = (message: string | readonly [number, number]): void => {
      if (stdin && stdin.writableLength < MAX_UNREAD) stdin.write(`${JSON.stringify(message)}\n`);
    };
    run.openTerminal?.({
      type(text) {
        idleTimer.refresh();
        send(text);
      },
      resize: (columns, rows) => send([columns, rows]),
    });
    const text = run.code.trim() === '' ? '' : `${run.code.trimEnd()}\n`;
    let isTyped = false;
    const begin = (): void => {
      if (!isTyped) send(run.openTerminal ? text : `${text}exit\n`);
      isTyped = true;
    };
    prompt = setTimeout(begin, PROMPT_MS);
    let passed = 0;
    const end = await followProcess(group, AbortSignal.any([signal, idle.signal]), (piece) => {
      idleTimer.refresh();
      run.output.terminal?.(piece);
      begin();
      passed += piece.length;
      if (passed < MAX_INTERVAL_OUTPUT || pause) return;
      // No viewer could read more, and a real terminal is not faster.
      stdout?.pause();
      pause = setTimeout(() => {
        passed = 0;
        pause = undefined;
        stdout?.resume();
      }, INTERVAL_MS);
    });
    return idle.signal.aborted && !signal.aborted
      ? {
          code: 'ERROR',
          message: `The terminal was closed after ${maxIdleMs} ms without input and output.`,
        }
      : end;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return {
      code: 'ERROR',
      message:
        'A terminal needs Python 3: python3 is not on the PATH of the server. Install it, or use ' +
        '%sh without a terminal.',
    };
  } finally {
    clearTimeout(idleTimer);
    clearTimeout(prompt);
    clearTimeout(pause);
  }
}
