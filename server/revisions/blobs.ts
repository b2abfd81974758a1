/**
 * Reads and writes the texts of notes in a git repository in pieces, between which other work is
 * done. isomorphic-git would block the server for a second with a large note.
 */
import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { createDeflate, createInflate } from 'node:zlib';
import type { TreeEntry } from 'isomorphic-git';
import { joined } from '../base/bytes.ts';
import { git } from './git.ts';

/** The arguments that all calls of a repository have. */
type Repository = Pick<Parameters<typeof git.writeObject>[0], 'fs' | 'gitdir'>;

const PIECE_BYTES = 2 ** 18;

/** Stores a text, given in parts. Returns its id. */
export async function writeBlob(repo: Repository, parts: readonly Buffer[]): Promise<string> {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const hash = createHash('sha1');
  function* pieces() {
    for (const part of [Buffer.from(`blob ${length}\0`), ...parts])
      for (let at = 0; at < part.length; at += PIECE_BYTES) {
        const piece = part.subarray(at, at + PIECE_BYTES);
        hash.update(piece);
        yield piece;
      }
  }
  const deflated: Buffer[] = [];
  await pipeline(pieces, createDeflate({ chunkSize: PIECE_BYTES }), async (chunks) => {
    for await (const chunk of chunks) deflated.push(chunk as Buffer);
  });
  const oid = hash.digest('hex');
  const object = await joined(deflated);
  return git.writeObject({ ...repo, type: 'blob', object, format: 'deflated', oid });
}

/** Reads a text; throws if the object is not one. */
export async function readBlob(repo: Repository, { oid }: TreeEntry): Promise<Buffer> {
  const { object, format, type } = await git.readObject({ ...repo, oid, format: 'deflated' });
  const { buffer, byteOffset, byteLength } = object as Uint8Array;
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  // Objects of a pack are inflated already.
  if (format === 'content' && type === 'blob') return bytes;
  const inflated: Buffer[] = [];
  await pipeline([bytes], createInflate({ chunkSize: PIECE_BYTES }), async (chunks) => {
    for await (const chunk of chunks) inflated.push(chunk as Buffer);
  });
  const text = await joined(inflated);
  const start = text.indexOf(0) + 1;
  if (!text.toString('latin1', 0, start).startsWith('blob ')) throw new Error('not a text');
  return text.subarray(start);
}
