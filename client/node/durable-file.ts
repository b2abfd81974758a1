import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/**
 * Replaces the content of a file atomically and durably: readers find either the old or the new
 * text, even after `kill -9`. Writes a temporary file, flushes it, renames it and flushes the
 * folder. On failure the old file stays.
 */
export async function replaceFile(file: string, text: string, mode = 0o666): Promise<void> {
  const beside = join(dirname(file), `.${basename(file)}.${randomBytes(6).toString('hex')}.tmp`);
  try {
    // `wx` refuses to follow a link that someone planted at this path.
    const handle = await open(beside, 'wx', mode);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(beside, file);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
  await flushFolder(dirname(file));
}

/** Flushes the directory entries of a folder. Not possible and not needed on Windows. */
export async function flushFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
