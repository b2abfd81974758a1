import { type JournalEntry, journalKey } from '../../journal/journal.ts';
import type { ClientContext } from '../../session/client-context.ts';

/**
 * The journal entries of one open note. If the journal fails, unsaved text is kept in memory only.
 */
export class NoteJournal {
  readonly #context: ClientContext;
  readonly #noteId: string;
  /** Paragraphs with an entry in the journal. */
  readonly #kept = new Set<string>();
  /** Pending writes by paragraph. */
  readonly #writing = new Map<string, Promise<unknown>>();
  #principal = '';

  constructor(context: ClientContext, noteId: string) {
    this.#context = context;
    this.#noteId = noteId;
  }

  #key(paragraphId?: string): string {
    // Text typed after the session ended still belongs to the user who was signed in before.
    this.#principal = this.#context.session.current?.principal ?? this.#principal;
    return journalKey(this.#context.server, this.#principal, this.#noteId, paragraphId);
  }

  /** Ids of the paragraphs with an entry in the journal. */
  get kept(): Iterable<string> {
    return this.#kept;
  }

  /** Returns the entries of an earlier session. */
  async read(): Promise<readonly JournalEntry[]> {
    return this.#context.journal.list(this.#key()).catch(() => []);
  }

  /** Marks an entry returned by {@link read} as present. */
  found(paragraphId: string): void {
    this.#kept.add(paragraphId);
  }

  /** Stores the text of a paragraph immediately. */
  keep(entry: Omit<JournalEntry, 'key' | 'noteId' | 'time'>): void {
    const { paragraphId } = entry;
    this.#kept.add(paragraphId);
    const put = this.#context.journal.put({
      ...entry,
      key: this.#key(paragraphId),
      noteId: this.#noteId,
      time: Date.now(),
    });
    const written = Promise.allSettled([this.#writing.get(paragraphId), put]).then(() => {
      if (this.#writing.get(paragraphId) === written) this.#writing.delete(paragraphId);
    });
    this.#writing.set(paragraphId, written);
  }

  /**
   * Deletes the entry of a paragraph after its pending writes, because a slow write would restore
   * it.
   */
  forget(paragraphId: string): void {
    if (!this.#kept.delete(paragraphId)) return;
    const key = this.#key(paragraphId);
    const act = () =>
      void (this.#kept.has(paragraphId) || this.#context.journal.delete(key).catch(() => {}));
    const writing = this.#writing.get(paragraphId);
    if (writing) void writing.then(act);
    else act();
  }
}
