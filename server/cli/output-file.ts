/** The file that a command writes with `--output`. */
import { access, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { writeDurably } from '../storage/files.ts';
import { wrongUsage } from './command.ts';
import { CommandError, EXIT } from './exit.ts';

/** The option `--output` of commands. */
export const outputOption = {
  short: 'o',
  value: 'file',
  help: 'write to this file and replace it; - is standard output',
} as const;

/** Throws if a file can't be written there. Call it before the server is contacted. */
export async function checkOutputFile(cwd: string, file: string, command: string): Promise<void> {
  if (file === '') throw wrongUsage('the file name is empty', command);
  if ((await stat(resolve(cwd, file)).catch(() => undefined))?.isDirectory())
    throw wrongUsage(`${file} is a folder`, command);
  await access(resolve(cwd, dirname(file))).catch(() => {
    throw new CommandError(EXIT.usage, `the folder ${dirname(file)} does not exist`);
  });
}

/** Writes a file completely or not at all. */
export async function writeOutputFile(cwd: string, file: string, text: string): Promise<void> {
  await writeDurably(resolve(cwd, file), text, 0o666).catch((error: Error) => {
    throw new CommandError(EXIT.failed, `${file} cannot be written: ${error.message}`);
  });
}
