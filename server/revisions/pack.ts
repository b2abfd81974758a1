/** Checks the size of what a git server sends before it is unpacked in memory. */
import { setImmediate as pause } from 'node:timers/promises';
import { type InputType, inflateSync } from 'node:zlib';
import { Refusal } from '../base/errors.ts';

/** Maximum size of an object, in bytes. Notes are smaller. */
const MAX_OBJECT = 64 * 2 ** 20;
/** Maximum size of all objects of a pack, in bytes. */
const MAX_OBJECTS = 2 ** 30;
/** Objects that are checked before others have their turn. */
const AT_ONCE = 100;
/** Types of objects that are changes of another object. */
const OFS_DELTA = 6;
const REF_DELTA = 7;

const tooLarge = (): Refusal =>
  new Refusal(
    409,
    `The remote has files of more than ${MAX_OBJECT / 2 ** 20} MB, or more than ` +
      `${MAX_OBJECTS / 2 ** 20} MB of changes. Use a repository that contains notes only.`,
  );
const damaged = (): Refusal => new Refusal(409, 'The remote sent a damaged answer.');

/** Returns the pack in an answer of `git-upload-pack`: the first side band of its lines. */
function packIn(answer: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at + 4 <= answer.length; ) {
    const length = Number.parseInt(answer.toString('latin1', at, at + 4), 16);
    if (Number.isNaN(length)) throw damaged();
    if (answer[at + 4] === 1 && length > 5) parts.push(answer.subarray(at + 5, at + length));
    at += Math.max(4, length);
  }
  return Buffer.concat(parts);
}

/** Reads a number whose bytes have seven bits each, the lowest first. */
function numberAt(bytes: Buffer, at: number): { value: number; next: number } {
  let value = 0;
  for (let factor = 1; ; factor *= 128) {
    const byte = bytes[at++];
    if (byte === undefined) throw damaged();
    value += (byte & 127) * factor;
    if (byte < 128) return { value, next: at };
  }
}

/** Inflates an object; its compressed data may be followed by others. */
function inflated(bytes: Buffer): { data: Buffer; used: number } {
  try {
    const options = { info: true, maxOutputLength: MAX_OBJECT };
    // The types of Node lack the result with `info`.
    const { buffer, engine } = (
      inflateSync as unknown as (
        from: InputType,
        how: typeof options,
      ) => { buffer: Buffer; engine: { bytesWritten: number } }
    )(bytes, options);
    return { data: buffer, used: engine.bytesWritten };
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? tooLarge() : damaged();
  }
}

/** Rejects with a refusal if an answer of `git-upload-pack` unpacks to more than is allowed. */
export async function checkPack(answer: Buffer): Promise<void> {
  const pack = packIn(answer);
  if (pack.length === 0) return;
  if (pack.length < 12 || pack.toString('latin1', 0, 4) !== 'PACK') throw damaged();
  let at = 12;
  let total = 0;
  for (let left = pack.readUInt32BE(8); left > 0; left -= 1) {
    const type = ((pack[at] ?? 0) >> 4) & 7;
    at = numberAt(pack, at).next;
    if (type === OFS_DELTA) at = numberAt(pack, at).next;
    else if (type === REF_DELTA) at += 20;
    const { data, used } = inflated(pack.subarray(at));
    at += used;
    const isDelta = type === OFS_DELTA || type === REF_DELTA;
    // A change begins with the sizes of the object before and after it.
    const size = isDelta ? numberAt(data, numberAt(data, 0).next).value : data.length;
    total += Math.max(size, data.length);
    if (size > MAX_OBJECT || total > MAX_OBJECTS) throw tooLarge();
    if (left % AT_ONCE === 0) await pause();
  }
}
