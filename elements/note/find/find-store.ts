/**
 * Search state for the find box and the paragraphs. Kept small, because the search itself is loaded
 * together with the box.
 */
import { useSyncExternalStore } from 'react';
import type { FindMark } from '../../editor/index.ts';
import { KeyedListeners } from '../../runtime/keyed-listeners.ts';
import { createViewStore, type ViewStore } from '../../runtime/store.ts';
import type { FindQuery } from './search.ts';

export interface FindState extends FindQuery {
  readonly open: boolean;
  /** Whether results are searched too. */
  readonly results: boolean;
  readonly replacement: string;
  /** Error message of an invalid expression. */
  readonly error: string | undefined;
  readonly count: number;
  /** Whether there are more matches than counted. */
  readonly more: boolean;
  /** Position of the current match, starting at 1; 0 if there is none. */
  readonly at: number;
  /** Whether the last change of the query has not been searched yet. */
  readonly pending: boolean;
  /** Whether a search is in progress. */
  readonly busy: boolean;
}

/** Search state of one paragraph. The object stays the same while nothing in it changes. */
export interface FindPart {
  readonly marks: readonly FindMark[];
  /** Whether its code or result is shown although it is hidden, because it contains a match. */
  readonly showCode: boolean;
  readonly showResult: boolean;
  /**
   * Texts before each replacement, oldest first, and the text after the last one. The editor uses
   * them for undo.
   */
  readonly past: readonly string[];
  readonly after: string;
}

const nothing: FindPart = { marks: [], showCode: false, showResult: false, past: [], after: '' };

const noResult = { error: undefined, count: 0, more: false, at: 0, pending: false, busy: false };

/** Search state of one page. */
export class FindStore {
  readonly state: ViewStore<FindState> = createViewStore<FindState>({
    open: false,
    find: '',
    replacement: '',
    matchCase: false,
    wholeWord: false,
    regex: false,
    results: false,
    ...noResult,
  });
  readonly #parts = new Map<string, FindPart>();
  readonly #listeners = new KeyedListeners();

  /** Id of the paragraph in which the next search begins; used once. */
  from: string | undefined;

  /** Opens the box with a term and searches for it immediately, beginning in paragraph `from`. */
  readonly openWith = (find: string, from: string | undefined): void => {
    this.from = from;
    this.state.set({ open: true, find, matchCase: false, wholeWord: false, regex: false });
  };

  /** Opens or closes the box. */
  readonly toggle = (): void => this.state.set({ open: !this.state.get().open });

  /** Clears the result of the search; the query stays. */
  resetResult(): void {
    this.state.set(noResult);
  }

  /** Returns the search state of a paragraph. */
  part(id: string): FindPart {
    return this.#parts.get(id) ?? nothing;
  }

  /** Changes the search state of a paragraph; only its subscribers are notified. */
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
    this.#listeners.notify(id);
  }

  /** Ids of paragraphs with search state. */
  get touched(): string[] {
    return [...this.#parts.keys()];
  }

  /** Subscribes to changes of one paragraph. Returns an unsubscribe function. */
  subscribe(id: string, listener: () => void): () => void {
    return this.#listeners.add(id, listener);
  }
}

function sameMarks(a: readonly FindMark[], b: readonly FindMark[]): boolean {
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

/** Subscribes to the search state of a paragraph; renders again only when it changes. */
export function useFindPart(find: FindStore, id: string): FindPart {
  return useSyncExternalStore(
    (listener) => find.subscribe(id, listener),
    () => find.part(id),
  );
}
