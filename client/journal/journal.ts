import type { TextChange } from '../model/text/text-change.ts';

/** Unsaved text of one paragraph. */
export interface JournalEntry {
  /** Server, principal, note and paragraph, each URI-encoded and followed by `|`. */
  readonly key: string;
  /** Id of the note. */
  readonly noteId: string;
  /** Id of the paragraph, unique within its note. */
  readonly paragraphId: string;
  /** The complete unsaved text. */
  readonly text: string;
  /** The server's text that the draft is based on, for merging after a restart. */
  readonly baseText: string;
  /** Revision number of that text, if the server numbers its texts (Tiding does). */
  readonly baseRev?: number | undefined;
  /** Id under which the text is committed. */
  readonly author?: string | undefined;
  /** Highest sequence number of a commit by that author so far. */
  readonly authorSeq?: number | undefined;
  /** Text that was sent but not acknowledged. Only the reply tells whether the server has it. */
  readonly sentText?: string | undefined;
  /** Sequence number of the sent text among the commits of that author. */
  readonly sentSeq?: number | undefined;
  /** Change to `text` from `sentText`, or else from `baseText`, if it is known what was typed. */
  readonly change?: TextChange | undefined;
  /** Change from `baseText` to `sentText`, if it is known what was typed. */
  readonly sentChange?: TextChange | undefined;
  /** Time of the last keystroke, in ms since the epoch. */
  readonly time: number;
}

/**
 * Stores unsaved text until the server has acknowledged it. If a method rejects, the text is kept
 * in memory only.
 */
export interface Journal {
  /**
   * Stores an entry, replacing the one with the same key. Resolve only when the entry is as durable
   * as the journal promises.
   */
  put(entry: JournalEntry): Promise<void>;
  /**
   * Deletes an entry. A missing key is not an error. Called after all writes of that key have
   * settled.
   */
  delete(key: string): Promise<void>;
  /** Returns the entries whose key starts with `prefix`. */
  list(prefix: string): Promise<readonly JournalEntry[]>;
}

/**
 * Returns the journal key of a paragraph. If trailing arguments are omitted, the result is a prefix
 * that selects a note, a user or a server.
 */
export function journalKey(
  server: string,
  principal: string,
  noteId?: string,
  paragraphId?: string,
): string {
  const parts = [server, principal, noteId, paragraphId].filter((part) => part !== undefined);
  // The trailing bar prevents a name from being a prefix of a longer name.
  return parts.map((part) => `${encodeURIComponent(part)}|`).join('');
}

/** Creates a journal in memory. Its entries are lost with the object. */
export function memoryJournal(): Journal {
  const entries = new Map<string, JournalEntry>();
  return {
    put: async (entry) => void entries.set(entry.key, entry),
    delete: async (key) => void entries.delete(key),
    list: async (prefix) => [...entries.values()].filter((entry) => entry.key.startsWith(prefix)),
  };
}
