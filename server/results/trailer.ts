/**
 * The trailer of a stored table's file, after the end of the Arrow stream, where stream readers do
 * not look. It identifies the output and lists the batches. It is written last: a file without it
 * is incomplete.
 */
import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';

/** Identifies the output of a stored table and locates its batches. */
export interface Trailer {
  readonly rows: number;
  /**
   * Hash of the text that shows the first rows. A file belongs to the output with this hash only.
   */
  readonly digest: string;
  /** Offset of the first batch, after the start of the stream. */
  readonly head: number;
  /** For each batch: its end offset, and the number of rows up to there. */
  readonly batches: readonly (readonly [end: number, rows: number])[];
}

const MAGIC = Buffer.from('TDRESULT');
/** Length of the JSON before it, and the magic bytes. */
const FOOT = 4 + MAGIC.length;
/** Maximum length of a trailer: 10 million batches. */
const MAX = 256 * 2 ** 20;

/** Hash that identifies the text of an output. */
export const digestOf = (text: string): string =>
  createHash('sha256').update(text).digest('base64url');

/** Encodes a trailer. */
export function trailerBytes(trailer: Trailer): Buffer {
  const json = Buffer.from(JSON.stringify(trailer));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(json.length);
  return Buffer.concat([json, length, MAGIC]);
}

/** Reads the trailer of a file; `undefined` if there is no valid one. */
export async function readTrailer(handle: FileHandle): Promise<Trailer | undefined> {
  const { size } = await handle.stat();
  if (size < FOOT) return undefined;
  const foot = Buffer.alloc(FOOT);
  await handle.read(foot, 0, FOOT, size - FOOT);
  const length = foot.readUInt32LE(0);
  if (!foot.subarray(4).equals(MAGIC) || length > Math.min(size - FOOT, MAX)) return undefined;
  const json = Buffer.alloc(length);
  await handle.read(json, 0, length, size - FOOT - length);
  try {
    const trailer = JSON.parse(json.toString()) as Trailer;
    const last = trailer.batches.at(-1);
    const end = last?.[0] ?? trailer.head;
    // 8 bytes end the stream.
    return end + 8 === size - FOOT - length && (last?.[1] ?? 0) === trailer.rows
      ? trailer
      : undefined;
  } catch {
    return undefined;
  }
}
