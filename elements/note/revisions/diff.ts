/**
 * Compares two texts line by line and marks changes within lines. It yields regularly, so that it
 * does not block the page.
 */
import { diff, presentableDiff } from '@codemirror/merge';
import { nextTask, sliceYielder } from '../../runtime/slices.ts';

/** Maximum number of lines of either text that are compared; the result says whether it was cut. */
export const MAX_LINES = 5_000;
/**
 * Time limits for finding a minimal diff of lines and of words, in ms; after that a cruder diff is
 * used. They pass while other processes run, so they are longer than the work.
 */
const LINES_MS = 50;
const WORDS_MS = 50;
/** Work time after which the computation yields, in ms. */
const SLICE_MS = 12;
/** Changes longer than this, in characters, are not compared word by word. */
const MAX_WORD_TEXT = 10_000;
/** If a larger part of a line changed, no marks are set, because they would not help. */
const MAX_MARKED = 0.8;
/** Number of unchanged lines shown around a change. */
const CONTEXT = 3;

/** A range of characters in a line, `to` exclusive. */
type DiffMark = readonly [from: number, to: number];

/** One line of a diff. */
export interface DiffRow {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
  /** Line number in the first text, starting at 1; absent in added lines. */
  readonly before?: number;
  /** Line number in the second text, starting at 1; absent in removed lines. */
  readonly after?: number;
  /** Changed ranges in the line. Empty if all of it or nothing changed. */
  readonly marks: readonly DiffMark[];
}

/** Result of comparing two texts. */
export interface TextDiff {
  readonly rows: readonly DiffRow[];
  /** Number of lines only in the second text, and only in the first. */
  readonly added: number;
  readonly removed: number;
  /** Whether a text is longer than what was compared. */
  readonly cut: boolean;
}

/** Splits a text into lines; an empty text has none. */
const linesOf = (text: string): string[] => (text === '' ? [] : text.split('\n'));

/**
 * Encodes each distinct line as one character, so that a character diff compares lines. With
 * `MAX_LINES` per text, codes stay below the surrogates.
 */
function coder(): (lines: readonly string[]) => string {
  const codes = new Map<string, number>();
  return (lines) =>
    lines
      .map((line) => {
        let code = codes.get(line);
        if (code === undefined) codes.set(line, (code = codes.size + 1));
        return String.fromCharCode(code);
      })
      .join('');
}

const wordly = /[\p{L}\p{N}_]/u;

/** Returns the parts of `ranges` that lie in a line that starts at `offset`. */
function marksOf(line: string, offset: number, ranges: readonly DiffMark[]): DiffMark[] {
  const marks: [number, number][] = [];
  for (const range of ranges) {
    let [from, to] = [Math.max(0, range[0] - offset), Math.min(line.length, range[1] - offset)];
    if (from >= to) continue;
    // Extend marks to whole words and numbers.
    while (from > 0 && wordly.test(line[from - 1]!) && wordly.test(line[from]!)) from -= 1;
    while (to < line.length && wordly.test(line[to]!) && wordly.test(line[to - 1]!)) to += 1;
    const last = marks.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else marks.push([from, to]);
  }
  const marked = marks.reduce((sum, [from, to]) => sum + line.slice(from, to).trim().length, 0);
  return marked > line.trim().length * MAX_MARKED ? [] : marks;
}

/**
 * Compares two texts; `undefined` is a missing text. Rejects with the signal's reason when aborted.
 */
