/**
 * Durable file writes that survive `kill -9`: write to a temporary file, flush, rename, then flush
 * the folder.
 */
import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { storageFailure } from '../base/errors.ts';

/**
 * Replaces `file` with `text`, or with its pieces one after another. Resolves when it is on disk;
 * on failure the old file is kept.
 */
export async function writeDurably(
  file: string,
  text: string | Uint8Array | readonly Uint8Array[],
  mode = 0o600,
): Promise<void> {
  const folder = dirname(file);
  const beside = join(folder, `.${basename(file)}.${randomBytes(4).toString('hex')}.tmp`);
  try {
    const handle = await open(beside, 'w', mode);
    try {
      for (const piece of [text].flat()) await handle.writeFile(piece);
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

/** Flushes a folder's entries to disk. Not possible and not needed on Windows. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Reads a text file; returns `undefined` if it does not exist. */
export const readTextFile = (file: string): Promise<string | undefined> =>
  readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return undefined;
  });

/**
 * Reads a JSON file; returns `undefined` if it does not exist. Throws an error that names the file
 * if it is not valid JSON.
 */
export async function readJsonFile(file: string): Promise<unknown> {
  const text = await readTextFile(file);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own message would quote the content.
    throw new Error(`The file ${file} is damaged: it is not JSON.`);
  }
}

/** Returns a stamp that differs between two states of a file; '' if it does not exist. */
export function stampOf(file: string): string {
  // Called for every message. The synchronous call takes microseconds; an asynchronous one could
  // wait in the thread pool behind slow flushes.
  const found = statSync(file, { throwIfNoEntry: false });
  return found ? `${found.ino} ${found.size} ${found.mtimeMs}` : '';
}

/**
 * A list in a JSON file that other processes may write too. It is read again when the file has
 * changed.
 */
export class SharedList<T> {
  readonly #file: string;
  readonly #key: string;
  #items: readonly T[] = [];
  #seen: string | undefined;
  #reading: Promise<void> | undefined;
  #changing: Promise<unknown> = Promise.resolve();

  /** `key` is the property of the JSON object that holds the list. */
  constructor(file: string, key: string) {
    this.#file = file;
    this.#key = key;
  }

  /** The list as last read. */
  get items(): readonly T[] {
    return this.#items;
  }

  /** Resolves when the list is at least as new as the file was at the time of the call. */
  refresh(): Promise<void> {
    if (!this.#reading && stampOf(this.#file) === this.#seen) return Promise.resolve();
    return (this.#reading ??= this.#read().finally(() => (this.#reading = undefined)));
  }

  async #read(): Promise<void> {
    // The file may change while it is read; callers that arrived meanwhile wait for that change
    // too.
    for (let now = stampOf(this.#file); now !== this.#seen; now = stampOf(this.#file)) {
      const content = (await readJsonFile(this.#file)) as Record<string, readonly T[]> | undefined;
      this.#items = content?.[this.#key] ?? [];
      this.#seen = now;
    }
  }

  /**
   * Replaces the list with what `change` returns for the newest list, unless it returns the same
   * list. Changes run one after another. Resolves when the new list is stored.
   */
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

/**
 * Serializes the writes of one file. Calls made during a write share the next one, which writes the
 * newest value.
 */
export function writer(write: () => Promise<void>): () => Promise<void> {
  let last: Promise<unknown> = Promise.resolve();
  let next: Promise<void> | undefined;
  return () => {
    if (!next) {
      // A write in progress may be older than the caller's change, so all calls made during it
      // share the next write.
      next = last.then(() => {
        next = undefined;
        return write();
      });
      last = next.catch(() => {});
    }
    return next;
  };
}

/** JSON in a file that only this server writes. */
export class JsonFile<T> {
  readonly path: string;
  /** Writes the newest content. Calls made during a write share the next one. */
  readonly save: () => Promise<void>;

  /** `content` returns what is to be stored. */
  constructor(path: string, content: () => T) {
    this.path = path;
    this.save = writer(() => writeDurably(path, `${JSON.stringify(content(), null, 2)}\n`));
  }

  /** Returns what is stored; `undefined` without a file. Rejects if the file is damaged. */
  async read(): Promise<T | undefined> {
    return (await readJsonFile(this.path)) as T | undefined;
  }

  /** Writes a change. If that fails, undoes it and rejects with a reason for users. */
  async saveOrUndo(undo: () => void): Promise<void> {
    await this.save().catch((error: unknown) => {
      undo();
      throw storageFailure(error);
    });
  }
}

/**
 * Sets an entry, or removes it without a value. Returns a function that undoes this, unless the
 * entry has changed again.
 */
export function putEntry<T>(entries: Map<string, T>, key: string, next: T | undefined): () => void {
  const before = entries.get(key);
  const put = (value: T | undefined) =>
    void (value === undefined ? entries.delete(key) : entries.set(key, value));
  put(next);
  return () => {
    if (entries.get(key) === next) put(before);
  };
}

/** Creates a folder that only the server's account may enter. */
export async function privateFolder(path: string): Promise<string> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  return path;
}
