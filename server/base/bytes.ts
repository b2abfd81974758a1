/** Bytes that arrive in parts. */
import { setImmediate } from 'node:timers/promises';

/** Bytes that are copied before other work has its turn. */
const TURN_BYTES = 2 ** 22;

/** Joins parts into a buffer of its own, with pauses. */
export async function joined(parts: readonly Uint8Array[]): Promise<Buffer<ArrayBuffer>> {
  const bytes = Buffer.allocUnsafeSlow(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  let turn = TURN_BYTES;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
    if (at < turn) continue;
    turn = at + TURN_BYTES;
    await setImmediate();
  }
  return bytes;
}

/** Reads at most `max` bytes. If there are more, ends the source and throws `tooLong()`. */
export async function readAtMost(
  source: AsyncIterable<Uint8Array>,
  max: number,
  tooLong: () => Error,
): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of source) {
    size += part.length;
    if (size > max) throw tooLong();
    parts.push(part);
  }
  return Buffer.concat(parts);
}
