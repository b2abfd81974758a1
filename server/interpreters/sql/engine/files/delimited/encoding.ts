/** Detects the encoding of a text file, and makes a copy in UTF-8 if it has another one. */
import { createReadStream, createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { FileProblem } from '../problem.ts';

const HEAD_BYTES = 4_096;
/** What the bytes 0x80 to 0x9F mean in Windows-1252. U+FFFD: the byte has no meaning. */
const WINDOWS = '€\ufffd‚ƒ„…†‡ˆ‰Š‹Œ\ufffdŽ\ufffd\ufffd‘’“”•–—˜™š›œ\ufffdžŸ';

/** Returns the name of the encoding. `target` is written unless it is UTF-8. */
export async function makeUtf8(file: string, target: string, signal: AbortSignal): Promise<string> {
  const wide = await wideEncodingOf(file);
  if (wide) {
    const decoder = new TextDecoder(wide, { fatal: true });
    await copy(file, target, signal, (bytes) => decoder.decode(bytes, { stream: true }));
    return wide.toUpperCase();
  }
  if (await isUtf8(file, signal)) return 'UTF-8';
  let name = 'Latin-1';
  await copy(file, target, signal, (bytes) => {
    const text = bytes.toString('latin1');
    // Several letters with accents in a row: Cyrillic, Greek or Chinese in an encoding of its own.
    if (/[\xc0-\xff]{4}/.test(text)) throw unknownEncoding();
    return text.replace(/[\x80-\x9f]/g, (letter) => {
      const meaning = WINDOWS[letter.charCodeAt(0) - 0x80]!;
      if (meaning === '\ufffd') throw unknownEncoding();
      name = 'Windows-1252';
      return meaning;
    });
  });
  return name;
}

const unknownEncoding = (): FileProblem =>
  new FileProblem(
    'has an encoding that was not recognized: it is neither UTF-8 nor UTF-16, and not Western ' +
      'European. Save it as UTF-8 and try again.',
  );

/** Returns the encoding of a file of two-byte units. */
async function wideEncodingOf(file: string): Promise<'utf-16le' | 'utf-16be' | undefined> {
  const handle = await open(file);
  const buffer = Buffer.alloc(HEAD_BYTES);
  const { bytesRead } = await handle.read(buffer, 0, HEAD_BYTES, 0).finally(() => handle.close());
  const head = buffer.subarray(0, bytesRead);
  if (/^(?:504b0304|d0cf11e0|1f8b|50415231)/.test(head.toString('hex', 0, 4)))
    throw new FileProblem('is not a text file. Give it the ending of its type and try again.');
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  // ASCII in UTF-16 has a zero in every second byte.
  const zeros = [0, 0];
  head.forEach((byte, at) => {
    if (byte === 0) zeros[at % 2]! += 1;
  });
  const [even, odd] = zeros as [number, number];
  if (bytesRead === 0 || Math.max(even, odd) < bytesRead / 4) return undefined;
  return odd > even ? 'utf-16le' : 'utf-16be';
}

async function isUtf8(file: string, signal: AbortSignal): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const bytes of createReadStream(file, { signal, highWaterMark: 2 ** 20 }))
      decoder.decode(bytes as Buffer, { stream: true });
    decoder.decode();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return false;
    throw error;
  }
}

const copy = (
  file: string,
  target: string,
  signal: AbortSignal,
  decode: (bytes: Buffer) => string,
): Promise<void> =>
  pipeline(
    createReadStream(file, { highWaterMark: 2 ** 20 }),
    async function* (source) {
      for await (const bytes of source) {
        const text = decode(bytes as Buffer);
        if (text !== '') yield text;
      }
    },
    createWriteStream(target, { mode: 0o600 }),
    { signal },
  );
