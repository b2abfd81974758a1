/**
 * Search over all notes: names of notes, titles and texts of paragraphs. The index is in memory: built at the first search,
 * kept as notes change, and always as new as the notes when it is asked.
 */
import MiniSearch, { type SearchResult as Hit } from 'minisearch';
import type { SearchResult } from 'tiding/protocol';
import { Refusal } from '../errors.ts';
import type { StoredNote } from '../notes/note.ts';
import { excerpt, fold, mark, wordsOf } from './words.ts';

/** What it reads. */
export interface SearchedNotes {
  all(): StoredNote[];
  find(id: string): StoredNote | undefined;
}

/** One thing that is found: a note by its name, or a paragraph. */
interface Entry {
  readonly id: string;
  readonly noteId: string;
  readonly name?: string;
  readonly title?: string | undefined;
  readonly text?: string;
}

/** Most hits of a search. */
const MAX_HITS = 20;
/** Characters, and words, of a query. */
const MAX_QUERY = 1_000;
const MAX_WORDS = 16;
/** Changes wait this long for more of them, in ms; a search does not wait. */
const DELAY_MS = 1_000;
/** Entries that are indexed at once while the index is built; in between the server answers others. */
const CHUNK = 200;

function entriesOf(note: StoredNote): Entry[] {
  return [
    { id: note.id, noteId: note.id, name: note.name },
    ...note.paragraphs
      .filter(({ text, title }) => text !== '' || title)
      .map(({ id, title, text }) => ({
        id: `${note.id}/paragraph/${id}`,
        noteId: note.id,
        title,
        text,
      })),
  ];
}

/** See the head of this file. */
export class NoteSearch {
  readonly #notes: SearchedNotes;
  readonly #index = new MiniSearch<Entry>({
    fields: ['name', 'title', 'text'],
    tokenize: (text) => Array.from(wordsOf(text), ({ word }) => word),
    processTerm: fold,
  });
  /** What is in the index, by note and entry. */
  readonly #entries = new Map<string, Map<string, Entry>>();
  readonly #changed = new Set<string>();
  #building: Promise<void> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(notes: SearchedNotes) {
    this.#notes = notes;
  }

  /** The note is new, changed or gone. */
  change(noteId: string): void {
    // Before the first search there is nothing to keep.
    if (!this.#building) return;
    this.#changed.add(noteId);
    this.#timer ??= setTimeout(() => void this.#update(), DELAY_MS).unref();
  }

  /** Ends what waits. */
  close(): void {
    clearTimeout(this.#timer);
  }

  /**
   * What fits the query best, at most 20 of the notes that `mayRead` lets through. Each word of the query is
   * there, as a whole or as a beginning; where nothing has all of them so, as nearly the same word, and then what has only some of
   * them. Hits in names and titles count more. Refuses a query of more than 1,000 characters.
   */
  async search(query: string, mayRead: (noteId: string) => boolean): Promise<SearchResult[]> {
    if (query.length > MAX_QUERY)
      throw new Refusal(400, `a query has at most ${MAX_QUERY} characters`);
    const words = [...new Set(Array.from(wordsOf(query), ({ word }) => word))].slice(0, MAX_WORDS);
    if (words.length === 0) return [];
    await this.#update();
    const readable = (noteId: string): boolean =>
      this.#notes.find(noteId) !== undefined && mayRead(noteId);
    const find = (combineWith: 'AND' | 'OR', fuzzy: boolean): Hit[] => {
      const best: Hit[] = [];
      // Best first: whoever may read is asked of those that are shown, not of all.
      for (const hit of this.#index.search(words.join(' '), {
        combineWith,
        boost: { name: 4, title: 3 },
        prefix: (word) => word.length > 1,
        // One number is not nearly another.
        fuzzy: (word) => (fuzzy && word.length > 4 && !/\d/.test(word) ? 0.2 : false),
      })) {
        if (readable(noteIdOf(hit.id as string))) best.push(hit);
        if (best.length === MAX_HITS) break;
      }
      return best;
    };
    let hits = find('AND', false);
    if (hits.length === 0) hits = find('AND', true);
    if (hits.length === 0 && words.length > 1) hits = find('OR', true);
    return hits.map((hit) => this.#resultOf(hit));
  }

  #resultOf({ id, match }: Hit): SearchResult {
    const noteId = noteIdOf(id as string);
    const { name = '' } = this.#notes.find(noteId)!;
    const { title = '', text = name } = this.#entries.get(noteId)!.get(id as string)!;
    const isHit = (word: string) => Object.hasOwn(match, word);
    return {
      id: id as string,
      name,
      snippet: mark(excerpt(text, isHit), isHit),
      text,
      header: mark(title, isHit),
    };
  }

  /** Brings the index to the notes as they are now. */
  async #update(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await (this.#building ??= this.#build());
    for (const id of this.#changed) this.#put(id);
    this.#changed.clear();
  }

  async #build(): Promise<void> {
    let count = 0;
    for (const { id } of this.#notes.all()) {
      count += this.#put(id);
      if (count < CHUNK) continue;
      count = 0;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** Brings one note's entries up to date; returns how many are new. What is the same stays: a run stores a note again and again. */
  #put(noteId: string): number {
    const note = this.#notes.find(noteId);
    const before = this.#entries.get(noteId);
    const now = new Map(note ? entriesOf(note).map((entry) => [entry.id, entry]) : []);
    let count = 0;
    for (const { id } of before?.values() ?? []) if (!now.has(id)) this.#index.discard(id);
    for (const entry of now.values()) {
      const old = before?.get(entry.id);
      if (old && old.name === entry.name && old.title === entry.title && old.text === entry.text)
        continue;
      if (old) this.#index.discard(entry.id);
      this.#index.add(entry);
      count += 1;
    }
    if (note) this.#entries.set(noteId, now);
    else this.#entries.delete(noteId);
    return count;
  }
}

/** Note ids have no slash. */
const noteIdOf = (id: string): string => id.split('/', 1)[0]!;
