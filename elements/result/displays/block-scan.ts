import type { Output } from '@tiding/client';
import { type AnsiStyle, applySgr, movedRow } from '@tiding/client/model';

/** Characters scanned in one step, so that scanning a long text can be interrupted. */
export const SCAN_PIECE_CHARACTERS = 256 * 1024;
/** Characters scanned between two checks of the time budget. */
const clockEvery = 64 * 1024;

/** A position in the chunks, with the ANSI style in effect there. */
export interface BlockStart {
  readonly chunk: number;
  readonly offset: number;
  readonly style: AnsiStyle;
}

/** Finds the start of every block of lines in a growing text without parsing the lines. */
interface TextScan {
  /**
   * Continues scanning for about `budget` ms. Returns true when all chunks before `count` were
   * scanned.
   */
  read(count: number, budget: number): boolean;
  /** Start of each block of lines; the first one is the start of the text. */
  readonly blockStarts: readonly BlockStart[];
  /** Whether the cursor has moved to an earlier line. */
  readonly hasReturned: boolean;
  /** Current position of the scan. */
  readonly chunk: number;
  readonly offset: number;
}

/**
 * Line breaks, SGR colour sequences, and moves to another line, parsed like `createAnsi` does.
 * Other escape sequences affect none of them.
 */
const breakOrStyle = /\n|\x1b\[([0-;]{0,64})([mABEF])/g;
/** An incomplete colour sequence at the end of a piece. */
const incompleteStyle = /\x1b(?:\[[0-;]{0,64})?$/;

/** Creates a scanner for the starts of blocks of `blockLines` lines. */
export function createTextScan(chunks: Output['chunks'], blockLines: number): TextScan {
  const marks: BlockStart[] = [{ chunk: 0, offset: 0, style: {} }];
  let chunk = 0;
  let offset = 0;
  /** The last line so far, and the line of the cursor. */
  let lines = 0;
  let row = 0;
  let hasReturned = false;
  let style: AnsiStyle = {};
  let carry = '';

  const lineAt = (end: number): void => {
    row += 1;
    if (row <= lines) return;
    lines = row;
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
      else if (found[2] === 'm') style = applySgr(style, found[1]);
      else {
        row = movedRow(found[2]!, found[1], row, lines);
        hasReturned ||= row < lines;
      }
    }
    carry = incompleteStyle.exec(piece.slice(-70))?.[0] ?? '';
  }
  return {
    read(count, budget) {
      const until = performance.now() + budget;
      let seen = 0;
      while (chunk < count) {
        const text = chunks[chunk]!;
        const to = Math.min(text.length, offset + SCAN_PIECE_CHARACTERS);
        // Sliced, so that a chunk without line breaks isn't searched to its end in every step.
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
    blockStarts: marks,
    get hasReturned() {
      return hasReturned;
    },
    get chunk() {
      return chunk;
    },
    get offset() {
      return offset;
    },
  };
}
