import type { Output } from 'tiding/client';
import { createAnsi, type AnsiLine } from 'tiding/model';

/** Lines of one block: what a change makes the page lay out again. */
export const blockLines = 50;
/** Text is taken in pieces of this size, so that a long one can be left and taken up again. */
const pieceSize = 256 * 1024;

/** Some lines that are drawn together. A block that is full keeps its identity for good. */
export interface Block {
  readonly index: number;
  readonly lines: readonly AnsiLine[];
}

/** The lines of a text output, read once as it grows. */
export interface TextLog {
  /** Reads on for at most about `budget` ms; true when everything up to `count` has been read. */
  read(count: number, budget: number): boolean;
  /** Lines so far; a line break at the very end begins none. */
  readonly lineCount: number;
  readonly blockCount: number;
  /** Blocks from one on to the end. */
  blocks(from: number): Block[];
}

/** A reader for the chunks of an output; records that share the chunks share the reader. */
export function createTextLog(chunks: Output['chunks']): TextLog {
  const ansi = createAnsi();
  const cache: Block[] = [];
  let chunk = 0;
  let offset = 0;

  const lineCount = (): number => ansi.lines.length - (ansi.lines.at(-1)!.length === 0 ? 1 : 0);
  const blockCount = (): number => Math.ceil(lineCount() / blockLines);
  return {
    read(count, budget) {
      const until = performance.now() + budget;
      let changed = ansi.lines.length;
      while (chunk < count) {
        const text = chunks[chunk]!;
        changed = Math.min(changed, ansi.write(offset === 0 && text.length <= pieceSize ? text : text.slice(offset, offset + pieceSize)));
        offset += pieceSize;
        if (offset >= text.length) {
          chunk += 1;
          offset = 0;
        }
        if (performance.now() >= until) break;
      }
      cache.length = Math.min(cache.length, Math.floor(changed / blockLines));
      return chunk >= count;
    },
    get lineCount() {
      return lineCount();
    },
    get blockCount() {
      return blockCount();
    },
    blocks(from) {
      const end = blockCount();
      const blocks: Block[] = [];
      for (let index = from; index < end; index++) {
        const first = index * blockLines;
        blocks.push((cache[index] ??= { index, lines: ansi.lines.slice(first, Math.min(first + blockLines, lineCount())) }));
      }
      return blocks;
    },
  };
}
