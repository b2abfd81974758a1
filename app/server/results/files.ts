/** Files of the server's `files` folder, which interpreters read and write, as downloads. */
import { constants } from 'node:fs';
import { lstat, mkdir, open, realpath, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { Refusal } from '../errors.ts';

const outside = () =>
  new Refusal(403, "Only files of the server's own folder for files can be read.");
const missing = (path: string) => new Refusal(404, `There is no such file: ${path}`);

/**
 * Opens a file below `folder`; `path` starts there, with or without a slash. Refuses with 404 what is not there or is no
 * file, and with 403 what leads out of the folder, by name or by a link.
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
    // A pipe shall not be waited for.
    handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const found = await handle.stat();
    if (!found.isFile()) throw missing(path);
    // A folder on the way may have become a link meanwhile: what is open is what stands there, and that is in the folder.
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

/** Names that a data file may have: no folder, nothing hidden, no quote, one of the kinds that interpreters read. */
const DATA_NAME =
  /^([\p{L}\p{N}][\p{L}\p{N} ._()-]{0,119})\.(csv|tsv|json|ndjson|parquet|arrow)$/iu;
/** So many files of one name are told apart by a number. */
const NAMESAKES = 1_000;

/**
 * Puts a data file into `folder` and answers its name there: never over another, which keeps its name while this one gets a number.
 * Refuses names that are no data file's with 400.
 */
export async function keepFile(
  folder: string,
  name: string,
  bytes: Uint8Array,
): Promise<{ path: string; size: number }> {
  const [, stem, extension] = DATA_NAME.exec(name) ?? [];
  if (stem === undefined || name.includes('..'))
    throw new Refusal(
      400,
      'A data file has a plain name that ends in .csv, .tsv, .json, .ndjson, .parquet or .arrow.',
    );
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (let number = 1; number <= NAMESAKES; number += 1) {
    const path = number === 1 ? name : `${stem}-${number}.${extension}`;
    let handle: FileHandle;
    try {
      handle = await open(join(folder, path), 'wx', 0o600);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue;
      throw error;
    }
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
  throw new Refusal(409, `There are too many files called ${name}.`);
}
