/**
 * What stands behind the Arrow stream in the file of a kept table, where no reader of streams looks: which output it belongs to and
 * where its batches are. It is written last: a file without it was not finished.
 */
import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';

/** See the head of this file. */
export interface Trailer {
  readonly rows: number;
  /** Of the text that shows the first rows: a file is of that output and no other. */
  readonly digest: string;
  /** Where the first batch begins: before it is what begins the stream. */
  readonly head: number;
  /** Of each batch: where it ends, and the rows up to there. */
  readonly batches: readonly (readonly [end: number, rows: number])[];
}

const MAGIC = Buffer.from('TDRESULT');
/** The length of the JSON in front, and the magic. */
const FOOT = 4 + MAGIC.length;
/** A trailer is at most this long: 10 million batches. */
const MAX = 256 * 2 ** 20;

/** What tells the texts of outputs apart. */
export const digestOf = (text: string): string =>
  createHash('sha256').update(text).digest('base64url');

/** The bytes of a trailer. */
export function trailerBytes(trailer: Trailer): Buffer {
  const json = Buffer.from(JSON.stringify(trailer));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(json.length);
  return Buffer.concat([json, length, MAGIC]);
}

/** The trailer of a file; `undefined` where it has none that fits. */
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
