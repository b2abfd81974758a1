/** Reads secrets from sources that other users can't see. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { CommandError, EXIT } from './exit.ts';
import type { CommandIo } from './terminal.ts';

/** The message of a command that got no password. */
export const NO_PASSWORD = 'no password was given on standard input';

/**
 * Reads the password: one line of standard input, prompted without echo on a terminal. Returns an
 * empty text if there is none.
 */
export async function readPassword({ stdin, stderr }: CommandIo, prompt: string): Promise<string> {
  const asked = stdin.isTTY === true;
  if (asked) {
    // Turn echo off before prompting, so that an immediate paste is not visible either.
    stdin.setRawMode?.(true);
    stderr.write(prompt);
  }
  const finish = () => {
    if (asked) {
      stdin.setRawMode?.(false);
      stderr.write('\n');
    }
    stdin.pause();
  };
  let text = '';
  try {
    stdin.setEncoding('utf8');
    for await (const chunk of stdin) {
      for (const character of String(chunk)) {
        if (asked && character === '\u0003') throw new CommandError(EXIT.interrupted, '');
        if (character === '\r' || character === '\n' || (asked && character === '\u0004'))
          return text;
        text =
          asked && (character === '\u007f' || character === '\b')
            ? text.slice(0, -1)
            : text + character;
      }
    }
    return text;
  } finally {
    finish();
  }
}

/** Reads a token from a file: its first line. */
export async function readToken({ cwd }: CommandIo, file: string): Promise<string> {
  let text: string;
  try {
    text = await readFile(resolve(cwd, file), 'utf8');
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    throw new CommandError(EXIT.usage, `the token file ${file} cannot be read (${reason})`);
  }
  const token = text.trim().split(/\r?\n/, 1)[0]!.trim();
  if (token === '') throw new CommandError(EXIT.usage, `the token file ${file} is empty`);
  return token;
}
