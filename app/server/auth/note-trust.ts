/**
 * Whose scripts may run in the results of a note: a decision of each reader for each note, in `note-trust.json`. Kept apart from
 * the note, whose settings everybody who writes it replaces, and which travels in files.
 */
import { join } from 'node:path';
import { readJson, writeDurably, writer } from '../files.ts';
import { accountOf } from './embed-access.ts';

/** How a note came here: typed in on this server, a copy of one, or from a file or a remote. */
export type NoteOrigin = 'made' | 'copied' | 'imported';

/** What is known of a note, and since when somebody trusts it (ISO 8601 UTC). */
interface Entry {
  origin?: NoteOrigin;
  by?: string;
  trusted: Record<string, string>;
}

/** What one reader is told. */
export interface Trust {
  readonly trusted: boolean;
  /** Absent: the note is older than this list, or came into the folder by other ways. */
  readonly origin?: NoteOrigin;
  readonly by?: string;
}

/** The trust in every note. */
export class NoteTrust {
  readonly #file: string;
  readonly #save: () => Promise<void>;
  #notes = new Map<
    string,
    { origin?: NoteOrigin | undefined; by?: string | undefined; trusted: Map<string, string> }
  >();

  constructor(folder: string) {
    this.#file = join(folder, 'note-trust.json');
    this.#save = writer(() =>
      writeDurably(
        this.#file,
        `${JSON.stringify(Object.fromEntries([...this.#notes].map(([id, { trusted, ...rest }]) => [id, { ...rest, trusted: Object.fromEntries(trusted) }])), null, 2)}\n`,
      ),
    );
  }

  /** Reads the file. */
  async load(): Promise<void> {
    const stored = (await readJson(this.#file)) as Record<string, Partial<Entry>> | undefined;
    this.#notes = new Map(
      Object.entries(stored ?? {}).map(([id, { origin, by, trusted = {} }]) => [
        id,
        { origin, by, trusted: new Map(Object.entries(trusted)) },
      ]),
    );
  }

  /** Whether somebody trusts a note, and what is known of it. A page with a token counts as who made the token. */
  of(noteId: string, principal: string): Trust {
    const { origin, by, trusted } = this.#notes.get(noteId) ?? {};
    return {
      trusted: trusted?.has(accountOf(principal)) ?? false,
      ...(origin ? { origin } : {}),
      ...(by ? { by } : {}),
    };
  }

  /** A note came into being: who typed it in trusts it, who copied it if he trusted what he copied, who imported it does not yet. */
  async begin(noteId: string, origin: NoteOrigin, by: string, trusted: boolean): Promise<void> {
    await this.#put(noteId, {
      origin,
      by,
      trusted: new Map(trusted ? [[by, new Date().toISOString()]] : []),
    });
  }

  /** Somebody decides. */
  async set(noteId: string, principal: string, trusted: boolean): Promise<void> {
    const before = this.#notes.get(noteId);
    if ((before?.trusted.has(principal) ?? false) === trusted) return;
    const next = new Map(before?.trusted);
    if (trusted) next.set(principal, new Date().toISOString());
    else next.delete(principal);
    await this.#put(noteId, { ...before, trusted: next });
  }

  /** Forgets a note. */
  async remove(noteId: string): Promise<void> {
    if (this.#notes.has(noteId)) await this.#put(noteId, undefined);
  }

  /** What the disk does not take does not hold either. */
  async #put(
    noteId: string,
    next:
      | { origin?: NoteOrigin | undefined; by?: string | undefined; trusted: Map<string, string> }
      | undefined,
  ): Promise<void> {
    const before = this.#notes.get(noteId);
    const put = (value: typeof next) =>
      void (value ? this.#notes.set(noteId, value) : this.#notes.delete(noteId));
    put(next);
    try {
      await this.#save();
    } catch (error) {
      if (this.#notes.get(noteId) === next) put(before);
      throw error;
    }
  }
}
