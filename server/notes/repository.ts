/**
 * The notes of a data folder, each in a file named by its id: `notebook/<id>/note.json`. Note
 * names are data and never used as file paths.
 *
 * `save` resolves when the note is on disk; edits are acknowledged only then. If a write fails,
 * the old file is kept and the unsaved edits are reverted, so memory never claims more than the
 * disk has.
 */
import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isRunning } from '@tiding/client/model';
import { brokenNote, noSuchNote, shuttingDown, storageFailure } from '../base/errors.ts';
import { parseJsonBytes } from '../base/json.ts';
import { fileParts } from '../hub/output-parts.ts';
import type { Logger } from '../logging/log.ts';
import { stampOf, syncFolder, writeDurably, writer } from '../storage/files.ts';
import { applyFileChange, type SetText } from './apply-file-change.ts';
import { idPattern, isRunCopy, noteInFile, readNote, type StoredNote } from './note.ts';

/** An edit that is not on disk yet. */
interface Edit {
  undo(): void;
  /** Why it was reverted. */
  error?: Error;
}

/** The pending writes of one note. */
interface Queue {
  write(): Promise<void>;
  readonly edits: Edit[];
  /** Number of pending saves. */
  waiting: number;
  /** Settles with the last requested save. */
  last: Promise<void>;
}

/** Result of a reload, by id. */
export interface Reloaded {
  readonly added: string[];
  readonly changed: string[];
  readonly removed: string[];
}

/** After a failed write the note is stored again at this interval, in ms, until it succeeds. */
const RETRY_MS = 2_000;
const REMOVED = '.removed-';
/** Temporary file of an interrupted {@link writeDurably}. */
const UNFINISHED = /^\.note\.json\.[0-9a-f]+\.tmp$/;
/** Number of files read concurrently. */
const READERS = 16;

/** Loads and stores notes. */
export class NoteRepository {
  readonly #folder: string;
  readonly #log: Logger;
  readonly #notes = new Map<string, StoredNote>();
  readonly #queues = new Map<string, Queue>();
  readonly #removing = new Set<string>();
  /** Stamp of the file state that is in memory, by note, to detect external changes. */
  readonly #stamps = new Map<string, string>();
  /** Files that can't be read, by note id, with the reason. They are not modified. */
  readonly broken = new Map<string, string>();
  /** Called with the duration of each successful write, in s. */
  onStored: (seconds: number) => void = () => {};
  /** Notes whose folders contain no leftovers of interrupted writes. */
  readonly #swept = new Set<string>();
  /** Called with every note that was read, before anybody can access it. */
  onRead: (note: StoredNote) => void = () => {};
  /** Called with the id of every note that was added, stored, reloaded or removed. */
  onChange: (id: string) => void = () => {};
  /** Notes whose last write failed, with their retry timers. */
  readonly #failed = new Map<string, ReturnType<typeof setTimeout>>();
  #closed = false;

  constructor(folder: string, log: Logger) {
    this.#folder = join(folder, 'notebook');
    this.#log = log;
  }

