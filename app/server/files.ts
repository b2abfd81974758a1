/** Files that survive `kill -9`: written beside, flushed, renamed, and the folder flushed too. */
import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Replaces `file` with `text`. Resolves when the text is on the disk; on failure the old file stays. */
export async function writeDurably(
  file: string,
  text: string | Uint8Array,
  mode = 0o600,
): Promise<void> {
  const folder = dirname(file);
  const beside = join(folder, `.${basename(file)}.${randomBytes(4).toString('hex')}.tmp`);
  try {
    const handle = await open(beside, 'w', mode);
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
  await syncFolder(folder);
}

/** Flushes the names in a folder. Windows cannot and need not. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Reads JSON; `undefined` where there is no file. Throws on what is not JSON, with the name of the file. */
export async function readJson(file: string): Promise<unknown> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own message quotes the content.
    throw new Error(`The file ${file} is damaged: it is not JSON.`);
  }
}

/** What tells one state of a file from another; '' where there is none. */
export function stampOf(file: string): string {
  // Asked at every message: this takes microseconds, a turn of the thread pool behind slow flushes would not.
  const found = statSync(file, { throwIfNoEntry: false });
  return found ? `${found.ino} ${found.size} ${found.mtimeMs}` : '';
}

/** A list in a JSON file that other processes write too: it is read again when the file changed. */
export class SharedList<T> {
  readonly #file: string;
  readonly #key: string;
  #items: readonly T[] = [];
  #seen: string | undefined;
  #reading: Promise<void> | undefined;
  #changing: Promise<unknown> = Promise.resolve();

  /** `key` is the list's name in the file. */
  constructor(file: string, key: string) {
    this.#file = file;
    this.#key = key;
  }

  /** The list as it was read last. */
  get items(): readonly T[] {
    return this.#items;
  }

  /** Resolves when the list is as the file was at the call, or later. */
  refresh(): Promise<void> {
    if (!this.#reading && stampOf(this.#file) === this.#seen) return Promise.resolve();
    return (this.#reading ??= this.#read().finally(() => (this.#reading = undefined)));
  }

  async #read(): Promise<void> {
    // It may change while it is read; who came meanwhile waits for that as well.
    for (let now = stampOf(this.#file); now !== this.#seen; now = stampOf(this.#file)) {
      const content = (await readJson(this.#file)) as Record<string, readonly T[]> | undefined;
      this.#items = content?.[this.#key] ?? [];
      this.#seen = now;
    }
  }

  /** Replaces the list by what `change` makes of the newest one, unless that is the same; one change after another. Resolves when it is stored. */
  update(change: (items: readonly T[]) => readonly T[]): Promise<void> {
    const done = this.#changing.then(async () => {
      await this.refresh();
      const items = change(this.#items);
      if (items === this.#items) return;
      await writeDurably(this.#file, `${JSON.stringify({ [this.#key]: items }, null, 2)}\n`);
      this.#items = items;
    });
    this.#changing = done.catch(() => {});
    return done;
  }
}

/** Runs writes of one file one after another, never two at once; a write that waits takes the newest value along. */
export function writer(write: () => Promise<void>): () => Promise<void> {
  let last: Promise<unknown> = Promise.resolve();
  let next: Promise<void> | undefined;
  return () => {
    if (!next) {
      // A write that has begun may be older than the caller's change: all who come during it share the one after it.
      next = last.then(() => {
        next = undefined;
        return write();
      });
      last = next.catch(() => {});
    }
    return next;
  };
}

/** Makes a folder that only the server's account may enter. */
export async function privateFolder(path: string): Promise<string> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  return path;
}
