import type { Output } from '@tiding/client';
import { type AnsiLine, type AnsiParser, createAnsi, REACHED_LINES } from '@tiding/client/model';
import { type BlockStart, createTextScan, SCAN_PIECE_CHARACTERS } from './block-scan.ts';

/** Lines per block, the unit that is laid out again when output changes. */
export const LINES_PER_BLOCK = 50;
/** Blocks that later text can still change. */
const reachedBlocks = Math.ceil(REACHED_LINES / LINES_PER_BLOCK) + 1;
/** Blocks parsed at the end of a long text; earlier ones are parsed on demand. */
const endBlocks = 40;
/** Blocks kept behind the requested ones before they are released. */
const keptBlocks = 400;

/** Lines rendered together. The object of a block changes when its lines do. */
export interface TextLineBlock {
  readonly index: number;
  readonly lines: readonly AnsiLine[];
}

/**
 * Parsed lines of a growing text output. Of a long output only the blocks near the requested ones
 * are kept.
 */
export interface TextLog {
  /**
   * Parses further for about `budget` ms. Returns true when all chunks before `count` are parsed.
   *
   * @param first index of the first block needed, null for the end of the text
   */
  read(count: number, budget: number, first?: number | null): boolean;
  /** Number of lines so far; a trailing line break doesn't start a new line. */
  readonly lineCount: number;
  readonly blockCount: number;
  blocks(from: number): TextLineBlock[];
}

/** A parser that starts at the beginning of a block. */
interface Reader {
  /** Index of the block the parser started at. */
  readonly base: number;
  readonly ansi: AnsiParser;
  chunk: number;
  offset: number;
}

/**
 * Creates the line parser for an output's chunks. Output objects that share the chunks array can
 * share the parser. `replaces`: see `createAnsi`.
 */
export function createTextLog(chunks: Output['chunks'], replaces = false): TextLog {
  const scan = createTextScan(chunks, LINES_PER_BLOCK);
  const cache = new Map<number, TextLineBlock>();
  let end: Reader | undefined;

  const readerAt = (base: number): Reader => {
    const { chunk, offset, style }: BlockStart = scan.blockStarts[base]!;
    const above = base * LINES_PER_BLOCK;
    return { base, ansi: createAnsi(style, { above, replaces }), chunk, offset };
  };
  /**
   * Parses up to a position or until the time is up. Returns the first line that changed, or -1.
   */
  function advance(reader: Reader, toChunk: number, toOffset: number, until: number): number {
    let changed = -1;
    while (reader.chunk < toChunk || (reader.chunk === toChunk && reader.offset < toOffset)) {
      const text = chunks[reader.chunk]!;
      const last = Math.min(
        reader.chunk === toChunk ? toOffset : text.length,
        reader.offset + SCAN_PIECE_CHARACTERS,
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
      ? end.base * LINES_PER_BLOCK +
        end.ansi.lines.length -
        (end.ansi.lines.at(-1)!.length === 0 ? 1 : 0)
      : 0;
  const blockCount = (): number => Math.ceil(lineCount() / LINES_PER_BLOCK);
  /** Caches a complete block. */
  const keep = (index: number, lines: readonly AnsiLine[]): TextLineBlock => {
    let block = cache.get(index);
    if (!block) cache.set(index, (block = { index, lines }));
    return block;
  };

  return {
    read(count, budget, first = null) {
      const until = performance.now() + budget;
      if (!scan.read(count, budget)) return false;
      const newest = scan.blockStarts.length - 1;
      const wanted = Math.min(first ?? Infinity, Math.max(0, newest - endBlocks));
      const at = end && end.base + Math.floor((end.ansi.lines.length - 1) / LINES_PER_BLOCK);
      // Skip text far before the requested blocks instead of parsing through it.
      const jump = !end || (wanted > end.base && (wanted > at! || wanted - end.base > keptBlocks));
      if (jump) {
        end = readerAt(wanted);
        for (const index of cache.keys())
          if (index < wanted || index >= newest - (scan.hasReturned ? reachedBlocks : 0))
            cache.delete(index);
      }
      const changed = advance(end!, scan.chunk, scan.offset, until);
      // After a jump, complete blocks are parsed again with the same result, so the cache stays
      // valid.
      if (changed >= 0 && !jump) {
        const from = end!.base + Math.floor(changed / LINES_PER_BLOCK);
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
        // Earlier blocks: parse from the first missing one up to the known ones.
        const reader = readerAt(missing);
        const to = scan.blockStarts[end.base + reachedBlocks] ?? scan;
        advance(reader, to.chunk, to.offset, Infinity);
        for (let index = missing; index < end.base; index += 1)
          keep(
            index,
            reader.ansi.lines.slice(
              (index - missing) * LINES_PER_BLOCK,
              (index - missing + 1) * LINES_PER_BLOCK,
            ),
          );
      }
      const blocks: TextLineBlock[] = [];
      for (let index = from; index < last; index += 1) {
        const start = (index - end.base) * LINES_PER_BLOCK;
        blocks.push(
          cache.get(index) ??
            keep(
              index,
              end.ansi.lines.slice(
                start,
                Math.min(start + LINES_PER_BLOCK, lineCount() - end.base * LINES_PER_BLOCK),
              ),
            ),
        );
      }
      return blocks;
    },
  };
}
