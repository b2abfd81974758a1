import { callError, requireNoteName } from '../core/errors.ts';
import { requireKnown } from '../core/known-options.ts';
import type { ClientContext } from '../session/client-context.ts';
import { loadNoteModule } from './lazy-note.ts';
import type { Note } from './note.ts';
import type { OpenOptions } from './note-loading.ts';

/** Time limit for saving a note's drafts before the user signs out, in ms. */
const SAVE_TIMEOUT_MS = 5_000;

/** The notes that are open on a client, with the number of their users. */
export class OpenNotes {
  readonly #context: ClientContext;
  readonly #entries = new Map<string, { note: Note; users: number }>();

  constructor(context: ClientContext) {
    this.#context = context;
  }

  /** Opens a note or one of its revisions. Calls for the same note or revision share one `Note`. */
  async open(
    noteId: string,
    revision: string | undefined,
    options: OpenOptions = {},
  ): Promise<Note> {
    const operation = revision === undefined ? 'GET_NOTE' : 'NOTE_REVISION';
    requireNoteName(noteId, operation);
    requireKnown(options, ['inPieces', 'signal', 'timeout'], operation);
    this.#context.session.requireOpen();
    // Loaded while the server is asked for its version and the ticket.
    const module = loadNoteModule();
    module.catch(() => {});
    await this.#context.ready();
    const [parts] = await Promise.all([module, this.#context.session.ticket(options)]);
    const key = revision === undefined ? noteId : parts.revisionKey(noteId, revision);
    let entry = this.#entries.get(key);
    if (!entry) {
      const note = new parts.Note(this.#context, noteId, () => this.#release(key), {
        revision,
        inPieces: options.inPieces,
      });
      entry = { note, users: 0 };
      this.#entries.set(key, entry);
    }
    entry.users += 1;
    try {
      await entry.note.ready(options);
      return entry.note;
    } catch (error) {
      entry.note.close();
      throw callError(error, operation);
    }
  }

  /** Counts one user less. Returns whether it was the last one. */
  #release(key: string): boolean {
    const entry = this.#entries.get(key);
    if (entry && --entry.users > 0) return false;
    this.#entries.delete(key);
    return true;
  }

  /** Saves the drafts of all open notes. Resolves with whether everything is saved. */
  async saveAll(): Promise<boolean> {
    const notes = [...this.#entries.values()].map(({ note }) => note);
    await Promise.all(
      notes.map((note) => note.commit({ timeout: SAVE_TIMEOUT_MS }).catch(() => {})),
    );
    return notes.every((note) => !note.dirty);
  }

  /** Closes all notes, whoever still uses them. */
  close(): void {
    for (const { note } of this.#entries.values()) note.destroy();
    this.#entries.clear();
  }
}
