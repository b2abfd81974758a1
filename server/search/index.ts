/**
 * Search over note names, paragraph titles and texts. The index is kept in memory, built at the
 * first search, updated as notes change, and brought up to date before each search.
 */

import type { SearchResult } from '@tiding/client/protocol';
import MiniSearch, { type SearchResult as Hit } from 'minisearch';
import { Refusal } from '../base/errors.ts';
import type { StoredNote } from '../notes/note.ts';
import { excerpt, foldWord, highlight, tokenizeText } from './tokenize.ts';

interface SearchedNotes {
  all(): StoredNote[];
  find(id: string): StoredNote | undefined;
}

/** An indexed item: a note's name, or a paragraph. */
interface Entry {
  readonly id: string;
  readonly noteId: string;
  readonly name?: string;
  readonly title?: string | undefined;
  readonly text?: string;
}

const MAX_HITS = 20;
/** Maximum length of a query in characters, and its maximum number of words. */
const MAX_QUERY = 1_000;
const MAX_WORDS = 16;
/** Delay that collects further changes before indexing, in ms; a search does not wait for it. */
const DELAY_MS = 1_000;
/** Number of entries indexed in one go while building; other work runs in between. */
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

export class NoteSearch {
  readonly #notes: SearchedNotes;
  readonly #index = new MiniSearch<Entry>({
    fields: ['name', 'title', 'text'],
    tokenize: (text) => Array.from(tokenizeText(text), ({ word }) => word),
    processTerm: foldWord,
  });
  /** Indexed entries, by note and entry. */
  readonly #entries = new Map<string, Map<string, Entry>>();
  readonly #changed = new Set<string>();
  #building: Promise<void> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(notes: SearchedNotes) {
    this.#notes = notes;
  }

  /** Marks a note as added, changed or removed. */
  change(noteId: string): void {
    // There is no index to update before the first search.
    if (!this.#building) return;
    this.#changed.add(noteId);
    this.#timer ??= setTimeout(() => void this.#update(), DELAY_MS).unref();
  }

  /** Cancels pending work. */
  close(): void {
    clearTimeout(this.#timer);
  }

  /**
   * Returns the best hits, at most 20, in notes that `mayRead` accepts. Hits contain all words of
   * the query, as whole words or prefixes; if there are none, similar words; and then only some of
   * the words. Hits in names and titles rank higher. Throws for a query of more than 1,000
   * characters.
   */
  async search(query: string, mayRead: (noteId: string) => boolean): Promise<SearchResult[]> {
    if (query.length > MAX_QUERY)
      throw new Refusal(400, `A query may have at most ${MAX_QUERY} characters.`);
    const words = [...new Set(Array.from(tokenizeText(query), ({ word }) => word))].slice(
      0,
      MAX_WORDS,
    );
    if (words.length === 0) return [];
    await this.#update();
    const readable = (noteId: string): boolean =>
      this.#notes.find(noteId) !== undefined && mayRead(noteId);
    const find = (combineWith: 'AND' | 'OR', fuzzy: boolean): Hit[] => {
      const best: Hit[] = [];
      // Iterate best first, so that permissions are checked only for the hits shown.
      for (const hit of this.#index.search(words.join(' '), {
        combineWith,
        boost: { name: 4, title: 3 },
        prefix: (word) => word.length > 1,
        // Numbers must match exactly.
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
      snippet: highlight(excerpt(text, isHit), isHit),
      text,
      header: highlight(title, isHit),
    };
  }

  /** Brings the index up to date. */
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

  /**
   * Updates one note's entries and returns how many are new. Unchanged entries are skipped, because
   * a run stores its note repeatedly.
   */
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

/** Note ids contain no slash. */
const noteIdOf = (id: string): string => id.split('/', 1)[0]!;
