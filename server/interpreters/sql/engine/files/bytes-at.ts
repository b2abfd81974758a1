/** Reads a part of a file. */
import { open } from 'node:fs/promises';

/** Returns the bytes of a file at a position: `length`, or fewer at its end. */
export async function bytesAt(file: string, position: number, length: number): Promise<Buffer> {
  const handle = await open(file);
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await handle.read(bytes, 0, length, position).finally(() => handle.close());
  return bytes.subarray(0, bytesRead);
}
