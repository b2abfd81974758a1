import type { Output } from 'tiding/client';
import { applySgr, type AnsiStyle } from 'tiding/model';

/** Text is looked through in pieces of this size, so that a long one can be left and taken up again. */
export const pieceSize = 256 * 1024;
/** Characters after which the clock is looked at. */
const clockEvery = 64 * 1024;

/** A place in the chunks, with the style in force there. */
export interface Mark {
  readonly chunk: number;
  readonly offset: number;
  readonly style: AnsiStyle;
}

/** Where every so many lines of a growing text begin, found without reading them. */
export interface TextScan {
  /** Looks on for at most about `budget` ms; true when everything up to `count` chunks has been seen. */
  read(count: number, budget: number): boolean;
  /** Begin of each block of lines; the first is the begin of the text. */
  readonly marks: readonly Mark[];
  /** Where it stands. */
  readonly chunk: number;
  readonly offset: number;
}

/** Line breaks and colours; the other sequences change neither. Colours are read as `createAnsi` does. */
const breakOrStyle = /\n|\x1b\[([0-;]{0,64})m/g;
/** The begin of a colour at the end of a piece. */
const begun = /\x1b(?:\[[0-;]{0,64})?$/;

/** Looks through the chunks of an output for the begins of blocks of `blockLines` lines. */
export function createTextScan(chunks: Output['chunks'], blockLines: number): TextScan {
  const marks: Mark[] = [{ chunk: 0, offset: 0, style: {} }];
  let chunk = 0;
  let offset = 0;
  let lines = 0;
  let style: AnsiStyle = {};
  let carry = '';

  const lineAt = (end: number): void => {
    lines += 1;
    if (lines % blockLines === 0) marks.push({ chunk, offset: end, style });
  };
  function plain(piece: string, shift: number): void {
    for (let at = piece.indexOf('\n'); at >= 0; at = piece.indexOf('\n', at + 1))
      lineAt(shift + at + 1);
  }
  function styled(piece: string, shift: number): void {
    breakOrStyle.lastIndex = 0;
    for (let found = breakOrStyle.exec(piece); found; found = breakOrStyle.exec(piece)) {
      if (found[1] === undefined) lineAt(shift + found.index + 1);
      else style = applySgr(style, found[1]);
    }
    carry = begun.exec(piece.slice(-70))?.[0] ?? '';
  }
  return {
    read(count, budget) {
      const until = performance.now() + budget;
      let seen = 0;
      while (chunk < count) {
        const text = chunks[chunk]!;
        const to = Math.min(text.length, offset + pieceSize);
        // Cut, so that one without line breaks is not looked through to its end each time.
        const piece = to === text.length && offset === 0 ? text : text.slice(offset, to);
        if (carry === '' && !piece.includes('\x1b')) plain(piece, offset);
        else styled(carry + piece, offset - carry.length);
        offset = to;
        if (offset >= text.length) {
          chunk += 1;
          offset = 0;
        }
        seen += piece.length;
        if (seen >= clockEvery || (chunk & 63) === 0) {
          seen = 0;
          if (performance.now() >= until) break;
        }
      }
      return chunk >= count;
    },
    marks,
    get chunk() {
      return chunk;
    },
    get offset() {
      return offset;
    },
  };
}
