/**
 * The notes of a data folder, one file each, named by id: `notebook/<id>/note.json`. Names are data and never a path.
 *
 * `save` resolves when the note is on the disk; an edit is acknowledged after that and not before. Where the disk fails,
 * the old file stays and the edits that are not on it are taken back, so memory never claims more than the disk has.
 */
import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isRunning } from 'tiding/model';
import type { Logger } from '../log.ts';
import { brokenNote, noSuchNote, storageFailure } from '../errors.ts';
import { stampOf, syncFolder, writeDurably, writer } from '../files.ts';
import { idPattern, readNote, serializeNote, type StoredNote } from './note.ts';
import { takeOver, type SetText } from './take-over.ts';

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
  /** Saves that have not ended. */
  waiting: number;
  /** Ends with the save that was asked for last. */
  last: Promise<void>;
}

/** What a reload found, by id. */
export interface Reloaded {
  readonly added: string[];
  readonly changed: string[];
  readonly removed: string[];
}

/** After a failed write the note is stored again this much later, in ms, until it works. */
const RETRY_MS = 2_000;
const REMOVED = '.removed-';
/** A file of {@link writeDurably} that was not finished. */
const UNFINISHED = /^\.note\.json\.[0-9a-f]+\.tmp$/;
/** Files that are read at once. */
const READERS = 16;

/** See the head of this file. */
export class NoteRepository {
  readonly #folder: string;
  readonly #log: Logger;
  readonly #notes = new Map<string, StoredNote>();
  readonly #queues = new Map<string, Queue>();
  readonly #removing = new Set<string>();
  /** What tells the state of a note's file that is in memory from a later one. */
  readonly #stamps = new Map<string, string>();
  /** Files that cannot be read, by the id of their note, with the reason. They stay as they are. */
  readonly broken = new Map<string, string>();
  /** Told how long a note took to be stored, in s. */
  onStored: (seconds: number) => void = () => {};
  /** Notes beside whose files nothing unfinished is left. */
  readonly #swept = new Set<string>();
  /** Given every note that was read, before it is anybody's. */
  onRead: (note: StoredNote) => void = () => {};
  /** Told of every note that is added, stored, read anew or removed. */
  onChange: (id: string) => void = () => {};
  /** Notes whose last write failed, with what waits to store them again. */
  readonly #failed = new Map<string, ReturnType<typeof setTimeout>>();

  constructor(folder: string, log: Logger) {
    this.#folder = join(folder, 'notebook');
    this.#log = log;
  }

  /** Reads every note that is not known yet. A file that cannot be read is left where it is and reported; the others are served. */
  async load(): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const entries = (await readdir(this.#folder, { withFileTypes: true })).values();
    const readOn = async (): Promise<void> => {
      // All take from the same list.
      for (const entry of entries) await this.#take(entry.name, entry.isDirectory());
    };
    await Promise.all(Array.from({ length: READERS }, readOn));
  }

  /** Takes in what an entry of the folder holds, if it is a note that is not known yet. */
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

  /** The note of a file with the file's stamp; `undefined`, and a line in the log, where it cannot be read. */
  async #read(id: string): Promise<{ note: StoredNote; stamp: string } | undefined> {
    try {
      // The stamp first: a change while it is read is a change after it.
      const stamp = this.#stamp(id);
      const text = await readFile(join(this.#folder, id, 'note.json'), 'utf8');
      const note = readNote(JSON.parse(text.replace(/^\uFEFF/, '')), id, true);
      this.onRead(note);
      return { note, stamp };
    } catch (error) {
      if (!this.#notes.has(id) && !this.#removing.has(id))
        this.broken.set(id, (error as Error).message);
      this.#log.warn(
        { note: id, error: (error as Error).message },
        'a note that cannot be read is left alone',
      );
      return undefined;
    }
  }

  /** State of a note's file; '' where there is none. */
  #stamp(id: string): string {
    return stampOf(join(this.#folder, id, 'note.json'));
  }

  /** Whether memory has of a note what the disk has not, or will not have for long: then memory is right. */
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
   * Takes in what others did to the files: new notes, changed ones, those that are gone. A note with changes that are not
   * stored yet, or with a paragraph that runs, stays as it is in memory; so does one whose file cannot be read.
   */
  async reload(edit?: SetText): Promise<Reloaded> {
    // A data folder that is not there, such as one that is not mounted, is no reason to forget its notes.
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
      // Stored or removed meanwhile: what was read is older than that.
      if (this.#stamps.get(id) !== seen || this.#isAhead(id)) continue;
      const note = this.#notes.get(id);
      if (!note) continue;
      if (now === '') {
        this.#forget(id);
        result.removed.push(id);
      } else if (read) {
        takeOver(note, read.note, edit);
        this.#stamps.set(id, read.stamp);
        this.onChange(id);
        result.changed.push(id);
      }
    }
    await this.load();
    result.added.push(...[...this.#notes.keys()].filter((id) => !known.has(id)));
    return result;
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
    if (!note && this.broken.has(id)) throw brokenNote(id);
    if (!note) throw noSuchNote(id);
    return note;
  }

  /** Saves that wait. */
  get waiting(): number {
    let count = 0;
    for (const queue of this.#queues.values()) count += queue.waiting;
    return count;
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
    queue.waiting += 1;
    queue.last = queue.write();
    try {
      await queue.last;
    } finally {
      queue.waiting -= 1;
    }
    if (edit?.error) throw edit.error;
  }

  /** Whether the disk has the note as it is in memory, or has just refused it. */
  isStored(id: string): boolean {
    return (this.#queues.get(id)?.waiting ?? 0) === 0;
  }

  /** Resolves when all that has changed so far is on the disk, or was taken back: a text that is read counts as saved for who wrote it. */
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
    const count = edits.length;
    const began = performance.now();
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

  /** Removes what a server that was killed has left unfinished beside the note's file. */
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

  /** Removes a note for good. */
  async remove(id: string): Promise<void> {
    const note = this.get(id);
    this.#notes.delete(id);
    this.#removing.add(id);
    try {
      // A write under way ends first: it would be in the way, or put the file back.
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

  /** The name says that the note is gone; whatever is left of it is in nobody's way. */
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

  /** Stops trying to store what could not be stored. */
  close(): void {
    for (const timer of this.#failed.values()) clearTimeout(timer);
  }
}