  /** Reads all notes that are not loaded yet. Unreadable files are left in place and reported. */
  async load(): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const entries = (await readdir(this.#folder, { withFileTypes: true })).values();
    const readOn = async (): Promise<void> => {
      // All readers take from the same list.
      for (const entry of entries) await this.#take(entry.name, entry.isDirectory());
    };
    await Promise.all(Array.from({ length: READERS }, readOn));
  }

  /** Loads a folder entry if it is a note that is not loaded yet. */
  async #take(id: string, isFolder: boolean): Promise<void> {
    if (id.startsWith(REMOVED)) await this.#discard(id);
    if (!isFolder || !idPattern.test(id) || this.#notes.has(id) || this.#removing.has(id)) return;
    const read = await this.#read(id);
    if (!read || this.#notes.has(id) || this.#removing.has(id)) return;
    this.broken.delete(id);
    this.#notes.set(id, read.note);
    this.#stamps.set(id, read.stamp);
    this.onChange(id);
  }

  /**
   * Reads a note and its file's stamp; logs an error and returns `undefined` if it can't be read.
   */
  async #read(id: string): Promise<{ note: StoredNote; stamp: string } | undefined> {
    try {
      // Take the stamp first: a change during reading then counts as a later change.
      const stamp = this.#stamp(id);
      const bytes = await readFile(join(this.#folder, id, 'note.json'));
      const note = readNote(await parseJsonBytes(bytes), id, true);
      this.onRead(note);
      return { note, stamp };
    } catch (error) {
      if (!this.#notes.has(id) && !this.#removing.has(id))
        this.broken.set(id, (error as Error).message);
      this.#log.warn(
        { note: id, error: (error as Error).message },
        'a note cannot be read and is skipped',
      );
      return undefined;
    }
  }

  /** Stamp of a note's file; '' if it does not exist. */
  #stamp(id: string): string {
    return stampOf(join(this.#folder, id, 'note.json'));
  }

  /**
   * Returns whether memory has changes that the disk lacks or will soon have; memory then takes
   * precedence.
   */
  #isAhead(id: string): boolean {
    const running =
      this.#notes.get(id)?.paragraphs.some(({ status }) => isRunning(status)) ?? false;
    return (
      running ||
      this.#failed.has(id) ||
      this.#removing.has(id) ||
      (this.#queues.get(id)?.waiting ?? 0) > 0
    );
  }

  /**
   * Loads external changes: new, changed and removed notes. Notes with unsaved changes or a running
   * paragraph, and notes whose file can't be read, keep their state in memory.
   */
  async reload(edit?: SetText): Promise<Reloaded> {
    // If the data folder is missing, for example not mounted, keep all notes.
    const present = new Set(await readdir(this.#folder));
    for (const id of this.broken.keys()) if (!present.has(id)) this.broken.delete(id);
    const result: Reloaded = { added: [], changed: [], removed: [] };
    const known = new Set(this.#notes.keys());
    for (const id of known) {
      const seen = this.#stamps.get(id);
      if (seen === undefined || this.#isAhead(id)) continue;
      const now = this.#stamp(id);
      if (now === seen && now !== '') continue;
      const read = now === '' ? undefined : await this.#read(id);
      // Stored or removed meanwhile, so the file content read is outdated.
      if (this.#stamps.get(id) !== seen || this.#isAhead(id)) continue;
      const note = this.#notes.get(id);
      if (!note) continue;
      if (now === '') {
        this.#forget(id);
        result.removed.push(id);
      } else if (read) {
        applyFileChange(note, read.note, edit);
        this.#stamps.set(id, read.stamp);
        this.onChange(id);
        result.changed.push(id);
      }
    }
    await this.load();
    result.added.push(...[...this.#notes.keys()].filter((id) => !known.has(id)));
    return result;
  }

  /** Returns all notes, in no particular order, without the copies of isolated runs. */
  all(): StoredNote[] {
    return [...this.#notes.values()].filter((note) => !isRunCopy(note));
  }

  runCopies(): StoredNote[] {
    return [...this.#notes.values()].filter(isRunCopy);
  }

  find(id: string): StoredNote | undefined {
    return this.#notes.get(id);
  }

  /** Returns a note; throws a 404 refusal if it does not exist. */
  get(id: string): StoredNote {
    const note = this.#notes.get(id);
    if (!note && this.broken.has(id)) throw brokenNote(id);
    if (!note) throw noSuchNote(id);
    return note;
  }

  /** Number of pending saves. */
  get waiting(): number {
    let count = 0;
    for (const queue of this.#queues.values()) count += queue.waiting;
    return count;
  }

  /** Whether the last write of every note succeeded. */
  get isHealthy(): boolean {
    return this.#failed.size === 0;
  }

  /** Adds a note; resolves when it is stored. */
  async add(note: StoredNote): Promise<StoredNote> {
    this.#requireOpen();
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
   * Stores the note in its current state. Calls made during a write share the next one. `undo`
   * reverts the caller's change. It is called before this rejects, newest change first, also if an
   * earlier write failed.
   */
  async save(note: StoredNote, undo?: () => void): Promise<void> {
    if (this.#closed) undo?.();
    this.#requireOpen();
    const queue = this.#queue(note.id);
    const edit: Edit | undefined = undo && { undo };
    if (edit) queue.edits.push(edit);
    queue.waiting += 1;
    queue.last = queue.write();
    try {
      await queue.last;
    } finally {
      queue.waiting -= 1;
    }
    if (edit?.error) throw edit.error;
  }

  /** Returns whether the disk has the note's current state, or has just rejected it. */
  isStored(id: string): boolean {
    return (this.#queues.get(id)?.waiting ?? 0) === 0;
  }

  /** Returns whether the disk has the note's current state. */
  isOnDisk(id: string): boolean {
    return this.isStored(id) && !this.#failed.has(id);
  }

  /**
   * Resolves when all changes so far are on disk or reverted: a client treats text that it reads as
   * saved.
   */
  async stored(id: string): Promise<void> {
    if (!this.isStored(id)) await this.#queues.get(id)!.last.catch(() => {});
  }

  #queue(id: string): Queue {
    let queue = this.#queues.get(id);
    if (!queue) {
      const edits: Edit[] = [];
      queue = {
        edits,
        write: writer(() => this.#write(id, edits)),
        waiting: 0,
        last: Promise.resolve(),
      };
      this.#queues.set(id, queue);
    }
    return queue;
  }

  async #write(id: string, edits: Edit[]): Promise<void> {
    if (!this.#swept.has(id)) await this.#sweep(id);
    const note = this.get(id);
    let count = 0;
    const began = performance.now();
    try {
      const parts = await fileParts(note, () => {
        count = edits.length;
        return noteInFile(note);
      });
      await writeDurably(join(this.#folder, id, 'note.json'), parts);
    } catch (error) {
      const failure = this.#failure(id, error);
      // Edits that arrived during the write are based on the failed ones, so they are reverted too.
      for (const edit of edits.splice(0).reverse()) {
        edit.undo();
        edit.error = failure;
      }
      clearTimeout(this.#failed.get(id));
      // Changes without an undo, such as the end of a run, are stored when the disk works again.
      this.#failed.set(
        id,
        setTimeout(() => void this.save(note).catch(() => {}), RETRY_MS).unref(),
      );
      throw failure;
    }
    edits.splice(0, count);
    this.onStored((performance.now() - began) / 1_000);
    this.#stamps.set(id, this.#stamp(id));
    this.onChange(id);
    clearTimeout(this.#failed.get(id));
    this.#failed.delete(id);
  }

  /** Removes the leftovers of a killed server beside the note's file. */
  async #sweep(id: string): Promise<void> {
    this.#swept.add(id);
    const folder = join(this.#folder, id);
    const names = await readdir(folder).catch(() => []);
    await Promise.all(
      names
        .filter((name) => UNFINISHED.test(name))
        .map((name) => rm(join(folder, name), { force: true }).catch(() => {})),
    );
  }

  #failure(id: string, error: unknown): Error {
    if (!(error as NodeJS.ErrnoException).syscall) return error as Error;
    this.#log.error({ note: id, error: (error as Error).message }, 'a note could not be stored');
    return storageFailure(error);
  }

  /** Removes a note permanently. */
  async remove(id: string): Promise<void> {
    this.#requireOpen();
    const note = this.get(id);
    this.#notes.delete(id);
    this.#removing.add(id);
    try {
      // Wait for the current write, which would block the removal or recreate the file.
      await this.#queues
        .get(id)
        ?.write()
        .catch(() => {});
      const removed = `${REMOVED}${id}-${randomBytes(4).toString('hex')}`;
      await rename(join(this.#folder, id), join(this.#folder, removed)).catch(
        (error: NodeJS.ErrnoException) => {
          if (error.code !== 'ENOENT') throw error;
        },
      );
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
    this.#stamps.delete(id);
    this.#swept.delete(id);
    this.onChange(id);
    clearTimeout(this.#failed.get(id));
    this.#failed.delete(id);
  }

  /**
   * Deletes a removed note's folder. The folder's name already marks it as removed, so leftovers
   * are harmless.
   */
  async #discard(removed: string): Promise<void> {
    await rm(join(this.#folder, removed), { recursive: true, force: true }).catch(
      (error: Error) => {
        this.#log.warn(
          { folder: removed, error: error.message },
          'a removed note could not be deleted',
        );
      },
    );
  }

  #requireOpen(): void {
    if (this.#closed) throw shuttingDown();
  }

  /**
   * Refuses further changes and resolves when those so far are on disk or reverted. The next server
   * may use the folder then; a write that came later would replace its text.
   */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.allSettled([...this.#queues.values()].map(({ last }) => last));
    for (const timer of this.#failed.values()) clearTimeout(timer);
  }
}
