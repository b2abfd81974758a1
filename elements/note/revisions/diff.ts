/** Two texts line by line, with marks on what changed inside of lines. Works in slices: no step holds the page for long. */
import { diff, presentableDiff } from '@codemirror/merge';

/** Lines of either text that are compared; what is beyond is told to be there. */
export const MAX_LINES = 5_000;
/** How long one step may search for a better answer, in ms; then a cruder one is taken. */
const LINES_MS = 25;
const WORDS_MS = 8;
/** After so long the page gets a turn, in ms. */
const SLICE_MS = 12;
/** Characters of one place beyond which words are not compared. */
const MAX_WORD_TEXT = 10_000;
/** Where more of a line than this changed, marks say nothing. */
const MAX_MARKED = 0.8;
/** Unchanged lines that stay around a change. */
const CONTEXT = 3;

/** A stretch of a line, from and to a character. */
export type Mark = readonly [from: number, to: number];

/** One line of the answer. */
export interface DiffRow {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
  /** Number of the line in the first text, from 1; absent where only the second has it. */
  readonly before?: number;
  /** Number of the line in the second text. */
  readonly after?: number;
  /** What changed inside of the line; empty: all of it, or nothing. */
  readonly marks: readonly Mark[];
}

/** What became of a text. */
export interface TextDiff {
  readonly rows: readonly DiffRow[];
  /** Lines that only the second has, and only the first. */
  readonly added: number;
  readonly removed: number;
  /** One of the texts is longer than what was compared. */
  readonly cut: boolean;
}

/** Lets the page do something else. */
const breathe = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve);
  });

/** The lines of a text; none of an empty or an absent one. */
const linesOf = (text: string): string[] => (text === '' ? [] : text.split('\n'));

/** Each different line as one character, so that a comparison of characters compares lines. Stays below the surrogates. */
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

/** Parts of one line out of the marks of a text in which the line starts at `offset`. */
function marksOf(line: string, offset: number, ranges: readonly Mark[]): Mark[] {
  const marks: [number, number][] = [];
  for (const range of ranges) {
    let [from, to] = [Math.max(0, range[0] - offset), Math.min(line.length, range[1] - offset)];
    if (from >= to) continue;
    // Words and numbers are read as a whole.
    while (from > 0 && wordly.test(line[from - 1]!) && wordly.test(line[from]!)) from -= 1;
    while (to < line.length && wordly.test(line[to]!) && wordly.test(line[to - 1]!)) to += 1;
    const last = marks.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else marks.push([from, to]);
  }
  const marked = marks.reduce((sum, [from, to]) => sum + line.slice(from, to).trim().length, 0);
  return marked > line.trim().length * MAX_MARKED ? [] : marks;
}

/** Compares two texts; `undefined` is one that is not there. Rejects with the signal's reason when it is aborted. */
export async function diffText(
  first: string | undefined,
  second: string | undefined,
  signal?: AbortSignal,
): Promise<TextDiff> {
  const whole = [linesOf(first ?? ''), linesOf(second ?? '')] as const;
  const [a, b] = [whole[0].slice(0, MAX_LINES), whole[1].slice(0, MAX_LINES)];
  const encode = coder();
  const changes = diff(encode(a), encode(b), { scanLimit: 500, timeout: LINES_MS });
  await breathe();
  signal?.throwIfAborted();
  const rows: DiffRow[] = [];
  let added = 0;
  let removed = 0;
  let [atA, atB] = [0, 0];
  let turn = performance.now();
  const same = (until: number) => {
    for (; atA < until; atA += 1, atB += 1)
      rows.push({ kind: 'same', text: a[atA]!, before: atA + 1, after: atB + 1, marks: [] });
  };
  for (const { fromA, toA, fromB, toB } of changes) {
    if (performance.now() - turn > SLICE_MS) {
      await breathe();
      signal?.throwIfAborted();
      turn = performance.now();
    }
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
      ranges: readonly Mark[],
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
      words.map((change): Mark => [change.fromA, change.toA]),
    );
    put(
      come,
      'added',
      fromB,
      words.map((change): Mark => [change.fromB, change.toB]),
    );
    removed += gone.length;
    added += come.length;
    [atA, atB] = [toA, toB];
  }
  same(a.length);
  return { rows, added, removed, cut: whole.some((lines) => lines.length > MAX_LINES) };
}

/** Rows that stand together, or some that nothing happened to and that are shown when asked for. */
export interface DiffPart {
  readonly folded: boolean;
  readonly rows: readonly DiffRow[];
}

/** Folds long runs of unchanged lines away from changes. Where nothing changed, nothing is folded. */
export function foldRows(rows: readonly DiffRow[]): DiffPart[] {
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

/** Coloured stretches of a line, cut where marks begin and end. */
export function markedPieces<Piece extends { readonly text: string }>(
  pieces: readonly Piece[],
  marks: readonly Mark[],
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
