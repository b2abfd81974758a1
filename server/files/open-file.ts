/** Downloads from and uploads to the server's `files` folder, which interpreters read and write. */
import { constants } from 'node:fs';
import {
  type FileHandle,
  lstat,
  mkdir,
  open,
  readdir,
  realpath,
  rename,
  rm,
} from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { FILE_NAME_LETTERS } from '@tiding/client/model';
import { Refusal } from '../base/errors.ts';
import { checkImage, IMAGE_ENDINGS } from './images.ts';

const outside = () =>
  new Refusal(403, "Only files in the server's folder for data files can be read.");
const missing = (path: string) => new Refusal(404, `There is no file ${path}.`);

/**
 * Opens a file below `folder`. `path` is relative to it, with or without a leading slash. Throws
 * 404 if there is no such file, and 403 if the name or a link leads outside the folder.
 */
export async function openFile(
  folder: string,
  path: string,
): Promise<{ handle: FileHandle; size: number; name: string }> {
  const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.');
  const name = segments.at(-1);
  if (segments.includes('..') || /[\\\p{Cc}]/u.test(path)) throw outside();
  if (name === undefined) throw missing(path);
  let handle: FileHandle | undefined;
  try {
    const file = join(await realpath(folder), ...segments);
    if ((await realpath(file)) !== file) throw outside();
    // Opening a pipe must not block.
    handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const found = await handle.stat();
    if (!found.isFile()) throw missing(path);
    // A parent folder may have become a link meanwhile, so the opened file itself is checked.
    const there = await lstat(file);
    if ((await realpath(file)) !== file || there.ino !== found.ino || there.dev !== found.dev)
      throw outside();
    return { handle, size: found.size, name };
  } catch (error) {
    await handle?.close();
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ENAMETOOLONG' || code === 'ENXIO')
      throw missing(path);
    if (code === 'ELOOP' || code === 'EACCES' || code === 'EPERM') throw outside();
    throw error;
  }
}

/**
 * Valid names of data files: no folders, hidden files or quotes, and a type that interpreters read.
 */
const DATA_NAME = new RegExp(
  `^(?![\\p{M}\\p{P}\\p{Join_Control} ])([${FILE_NAME_LETTERS}]{1,120}?)\\.(\\w+(?:\\.gz)?)$`,
  'u',
);
/** Types of files that the server examines, or turns into Parquet files, before they are read. */
export const TABLE_FILE_TYPES = [
  ...['csv', 'tsv', 'json', 'ndjson', 'jsonl'].flatMap((type) => [type, `${type}.gz`]),
  'parquet',
  ...['xlsx', 'xlsm', 'sqlite', 'sqlite3', 'db'],
];
const DATA_TYPES = [...TABLE_FILE_TYPES, 'arrow', ...IMAGE_ENDINGS];
/** Maximum number of files with the same name. They are numbered. */
const MAX_SAME_NAME = 1_000;

/** Returns the parts of a valid name of a data file. Throws 400 for any other name. */
export function checkDataName(name: string): { stem: string; extension: string } {
  const [, stem, extension] = DATA_NAME.exec(name) ?? [];
  if (
    stem === undefined ||
    extension === undefined ||
    !DATA_TYPES.includes(extension.toLowerCase()) ||
    name.includes('..')
  )
    throw new Refusal(
      400,
      'The name of a data file must have no special characters and end in one of these types: ' +
        `${DATA_TYPES.join(', ')}.`,
    );
  return { stem, extension };
}

/**
 * Creates an empty file in `folder`. It never overwrites: the new file gets a number if the name is
 * taken. Throws 400 if the name is not valid for a data file.
 */
export async function createFile(
  folder: string,
  name: string,
): Promise<{ path: string; handle: FileHandle }> {
  const { stem, extension } = checkDataName(name);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (let number = 1; number <= MAX_SAME_NAME; number += 1) {
    const path = number === 1 ? name : `${stem}-${number}.${extension}`;
    try {
      return { path, handle: await open(join(folder, path), 'wx', 0o600) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
  throw new Refusal(409, `There are too many files named ${name}.`);
}

/**
 * Stores a data file or image in `folder` and returns its name there; see {@link createFile} and
 * {@link checkImage}.
 */
export async function keepFile(
  folder: string,
  name: string,
  bytes: Uint8Array,
): Promise<{ path: string; size: number }> {
  checkImage(name, bytes);
  const { path, handle } = await createFile(folder, name);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } catch (error) {
    await rm(join(folder, path), { force: true });
    throw error;
  } finally {
    await handle.close();
  }
  return { path, size: bytes.length };
}

interface ListedFile {
  /** Path in the folder, with `/`. */
  readonly path: string;
  readonly size: number;
  /** ISO 8601, UTC. */
  readonly modified: string;
}

/** Lists the files below `folder` by path, without links and hidden files. */
export async function listFiles(folder: string): Promise<readonly ListedFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    },
  );
  const listed: ListedFile[] = [];
  for (const entry of entries) {
    const path = relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/');
    if (!entry.isFile() || /(?:^|\/)\./.test(path)) continue;
    // The file may have been removed meanwhile.
    const found = await lstat(join(folder, path)).catch(() => undefined);
    if (found) listed.push({ path, size: found.size, modified: found.mtime.toISOString() });
  }
  return listed.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/**
 * Renames a file below `folder`, or moves it to the folder `into`. Throws as {@link openFile}, 400
 * if the name is not valid for a data file, and 409 if it is taken.
 */
export async function renameFile(
  folder: string,
  path: string,
  name: string,
  into?: string,
): Promise<void> {
  checkDataName(name);
  const { handle } = await openFile(folder, path);
  await handle.close();
  const from = join(await realpath(folder), path);
  const to = join(into === undefined ? dirname(from) : await realpath(into), name);
  if (from === to) return;
  try {
    // A rename would overwrite another file, so the name is taken first.
    await (await open(to, 'wx', 0o600)).close();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new Refusal(409, `There is already a file named ${name}. Choose another name.`);
  }
  await rename(from, to).catch(async (error: unknown) => {
    await rm(to, { force: true });
    throw error;
  });
}

/** Removes a file below `folder`. Throws as {@link openFile}. */
export async function removeFile(folder: string, path: string): Promise<void> {
  const { handle } = await openFile(folder, path);
  await handle.close();
  await rm(join(await realpath(folder), path));
}
