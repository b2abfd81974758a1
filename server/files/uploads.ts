/** Uploads in pieces: the body of one call is limited. They are collected in a hidden file. */
import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { imageTypeOf } from '@tiding/client/model';
import { Refusal } from '../base/errors.ts';
import { checkImage, checkImageSize } from './images.ts';
import { checkDataName, createFile } from './open-file.ts';

const PREFIX = '.upload-';
/** An upload without a new piece for this long is deleted, in ms. */
const ABANDONED_MS = 24 * 3_600_000;

interface UploadPiece {
  readonly bytes: Uint8Array;
  /** Id of the upload. Absent: this is its first piece. */
  readonly upload: string | undefined;
  /** Position of the piece in bytes. */
  readonly at: number | undefined;
}

/**
 * Adds a piece to an upload and returns its id and size so far. Throws 404 for an unknown upload,
 * 409 if a piece before it is missing, and 413 if the file becomes too large.
 */
export async function addPiece(
  folder: string,
  name: string,
  { bytes, upload = randomBytes(16).toString('hex'), at = 0 }: UploadPiece,
  limit: number,
): Promise<{ upload: string; size: number }> {
  checkDataName(name);
  checkImageSize(name, at + bytes.length);
  const isFirst = at === 0;
  if (!/^[0-9a-f]{32}$/.test(upload)) throw unknown();
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (isFirst) await removeAbandoned(folder);
  const handle = await open(join(folder, PREFIX + upload), isFirst ? 'wx' : 'r+', 0o600).catch(
    (error: NodeJS.ErrnoException) => {
      throw error.code === 'ENOENT' || error.code === 'EEXIST' ? unknown() : error;
    },
  );
  try {
    const { size } = await handle.stat();
    // A piece whose answer was lost is sent again.
    if (at > size)
      throw new Refusal(409, `The upload has ${size} bytes, so the next piece begins there.`);
    if (at + bytes.length > limit) {
      await rm(join(folder, PREFIX + upload), { force: true });
      throw new Refusal(413, `A data file may have at most ${limit} bytes.`);
    }
    await handle.write(bytes, 0, bytes.length, at);
    await handle.sync();
    return { upload, size: Math.max(size, at + bytes.length) };
  } finally {
    await handle.close();
  }
}

/**
 * Gives a complete upload its name, with a number if the name is taken, and returns that name.
 * Removes an image that isn't valid, and throws; see {@link checkImage}.
 */
export async function finishUpload(folder: string, name: string, upload: string): Promise<string> {
  if (imageTypeOf(name) !== undefined)
    try {
      checkImage(name, await readFile(join(folder, PREFIX + upload)));
    } catch (error) {
      await rm(join(folder, PREFIX + upload), { force: true });
      throw error;
    }
  const { path, handle } = await createFile(folder, name);
  await handle.close();
  await rename(join(folder, PREFIX + upload), join(folder, path));
  return path;
}

const unknown = () => new Refusal(404, 'There is no such upload: start it again.');

async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(PREFIX)) continue;
    const found = await stat(join(folder, name)).catch(() => undefined);
    if (found && Date.now() - found.mtimeMs > ABANDONED_MS)
      await rm(join(folder, name), { recursive: true, force: true });
  }
}
