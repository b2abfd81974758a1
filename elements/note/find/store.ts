/** What the search of a note has found, for its box and for the paragraphs. Small: the search itself is loaded with its box. */
import { useSyncExternalStore } from 'react';
import type { Mark } from '../../editor/index.ts';
import { KeyedListeners } from '../../runtime/keyed-listeners.ts';
import { createStore, type Store } from '../../runtime/store.ts';
import type { NoteView } from '../view.tsx';
import type { Query } from './search.ts';

/** See the head of this file. */
export interface FindState extends Query {
  readonly open: boolean;
  /** Results are searched too. */
  readonly results: boolean;
  readonly replacement: string;
  /** What is wrong with the expression. */
  readonly error: string | undefined;
  /** How many hits there are. */
  readonly count: number;
  /** There are more than are counted. */
  readonly more: boolean;
  /** Which of them is the current one, from 1; 0: none. */
  readonly at: number;
  /** What was typed last has not been searched yet. */
  readonly pending: boolean;
  /** The search goes on. */
  readonly busy: boolean;
  /** The current hit can be replaced. */
  readonly replaceable: boolean;
}

/** What a paragraph has to do with the search; the same object while nothing of it changes. */
export interface FindPart {
  readonly marks: readonly Mark[];
  /** Its code, its result are shown even where they are hidden: there is a hit in them. */
  readonly showCode: boolean;
  readonly showResult: boolean;
  /** Texts that were replaced here, oldest first, and what stands there now: the editor can undo them. */
  readonly past: readonly string[];
  readonly after: string;
}

const nothing: FindPart = { marks: [], showCode: false, showResult: false, past: [], after: '' };

/** One search of one page. */
export class FindStore {
  readonly state: Store<FindState> = createStore<FindState>({
    open: false,
    find: '',
    replacement: '',
    matchCase: false,
    wholeWord: false,
    regex: false,
    results: false,
    error: undefined,
    count: 0,
    more: false,
    at: 0,
    pending: false,
    busy: false,
    replaceable: false,
  });
  readonly #parts = new Map<string, FindPart>();
  readonly #listeners = new KeyedListeners();

  /** Where the next search begins, a paragraph; it is taken once. */
  from: string | undefined;

  /** Opens the box with a text that is searched at once, beginning in a paragraph of the note. */
  readonly openWith = (find: string, from: string | undefined): void => {
    this.from = from;
    this.state.set({ open: true, find, matchCase: false, wholeWord: false, regex: false });
  };

  /** Opens the box, or closes it. */
  readonly toggle = (): void => this.state.set({ open: !this.state.get().open });

  /** What a paragraph has to do with the search. */
  part(id: string): FindPart {
    return this.#parts.get(id) ?? nothing;
  }

  /** Changes what a paragraph has to do with the search; only that paragraph is told. */
  set(id: string, change: Partial<FindPart>): void {
    const before = this.part(id);
    const next = { ...before, ...change };
    if (
      (Object.keys(next) as (keyof FindPart)[]).every(
        (key) =>
          next[key] === before[key] || (key === 'marks' && sameMarks(next.marks, before.marks)),
      )
    )
      return;
    const empty =
      next.marks.length === 0 && !next.showCode && !next.showResult && next.past.length === 0;
    if (empty) this.#parts.delete(id);
    else this.#parts.set(id, next);
    this.#listeners.tell(id);
  }

  /** Paragraphs that have to do with the search. */
  get touched(): string[] {
    return [...this.#parts.keys()];
  }

  /** Told of changes for one paragraph. Returns its undo. */
  subscribe(id: string, listener: () => void): () => void {
    return this.#listeners.add(id, listener);
  }
}

function sameMarks(a: readonly Mark[], b: readonly Mark[]): boolean {
  return (
    a.length === b.length &&
    a.every(
      (mark, index) =>
        mark.from === b[index]!.from &&
        mark.to === b[index]!.to &&
        mark.current === b[index]!.current,
    )
  );
}

/** What this paragraph has to do with the search; renders again only when that changes. */
export function useFindPart(view: NoteView, id: string): FindPart {
  const { find } = view;
  return useSyncExternalStore(
    (listener) => find.subscribe(id, listener),
    () => find.part(id),
  );
}
