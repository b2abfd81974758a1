/** Where typed text is kept until the server has acknowledged it: one entry a paragraph with unsaved text. */

/** Unsaved text of one paragraph. */
export interface JournalEntry {
  /** Server, principal, note and paragraph it belongs to, each encoded as for an address and ended by `|`. */
  readonly key: string;
  /** Id of the note. */
  readonly noteId: string;
  /** Id of the paragraph, unique within its note. */
  readonly paragraphId: string;
  /** The whole unsaved text. */
  readonly text: string;
  /** What it was made from, for the merge after a restart. */
  readonly baseText: string;
  /** Number of the text it was made from, where the server counts them (ours). */
  readonly baseRev?: number | undefined;
  /** Id under which it is committed. */
  readonly author?: string | undefined;
  /** Highest number of a commit of that author so far. */
  readonly authorSeq?: number | undefined;
  /** What was on its way to the server: whether that has it is told by its answer alone. */
  readonly sentText?: string | undefined;
  /** Its number among the commits of that author. */
  readonly sentSeq?: number | undefined;
  /** Epoch ms of the last keystroke. */
  readonly time: number;
}

/** A journal. A failing one rejects; the text is then kept in memory alone. */
export interface Journal {
  /** Keeps an entry in place of the one with its key. Resolve when it is as safe as the journal promises. */
  put(entry: JournalEntry): Promise<void>;
  /** Forgets an entry; a key that is not there is no error. Called when the writes of that key have settled. */
  delete(key: string): Promise<void>;
  /** Entries whose key starts with `prefix`. */
  list(prefix: string): Promise<readonly JournalEntry[]>;
}

/** Key of a paragraph's entry; a prefix of it selects a note, a user, a server. */
export function journalKey(
  server: string,
  principal: string,
  noteId?: string,
  paragraphId?: string,
): string {
  const parts = [server, principal, noteId, paragraphId].filter((part) => part !== undefined);
  // The bar at the end keeps a name from being the prefix of a longer one.
  return parts.map((part) => `${encodeURIComponent(part)}|`).join('');
}

/** A journal that lives as long as its object. */
export function memoryJournal(): Journal {
  const entries = new Map<string, JournalEntry>();
  return {
    put: async (entry) => void entries.set(entry.key, entry),
    delete: async (key) => void entries.delete(key),
    list: async (prefix) => [...entries.values()].filter((entry) => entry.key.startsWith(prefix)),
  };
}
