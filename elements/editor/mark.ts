import type { Piece } from './highlight.ts';

/** A stretch of the text that is marked: offsets from 0, `to` not included; one of them may be the current one. */
export interface Mark {
  readonly from: number;
  readonly to: number;
  readonly current?: boolean;
}

/** An offset of a text as the editor counts it: `\r\n` is one line end. */
export function place(text: string, offset: number): number {
  let lost = 0;
  for (let at = text.indexOf('\r\n'); at >= 0 && at < offset; at = text.indexOf('\r\n', at + 2)) lost += 1;
  return offset - lost;
}

/** Lines in coloured pieces, cut where marks begin and end; `marks` in order and apart from each other. */
export function markLines(lines: readonly Piece[][], marks: readonly Mark[]): readonly Piece[][] {
  if (marks.length === 0) return lines;
  let next = 0;
  let offset = 0;
  return lines.map((pieces) => {
    const out: Piece[] = [];
    for (const { text, className } of pieces) {
      const end = offset + text.length;
      let at = offset;
      while (next < marks.length && marks[next]!.to <= at) next += 1;
      for (let mark = next; mark < marks.length && marks[mark]!.from < end; mark += 1) {
        const { from, to, current } = marks[mark]!;
        if (from > at) out.push({ text: text.slice(at - offset, from - offset), className });
        const start = Math.max(at, from);
        const stop = Math.min(end, to);
        out.push({ text: text.slice(start - offset, stop - offset), className: [className, 'find-match', current && 'find-current'].filter(Boolean).join(' ') });
        at = stop;
      }
      if (at < end) out.push({ text: text.slice(at - offset), className });
      offset = end;
    }
    offset += 1;
    return out;
  });
}
