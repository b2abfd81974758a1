import type { Piece } from './highlight.ts';

/** A search match, as offsets in the text; `current` marks the selected match. */
export interface FindMark {
  readonly from: number;
  readonly to: number;
  readonly current?: boolean;
}

/** A range that gets an additional class. Spans of one list do not overlap. */
export interface Span {
  readonly from: number;
  readonly to: number;
  readonly className: string;
}

/** Adds the classes of spans to highlighted lines; pieces are split at the edges of spans. */
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

export function markSpans(marks: readonly FindMark[]): Span[] {
  return marks
    .filter(({ from, to }) => from < to)
    .map(({ from, to, current }) => ({
      from,
      to,
      className: current ? 'find-match find-current' : 'find-match',
    }));
}
