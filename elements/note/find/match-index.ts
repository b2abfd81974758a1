/** Matches found so far, by paragraph, and navigation through them in the order of the note. */
import type { Output } from '@tiding/client';
import type { FindMark } from '../../editor/index.ts';
import type { ResultMatch, TextRange } from './search.ts';
import type { SearchedTable } from './searched-table.ts';

/** Matches of one paragraph, and what was searched. */
export interface ParagraphMatches {
  readonly text: string;
  readonly outputs: readonly Output[];
  readonly tables: ReadonlyMap<number, SearchedTable>;
  readonly code: readonly TextRange[];
  readonly results: readonly ResultMatch[];
}

/**
 * Position of a match. `n` is its index within the paragraph; matches in code come before matches
 * in results. `from` is its offset in the code, to find it again after the text has changed (-1 in
 * results).
 */
export interface MatchPosition {
  readonly id: string;
  readonly n: number;
  readonly from: number;
}

export class MatchIndex {
  readonly #found = new Map<string, ParagraphMatches>();
  readonly #order: () => readonly string[];

  /** `order` returns the ids of the note's paragraphs in order. */
  constructor(order: () => readonly string[]) {
    this.#order = order;
  }

  /** Returns the matches of a paragraph; `undefined` if it has not been searched. */
  get(id: string | undefined): ParagraphMatches | undefined {
    return id === undefined ? undefined : this.#found.get(id);
  }

  set(id: string, matches: ParagraphMatches): void {
    this.#found.set(id, matches);
  }

  /** Forgets all matches. */
  clear(): void {
    this.#found.clear();
  }

  /** Forgets matches of paragraphs that are not in the note any more. */
  prune(): void {
    const order = new Set(this.#order());
    for (const id of this.#found.keys()) if (!order.has(id)) this.#found.delete(id);
  }

  count(id: string): number {
    const found = this.#found.get(id);
    return found ? found.code.length + found.results.length : 0;
  }

  /** Position of the match with index `n` in a paragraph. */
  at(id: string, n: number): MatchPosition {
    return { id, n, from: this.#found.get(id)?.code[n]?.from ?? -1 };
  }

  first(): MatchPosition | undefined {
    const id = this.#order().find((one) => this.count(one) > 0);
    return id === undefined ? undefined : this.at(id, 0);
  }

  last(): MatchPosition | undefined {
    const id = this.#order().findLast((one) => this.count(one) > 0);
    return id === undefined ? undefined : this.at(id, this.count(id) - 1);
  }

  /** Position of the next or previous match; wraps around at the ends of the note. */
  beside({ id, n }: MatchPosition, direction: 1 | -1): MatchPosition | undefined {
    const next = n + direction;
    if (next >= 0 && next < this.count(id)) return this.at(id, next);
    const order = this.#order();
    const at = order.indexOf(id);
    for (let step = 1; step <= order.length; step += 1) {
      const other = order[(at + direction * step + order.length * 2) % order.length]!;
      const total = this.count(other);
      if (total > 0) return this.at(other, direction === 1 ? 0 : total - 1);
    }
    return undefined;
  }

  /**
   * Position of a match after its paragraph was searched again: the match in code that is closest
   * to its old offset, or the same index in results, or the next match.
   */
  relocate(position: MatchPosition): MatchPosition | undefined {
    const { id, from } = position;
    const n = from >= 0 ? nearest(this.#found.get(id)?.code ?? [], from) : position.n;
    const total = this.count(id);
    if (n >= 0 && n < total) return this.at(id, n);
    return total > 0 ? this.at(id, total - 1) : this.beside({ ...position, n: 0 }, 1);
  }
}

function nearest(ranges: readonly TextRange[], from: number): number {
  let best = -1;
  for (const [index, range] of ranges.entries())
    if (best < 0 || Math.abs(range.from - from) < Math.abs(ranges[best]!.from - from)) best = index;
  return best;
}

/**
 * Maximum number of marks drawn in one paragraph. If there are more matches, those around the
 * current match are drawn.
 */
const MAX_MARKS = 2_000;

/** Marks of a paragraph's matches in code; `current` is the index of the current match. */
export function marksAround(code: readonly TextRange[], current: number): readonly FindMark[] {
  const start =
    code.length > MAX_MARKS
      ? Math.max(0, Math.min(code.length - MAX_MARKS, current - MAX_MARKS / 2))
      : 0;
  return code
    .slice(start, start + MAX_MARKS)
    .map((range, index) => (start + index === current ? { ...range, current: true } : range));
}

/** Whether two lists contain the same outputs. */
export function sameOutputs(a: readonly Output[], b: readonly Output[]): boolean {
  return a === b || (a.length === b.length && a.every((output, index) => output === b[index]));
}