export async function diffText(
  first: string | undefined,
  second: string | undefined,
  signal?: AbortSignal,
): Promise<TextDiff> {
  const whole = [linesOf(first ?? ''), linesOf(second ?? '')] as const;
  const [a, b] = [whole[0].slice(0, MAX_LINES), whole[1].slice(0, MAX_LINES)];
  const encode = coder();
  const changes = diff(encode(a), encode(b), { scanLimit: 500, timeout: LINES_MS });
  await nextTask();
  signal?.throwIfAborted();
  const rows: DiffRow[] = [];
  let added = 0;
  let removed = 0;
  let [atA, atB] = [0, 0];
  const rest = sliceYielder({ sliceMs: SLICE_MS });
  const same = (until: number) => {
    for (; atA < until; atA += 1, atB += 1)
      rows.push({ kind: 'same', text: a[atA]!, before: atA + 1, after: atB + 1, marks: [] });
  };
  for (const { fromA, toA, fromB, toB } of changes) {
    await rest();
    signal?.throwIfAborted();
    same(fromA);
    const [gone, come] = [a.slice(fromA, toA), b.slice(fromB, toB)];
    const [goneText, comeText] = [gone.join('\n'), come.join('\n')];
    const words =
      gone.length > 0 && come.length > 0 && goneText.length + comeText.length <= MAX_WORD_TEXT
        ? presentableDiff(goneText, comeText, { scanLimit: 200, timeout: WORDS_MS })
        : [];
    const put = (
      lines: readonly string[],
      kind: 'added' | 'removed',
      start: number,
      ranges: readonly DiffMark[],
    ) => {
      let offset = 0;
      for (const [index, line] of lines.entries()) {
        rows.push({
          kind,
          text: line,
          ...(kind === 'removed' ? { before: start + index + 1 } : { after: start + index + 1 }),
          marks: marksOf(line, offset, ranges),
        });
        offset += line.length + 1;
      }
    };
    put(
      gone,
      'removed',
      fromA,
      words.map((change): DiffMark => [change.fromA, change.toA]),
    );
    put(
      come,
      'added',
      fromB,
      words.map((change): DiffMark => [change.fromB, change.toB]),
    );
    removed += gone.length;
    added += come.length;
    [atA, atB] = [toA, toB];
  }
  same(a.length);
  return { rows, added, removed, cut: whole.some((lines) => lines.length > MAX_LINES) };
}

/** Consecutive rows of a diff; folded rows are unchanged and shown on request. */
export interface DiffSection {
  readonly folded: boolean;
  readonly rows: readonly DiffRow[];
}

/** Folds long runs of unchanged lines. If nothing changed, nothing is folded. */
export function foldRows(rows: readonly DiffRow[]): DiffSection[] {
  const parts: { folded: boolean; rows: DiffRow[] }[] = [];
  const put = (folded: boolean, more: DiffRow[]) => {
    const last = parts.at(-1);
    if (more.length === 0) return;
    if (last && !last.folded && !folded) last.rows.push(...more);
    else parts.push({ folded, rows: more });
  };
  for (let at = 0; at < rows.length; ) {
    let end = at;
    while (end < rows.length && (rows[end]!.kind === 'same') === (rows[at]!.kind === 'same'))
      end += 1;
    const run = rows.slice(at, end);
    const [head, tail] = [at === 0 ? 0 : CONTEXT, end === rows.length ? 0 : CONTEXT];
    if (
      rows[at]!.kind !== 'same' ||
      run.length === rows.length ||
      run.length <= head + tail + CONTEXT
    )
      put(false, run);
    else {
      put(false, run.slice(0, head));
      put(true, run.slice(head, run.length - tail));
      put(false, run.slice(run.length - tail));
    }
    at = end;
  }
  return parts;
}

/** Splits highlighted pieces of a line at the edges of marks. */
export function markedPieces<Piece extends { readonly text: string }>(
  pieces: readonly Piece[],
  marks: readonly DiffMark[],
): (Piece & { marked: boolean })[] {
  const cut: (Piece & { marked: boolean })[] = [];
  let offset = 0;
  for (const piece of pieces) {
    const end = offset + piece.text.length;
    const edges = new Set([offset, end]);
    for (const [from, to] of marks)
      for (const edge of [from, to]) if (edge > offset && edge < end) edges.add(edge);
    const sorted = [...edges].sort((x, y) => x - y);
    for (let index = 0; index + 1 < sorted.length; index += 1) {
      const [from, to] = [sorted[index]!, sorted[index + 1]!];
      cut.push({
        ...piece,
        text: piece.text.slice(from - offset, to - offset),
        marked: marks.some(([start, stop]) => start <= from && to <= stop),
      });
    }
    offset = end;
  }
  return cut;
}
