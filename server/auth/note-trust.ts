/**
 * Each reader's decision whether scripts in a note's results may run, in `note-trust.json`. It is
 * not stored in the note, whose settings every writer can replace and which is exchanged as a file.
 */
import { join } from 'node:path';
import { JsonFile, putEntry } from '../storage/files.ts';
import { accountOf } from './embed-access.ts';

/**
 * How a note was created: written on this server, copied from another note, or imported from a file
 * or remote.
 */
export type NoteOrigin = 'made' | 'copied' | 'imported';

/** A note's origin, and since when each user trusts it (ISO 8601 UTC). */
interface Entry {
  origin?: NoteOrigin | undefined;
  by?: string | undefined;
  trusted: Map<string, string>;
}
type StoredEntry = Omit<Entry, 'trusted'> & { trusted?: Record<string, string> };

/** A reader's trust in a note. */
export interface Trust {
  readonly trusted: boolean;
  /** Absent if the note is older than this list, or was added to the folder by other means. */
  readonly origin?: NoteOrigin;
  readonly by?: string;
}

/** Stores the trust of all users in all notes. */
export class NoteTrustStore {
  readonly #file: JsonFile<Record<string, StoredEntry>>;
  #notes = new Map<string, Entry>();

  constructor(folder: string) {
    this.#file = new JsonFile(join(folder, 'note-trust.json'), () =>
      Object.fromEntries(
        [...this.#notes].map(([id, { trusted, ...rest }]) => [
          id,
          { ...rest, trusted: Object.fromEntries(trusted) },
        ]),
      ),
    );
  }

  /** Reads the file. */
  async load(): Promise<void> {
    this.#notes = new Map(
      Object.entries((await this.#file.read()) ?? {}).map(([id, { origin, by, trusted = {} }]) => [
        id,
        { origin, by, trusted: new Map(Object.entries(trusted)) },
      ]),
    );
  }

  /**
   * Returns whether a user trusts a note, and its origin. A page with a token counts as the token's
   * issuer.
   */
  of(noteId: string, principal: string): Trust {
    const { origin, by, trusted } = this.#notes.get(noteId) ?? {};
    return {
      trusted: trusted?.has(accountOf(principal)) ?? false,
      ...(origin ? { origin } : {}),
      ...(by ? { by } : {}),
    };
  }

  /**
   * Records a new note. Its creator trusts it if they wrote it, or copied a note that they trusted;
   * an imported note is not trusted yet.
   */
  async begin(noteId: string, origin: NoteOrigin, by: string, trusted: boolean): Promise<void> {
    await this.#put(noteId, {
      origin,
      by,
      trusted: new Map(trusted ? [[by, new Date().toISOString()]] : []),
    });
  }

  /** Stores a user's decision. */
  async set(noteId: string, principal: string, trusted: boolean): Promise<void> {
    const before = this.#notes.get(noteId);
    if ((before?.trusted.has(principal) ?? false) === trusted) return;
    const next = new Map(before?.trusted);
    if (trusted) next.set(principal, new Date().toISOString());
    else next.delete(principal);
    await this.#put(noteId, { ...before, trusted: next });
  }

  async remove(noteId: string): Promise<void> {
    if (this.#notes.has(noteId)) await this.#put(noteId, undefined);
  }

  /** Removes a user's decisions for all notes. */
  async forgetUser(principal: string): Promise<void> {
    for (const [noteId, { trusted }] of this.#notes)
      if (trusted.has(principal)) await this.set(noteId, principal, false);
  }

  /** Stores the change, or reverts it if the disk write fails. */
  async #put(noteId: string, next: Entry | undefined): Promise<void> {
    const undo = putEntry(this.#notes, noteId, next);
    await this.#file.save().catch((error: unknown) => {
      undo();
      throw error;
    });
  }
}
