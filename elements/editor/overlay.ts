import type { Piece } from './highlight.ts';

/** A stretch of the text that was found, as offsets; `current` is the one the reader is at. */
export interface Mark {
  readonly from: number;
  readonly to: number;
  readonly current?: boolean;
}

/** A stretch that gets a class beside its colours. Spans of one list do not overlap. */
export interface Span {
  readonly from: number;
  readonly to: number;
  readonly className: string;
}

/** Coloured lines with the classes of some spans added; pieces are cut where a span begins or ends. */
export function overlay(lines: readonly Piece[][], spans: readonly Span[]): readonly Piece[][] {
  if (spans.length === 0) return lines;
  const sorted = spans.toSorted((one, other) => one.from - other.from);
  let next = 0;
  let offset = 0;
  return lines.map((line) => {
    const pieces: Piece[] = [];
    for (const { text, className } of line) {
      let at = 0;
      while (at < text.length) {
        while (next < sorted.length && sorted[next]!.to <= offset + at) next += 1;
        const span = sorted[next];
        const inside = span !== undefined && span.from <= offset + at;
        const end =
          span === undefined
            ? text.length
            : Math.min(text.length, (inside ? span.to : span.from) - offset);
        pieces.push({
          text: text.slice(at, end),
          className: inside ? `${className} ${span.className}`.trim() : className,
        });
        at = end;
      }
      offset += text.length;
    }
    offset += 1;
    return pieces;
  });
}

/** Spans of find marks. */
export function markSpans(marks: readonly Mark[]): Span[] {
  return marks
    .filter(({ from, to }) => from < to)
    .map(({ from, to, current }) => ({
      from,
      to,
      className: current ? 'find-match find-current' : 'find-match',
    }));
}
