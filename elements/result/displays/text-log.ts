import type { Output } from 'tiding/client';
import { createAnsi, type AnsiLine, type AnsiParser } from 'tiding/model';
import { createTextScan, pieceSize, type Mark } from './text-scan.ts';

/** Lines of one block: what a change makes the page lay out again. */
export const blockLines = 50;
/** Blocks that are read at the end of a long text; more are read when they are asked for. */
const endBlocks = 40;
/** Blocks that gather behind the ones wanted before they are let go. */
const keptBlocks = 400;

/** Some lines that are drawn together. A block that is full keeps its identity for good. */
export interface Block {
  readonly index: number;
  readonly lines: readonly AnsiLine[];
}

/** The lines of a text output, read once as it grows. Of a long one only those near to what is wanted are kept. */
export interface TextLog {
  /**
   * Reads on for at most about `budget` ms; true when everything up to `count` has been read.
   *
   * @param first first block that is wanted, null for the end
   */
  read(count: number, budget: number, first?: number | null): boolean;
  /** Lines so far; a line break at the very end begins none. */
  readonly lineCount: number;
  readonly blockCount: number;
  /** Blocks from one on to the end. */
  blocks(from: number): Block[];
}

/** Reads lines from the begin of a block on. */
interface Reader {
  /** Number of that block. */
  readonly base: number;
  readonly ansi: AnsiParser;
  chunk: number;
  offset: number;
}

/** A reader for the chunks of an output; records that share the chunks share the reader. */
export function createTextLog(chunks: Output['chunks']): TextLog {
  const scan = createTextScan(chunks, blockLines);
  const cache = new Map<number, Block>();
  let end: Reader | undefined;

  const readerAt = (base: number): Reader => {
    const { chunk, offset, style }: Mark = scan.marks[base]!;
    return { base, ansi: createAnsi(style), chunk, offset };
  };
  /** Reads up to a place, or until the time is over; the first line that is new or different since, -1 without. */
  function advance(reader: Reader, toChunk: number, toOffset: number, until: number): number {
    let changed = -1;
    while (reader.chunk < toChunk || (reader.chunk === toChunk && reader.offset < toOffset)) {
      const text = chunks[reader.chunk]!;
      const last = Math.min(
        reader.chunk === toChunk ? toOffset : text.length,
        reader.offset + pieceSize,
      );
      const line = reader.ansi.write(
        reader.offset === 0 && last === text.length ? text : text.slice(reader.offset, last),
      );
      changed = changed < 0 ? line : Math.min(changed, line);
      reader.offset = last;
      if (last >= text.length) {
        reader.chunk += 1;
        reader.offset = 0;
      }
      if (performance.now() >= until) break;
    }
    return changed;
  }
  const lineCount = (): number =>
    end
      ? end.base * blockLines +
        end.ansi.lines.length -
        (end.ansi.lines.at(-1)!.length === 0 ? 1 : 0)
      : 0;
  const blockCount = (): number => Math.ceil(lineCount() / blockLines);
  /** Keeps a block that will not change any more. */
  const keep = (index: number, lines: readonly AnsiLine[]): Block => {
    let block = cache.get(index);
    if (!block) cache.set(index, (block = { index, lines }));
    return block;
  };

  return {
    read(count, budget, first = null) {
      const until = performance.now() + budget;
      if (!scan.read(count, budget)) return false;
      const newest = scan.marks.length - 1;
      const wanted = Math.min(first ?? Infinity, Math.max(0, newest - endBlocks));
      const at = end && end.base + Math.floor((end.ansi.lines.length - 1) / blockLines);
      // What lies far behind, or would have to be read only to be passed, is left out.
      const jump = !end || (wanted > end.base && (wanted > at! || wanted - end.base > keptBlocks));
      if (jump) {
        end = readerAt(wanted);
        for (const index of cache.keys())
          if (index < wanted || index >= newest) cache.delete(index);
      }
      const changed = advance(end!, scan.chunk, scan.offset, until);
      // Full blocks that are read a second time are what they were.
      if (changed >= 0 && !jump) {
        const from = end!.base + Math.floor(changed / blockLines);
        for (const index of cache.keys()) if (index >= from) cache.delete(index);
      }
      return end!.chunk >= count;
    },
    get lineCount() {
      return lineCount();
    },
    get blockCount() {
      return blockCount();
    },
    blocks(from) {
      if (!end) return [];
      const last = blockCount();
      let missing = from;
      while (missing < end.base && cache.has(missing)) missing += 1;
      if (missing < end.base) {
        // Lines above: read up to where they are known.
        const reader = readerAt(missing);
        const to = scan.marks[end.base]!;
        advance(reader, to.chunk, to.offset, Infinity);
        for (let index = missing; index < end.base; index += 1)
          keep(
            index,
            reader.ansi.lines.slice(
              (index - missing) * blockLines,
              (index - missing + 1) * blockLines,
            ),
          );
      }
      const blocks: Block[] = [];
      for (let index = from; index < last; index += 1) {
        const start = (index - end.base) * blockLines;
        blocks.push(
          cache.get(index) ??
            keep(
              index,
              end.ansi.lines.slice(
                start,
                Math.min(start + blockLines, lineCount() - end.base * blockLines),
              ),
            ),
        );
      }
      return blocks;
    },
  };
}
