/**
 * The notes of a data folder, one file each, named by id: `notebook/<id>/note.json`. Names are data and never a path.
 *
 * `save` resolves when the note is on the disk; an edit is acknowledged after that and not before. Where the disk fails,
 * the old file stays and the edits that are not on it are taken back, so memory never claims more than the disk has.
 */
import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '../log.ts';
import { noSuchNote, storageFailure } from '../errors.ts';
import { syncFolder, writeDurably, writer } from '../files.ts';
import { idPattern, readNote, serializeNote, type StoredNote } from './note.ts';

/** An edit that is not on the disk yet. */
interface Edit {
  undo(): void;
  /** Why it was taken back. */
  error?: Error;
}

/** The writes of one note. */
interface Queue {
  write(): Promise<void>;
  readonly edits: Edit[];
}

/** After a failed write the note is stored again this much later, in ms, until it works. */
const RETRY_MS = 2_000;
const REMOVED = '.removed-';

/** See the head of this file. */
export class NoteRepository {
  readonly #folder: string;
  readonly #log: Logger;
  readonly #notes = new Map<string, StoredNote>();
  readonly #queues = new Map<string, Queue>();
  readonly #removing = new Set<string>();
  /** Notes whose last write failed, with what waits to store them again. */
  readonly #failed = new Map<string, ReturnType<typeof setTimeout>>();

  constructor(folder: string, log: Logger) {
    this.#folder = join(folder, 'notebook');
    this.#log = log;
  }

  /** Reads every note that is not known yet. A file that cannot be read is left where it is and reported; the others are served. */
  async load(): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    for (const entry of await readdir(this.#folder, { withFileTypes: true })) {
      const { name: id } = entry;
      if (id.startsWith(REMOVED)) await this.#discard(id);
      if (!entry.isDirectory() || !idPattern.test(id) || this.#notes.has(id) || this.#removing.has(id)) continue;
      try {
        const text = await readFile(join(this.#folder, id, 'note.json'), 'utf8');
        const note = readNote(JSON.parse(text.replace(/^\uFEFF/, '')), id);
        if (!this.#notes.has(id) && !this.#removing.has(id)) this.#notes.set(id, note);
      } catch (error) {
        this.#log.warn({ note: id, error: (error as Error).message }, 'a note that cannot be read is left alone');
      }
    }
  }

  /** Forgets notes that are gone from the disk and reads new ones. */
  async reload(): Promise<void> {
    const known = [...this.#notes.keys()];
    const there = new Set(await readdir(this.#folder));
    for (const id of known) if (!there.has(id)) this.#notes.delete(id);
    await this.load();
  }

  /** All notes, in no order. */
  all(): StoredNote[] {
    return [...this.#notes.values()];
  }

  find(id: string): StoredNote | undefined {
    return this.#notes.get(id);
  }

  /** The note. Refuses with 404 where there is none. */
  get(id: string): StoredNote {
    const note = this.#notes.get(id);
    if (!note) throw noSuchNote(id);
    return note;
  }

  /** Whether the last write of every note worked. */
  get isHealthy(): boolean {
    return this.#failed.size === 0;
  }

  /** Adds a note; resolves when it is stored. */
  async add(note: StoredNote): Promise<StoredNote> {
    const folder = join(this.#folder, note.id);
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      this.#notes.set(note.id, note);
      await this.save(note);
      await syncFolder(this.#folder);
    } catch (error) {
      this.#forget(note.id);
      await rm(folder, { recursive: true, force: true }).catch(() => {});
      throw this.#failure(note.id, error);
    }
    return note;
  }

  /**
   * Stores the note as it is now. Calls during a write share the next one. `undo` takes back what the caller changed:
   * it is called before this rejects, newest change first, also when it was an earlier write that failed.
   */
  async save(note: StoredNote, undo?: () => void): Promise<void> {
    const queue = this.#queue(note.id);
    const edit: Edit | undefined = undo && { undo };
    if (edit) queue.edits.push(edit);
    await queue.write();
    if (edit?.error) throw edit.error;
  }

  #queue(id: string): Queue {
    let queue = this.#queues.get(id);
    if (!queue) {
      const edits: Edit[] = [];
      queue = { edits, write: writer(() => this.#write(id, edits)) };
      this.#queues.set(id, queue);
    }
    return queue;
  }

  async #write(id: string, edits: Edit[]): Promise<void> {
    const note = this.get(id);
    const count = edits.length;
    try {
      await writeDurably(join(this.#folder, id, 'note.json'), serializeNote(note));
    } catch (error) {
      const failure = this.#failure(id, error);
      // Edits that came during the write build on those that failed: they go too.
      for (const edit of edits.splice(0).reverse()) {
        edit.undo();
        edit.error = failure;
      }
      clearTimeout(this.#failed.get(id));
      // What nobody takes back, such as the end of a run, is stored when the disk is well again.
      this.#failed.set(id, setTimeout(() => void this.save(note).catch(() => {}), RETRY_MS).unref());
      throw failure;
    }
    edits.splice(0, count);
    clearTimeout(this.#failed.get(id));
    this.#failed.delete(id);
  }

  #failure(id: string, error: unknown): Error {
    if (!(error as NodeJS.ErrnoException).syscall) return error as Error;
    this.#log.error({ note: id, error: (error as Error).message }, 'a note could not be stored');
    return storageFailure(error);
  }

  /** Removes a note for good. */
  async remove(id: string): Promise<void> {
    const note = this.get(id);
    this.#notes.delete(id);
    this.#removing.add(id);
    try {
      // A write under way ends first: it would be in the way, or put the file back.
      await this.#queues.get(id)?.write().catch(() => {});
      const removed = `${REMOVED}${id}-${randomBytes(4).toString('hex')}`;
      await rename(join(this.#folder, id), join(this.#folder, removed)).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error;
      });
      await syncFolder(this.#folder);
      await this.#discard(removed);
    } catch (error) {
      this.#notes.set(id, note);
      throw this.#failure(id, error);
    } finally {
      this.#removing.delete(id);
    }
    this.#forget(id);
  }

  #forget(id: string): void {
    this.#notes.delete(id);
    this.#queues.delete(id);
    clearTimeout(this.#failed.get(id));
    this.#failed.delete(id);
  }

  /** The name says that the note is gone; whatever is left of it is in nobody's way. */
  async #discard(removed: string): Promise<void> {
    await rm(join(this.#folder, removed), { recursive: true, force: true }).catch((error: Error) => {
      this.#log.warn({ folder: removed, error: error.message }, 'a removed note could not be deleted');
    });
  }

  /** Stops trying to store what could not be stored. */
  close(): void {
    for (const timer of this.#failed.values()) clearTimeout(timer);
  }
}
