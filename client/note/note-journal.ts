/** The journal's part of one open note: what is typed there and unsaved, by paragraph. A journal that fails leaves it in memory alone. */
import type { Context } from '../context.ts';
import { journalKey, type JournalEntry } from '../journal/journal.ts';

/** See the head of this file. */
export class NoteJournal {
  readonly #context: Context;
  readonly #noteId: string;
  /** Paragraphs of which it holds text. */
  readonly #kept = new Set<string>();
  /** What is yet to be written, by paragraph. */
  readonly #writing = new Map<string, Promise<unknown>>();
  #principal = '';

  constructor(context: Context, noteId: string) {
    this.#context = context;
    this.#noteId = noteId;
  }

  #key(paragraphId?: string): string {
    // What is typed after the session has ended is still of the person who typed before.
    this.#principal = this.#context.session.current?.principal ?? this.#principal;
    return journalKey(this.#context.server, this.#principal, this.#noteId, paragraphId);
  }

  /** Ids of paragraphs of which it holds text. */
  get kept(): Iterable<string> {
    return this.#kept;
  }

  /** What was kept in an earlier life of this client. */
  async read(): Promise<readonly JournalEntry[]> {
    return this.#context.journal.list(this.#key()).catch(() => []);
  }

  /** It holds text of the paragraph, which was {@link read}. */
  found(paragraphId: string): void {
    this.#kept.add(paragraphId);
  }

  /** Keeps the text of a paragraph, at once. */
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

  /** Forgets the text of a paragraph, once the writes before are through: a slow one would put it there again. */
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
