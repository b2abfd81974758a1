/** A file that is replaced as a whole: whoever reads it finds the old or the new content, also after `kill -9`. */
import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Replaces `file` with `text`: written beside, flushed, renamed, the folder flushed too. On failure the old file stays. */
export async function replaceFile(file: string, text: string, mode = 0o666): Promise<void> {
  const beside = join(dirname(file), `.${basename(file)}.${randomBytes(6).toString('hex')}.tmp`);
  try {
    // `wx`: never through a link that somebody laid there.
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

/** Flushes the names in a folder. Windows cannot and need not. */
export async function flushFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
