/** Which database files an administrator may name. */
import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { delimiter, dirname, isAbsolute, join, sep } from 'node:path';

/** Environment variable with the folders whose files may be databases. */
export const FOLDERS = 'TIDING_DATABASE_FOLDERS';

/** A file that can't be opened. The message is for users. */
export class FilePathProblem extends Error {
  readonly advice: string;

  constructor(message: string, advice: string) {
    super(message);
    this.advice = advice;
  }
}

/**
 * Returns the real path of a file in a permitted folder. Rejects with a {@link FilePathProblem} for
 * others, and for files in the data folder of a server, which has the notes and secrets of all.
 */
export async function permittedFile(path: string): Promise<string> {
  const folders = (process.env[FOLDERS] ?? '').split(delimiter).filter(isAbsolute);
  if (folders.length === 0)
    throw new FilePathProblem(
      'This server opens no database files.',
      `Start it with ${FOLDERS}, the folders whose files may be opened.`,
    );
  const real = await realpath(path).catch((error: NodeJS.ErrnoException) => error);
  const roots = await Promise.all(folders.map((folder) => realpath(folder).catch(() => undefined)));
  const isBelow = (file: string, folder: string | undefined): boolean =>
    folder !== undefined && file.startsWith(folder.endsWith(sep) ? folder : folder + sep);
  // The answer must not tell which other files exist.
  const place = typeof real === 'string' ? real : await nearest(path);
  if (!roots.some((root) => isBelow(place + (typeof real === 'string' ? '' : sep), root)))
    throw new FilePathProblem(
      `${path} is not in a folder whose files may be opened.`,
      `Move it there, or add its folder to ${FOLDERS} of the server.`,
    );
  if (typeof real !== 'string') {
    const reason = real.code === 'ENOENT' ? 'there is no such file' : real.message;
    throw new FilePathProblem(
      `The file ${path} can't be opened: ${reason}.`,
      'Correct the path of the connection, on the page Interpreters.',
    );
  }
  for (let folder = dirname(real); ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'server.lock')))
      throw new FilePathProblem(
        `${path} is in the data folder of a server.`,
        'Copy the database to another folder.',
      );
    if (folder === dirname(folder)) return real;
  }
}

/** Returns the real path of the nearest folder that exists. */
async function nearest(path: string): Promise<string> {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const real = await realpath(folder).catch(() => undefined);
    if (real !== undefined) return real;
    if (folder === dirname(folder)) return folder;
  }
}
