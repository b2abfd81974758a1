/** Secrets, from where nobody else can read them. */
import { readFile } from 'node:fs/promises';
import { CommandError, EXIT } from './exit.ts';

/** The password: one line of standard input, asked for without echo where that is a terminal. */
export async function readPassword(prompt: string): Promise<string> {
  const { stdin, stderr } = process;
  const asked = stdin.isTTY === true;
  if (asked) {
    // Silent before it asks: who pastes at once must not see it either.
    stdin.setRawMode(true);
    stderr.write(prompt);
  }
  const finish = () => {
    if (asked) {
      stdin.setRawMode(false);
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
          return checked(text);
        text =
          asked && (character === '\u007f' || character === '\b')
            ? text.slice(0, -1)
            : text + character;
      }
    }
    return checked(text);
  } finally {
    finish();
  }
}

function checked(password: string): string {
  if (password === '')
    throw new CommandError(EXIT.usage, 'no password was given on standard input');
  return password;
}

/** The token in a file: its first line. */
export async function readToken(file: string): Promise<string> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    throw new CommandError(
      EXIT.usage,
      `the token file ${file} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown error'})`,
    );
  }
  const token = text.trim().split(/\r?\n/, 1)[0]!.trim();
  if (token === '') throw new CommandError(EXIT.usage, `the token file ${file} is empty`);
  return token;
}
