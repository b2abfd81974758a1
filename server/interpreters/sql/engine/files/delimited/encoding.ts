/** Detects the encoding of a text file, and makes a copy in UTF-8 if it has another one. */
import { createReadStream, createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { bytesAt } from '../bytes-at.ts';
import type { Guesses } from '../guesses.ts';
import { FileProblem } from '../problem.ts';

const HEAD_BYTES = 4_096;
/** What the bytes 0x80 to 0x9F mean in Windows-1252, which Node 20 decodes as Latin-1. */
const WINDOWS = '€\ufffd‚ƒ„…†‡ˆ‰Š‹Œ\ufffdŽ\ufffd\ufffd‘’“”•–—˜™š›œ\ufffdžŸ';
/** Those without a meaning. */
const UNUSED = /[\x81\x8d\x8f\x90\x9d]/;

/** Encodings that can be chosen, all of which `TextDecoder` knows. */
const ENCODINGS = [
  ...['UTF-8', 'UTF-16LE', 'UTF-16BE', 'Latin-1', 'Windows-1252', 'ISO-8859-15'],
  ...['Windows-1250', 'ISO-8859-2', 'Windows-1251', 'KOI8-R', 'Windows-1253', 'Windows-1254'],
  ...['Shift_JIS', 'EUC-JP', 'GB18030', 'Big5', 'EUC-KR'],
];
/** Shown first in a preview of a file whose encoding was not recognized. */
const UNKNOWN = 'Windows-1251';

interface EncodingOptions {
  readonly guesses: Guesses;
  /** Whether the user sees a preview, so that an uncertain encoding is only a remark. */
  readonly asks: boolean;
  /** Whether the engine skips a byte order mark, which it doesn't in JSON. */
  readonly allowsBom: boolean;
}

/**
 * Returns the name of the encoding. `target` is written unless the file can be read as UTF-8.
 */
export async function makeUtf8(
  file: string,
  target: string,
  { guesses, asks, allowsBom }: EncodingOptions,
  signal: AbortSignal,
): Promise<string> {
  let isUnknown = false;
  const guess =
    guesses.chosen('encoding') ??
    (await encodingOf(file, signal).catch((error: unknown) => {
      if (!asks || error !== unknownEncoding) throw error;
      isUnknown = true;
      return UNKNOWN;
    }));
  const name = guesses.take('encoding', guess, ENCODINGS);
  if (isUnknown)
    guesses.remarks.push('The encoding was not recognized: choose the one that gives words');
  const isPlain =
    name === 'UTF-8' && (await isUtf8(file, signal)) && (allowsBom || !(await hasBom(file)));
  if (!isPlain)
    await copy(file, target, signal, name).catch((error: unknown) => {
      if (!isEncodingError(error)) throw error;
      throw new FileProblem(`is not in ${name}. Choose another encoding.`);
    });
  return name;
}

async function encodingOf(file: string, signal: AbortSignal): Promise<string> {
  const wide = await wideEncodingOf(file);
  if (wide) return wide.toUpperCase();
  if (await isUtf8(file, signal)) return 'UTF-8';
  let name = 'Latin-1';
  for await (const bytes of createReadStream(file, { signal, highWaterMark: 2 ** 20 })) {
    const text = (bytes as Buffer).toString('latin1');
    // Several letters with accents in a row: Cyrillic, Greek or Chinese in an encoding of its own.
    if (/[\xc0-\xff]{4}/.test(text) || UNUSED.test(text)) throw unknownEncoding;
    if (/[\x80-\x9f]/.test(text)) name = 'Windows-1252';
  }
  return name;
}

const unknownEncoding = new FileProblem(
  'has an encoding that was not recognized: it is neither UTF-8 nor UTF-16, and not Western ' +
    'European. Drop it alone to choose the encoding, or save it as UTF-8 and try again.',
);

const hasBom = async (file: string): Promise<boolean> =>
  (await bytesAt(file, 0, 3)).toString('hex') === 'efbbbf';

/** Returns the encoding of a file of two-byte units. */
async function wideEncodingOf(file: string): Promise<'utf-16le' | 'utf-16be' | undefined> {
  const head = await bytesAt(file, 0, HEAD_BYTES);
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
  if (head.length === 0 || Math.max(even, odd) < head.length / 4) return undefined;
  return odd > even ? 'utf-16le' : 'utf-16be';
}

const isEncodingError = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException).code === 'ERR_ENCODING_INVALID_ENCODED_DATA';

async function isUtf8(file: string, signal: AbortSignal): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const bytes of createReadStream(file, { signal, highWaterMark: 2 ** 20 }))
      decoder.decode(bytes as Buffer, { stream: true });
    decoder.decode();
    return true;
  } catch (error) {
    if (isEncodingError(error)) return false;
    throw error;
  }
}

function copy(file: string, target: string, signal: AbortSignal, encoding: string): Promise<void> {
  const label = encoding === 'Latin-1' ? 'latin1' : encoding;
  const decoder = new TextDecoder(label, { fatal: true });
  return pipeline(
    createReadStream(file, { highWaterMark: 2 ** 20 }),
    async function* (source) {
      for await (const bytes of source) {
        const text = decoder.decode(bytes as Buffer, { stream: true });
        yield encoding === 'Windows-1252'
          ? text.replace(/[\x80-\x9f]/g, (letter) => WINDOWS[letter.charCodeAt(0) - 0x80]!)
          : text;
      }
      yield decoder.decode();
    },
    createWriteStream(target, { mode: 0o600 }),
    { signal },
  );
}
