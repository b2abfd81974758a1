/** Decodes text files whose encoding is not known. */

/** `coding` in the first two lines of a Python script (PEP 263). */
const DECLARED = /^(?:[^\n]*\n)?[ \t\f]*#[^\n]*?coding[:=][ \t]*([-\w.]+)/;
/** Bytes of the start that are searched for a declaration or for UTF-16. */
const HEAD_BYTES = 1024;
/** What Western text in Windows-1252 has beyond ASCII, and where it has it: single or in pairs. */
const WESTERN = /^[\u00a0-\u00ff€‚„…†‡‰Š‹ŒŽ‘’“”•–—™š›œžŸ]*$/;
const LONG_RUN = /[\u00c0-\u00ff]{4}/;

/** The characters of the bytes 0x80 to 0x9f in Windows-1252. */
const UPPER = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

/** Some versions of Node decode this encoding as Latin-1. */
const decoded1252 = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => UPPER[byte - 0x80] ?? String.fromCharCode(byte)).join('');

function decoded(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    const decoder = new TextDecoder(encoding, { fatal: true });
    return decoder.encoding === 'windows-1252' ? decoded1252(bytes) : decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Returns the encoding that a byte-order mark, zero bytes or a declaration tell. */
function statedEncoding(bytes: Uint8Array): string | undefined {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  const head = bytes.subarray(0, HEAD_BYTES);
  const zeros = [0, 0];
  for (const [at, byte] of head.entries()) if (byte === 0) zeros[at % 2]! += 1;
  // Half of the bytes of ASCII in UTF-16 are zero.
  if (zeros[1]! > head.length / 4 && zeros[0] === 0) return 'utf-16le';
  if (zeros[0]! > head.length / 4 && zeros[1] === 0) return 'utf-16be';
  const [, declared] = DECLARED.exec(String.fromCharCode(...head)) ?? [];
  return declared
    ?.toLowerCase()
    .replace(/_/g, '-')
    .replace(/^latin-(\d+)$/, 'latin$1');
}

/**
 * Decodes UTF-8, UTF-16, a declared encoding, and Windows-1252, which includes Latin-1. Returns
 * `undefined` if the bytes may be text in several other encodings; never replaces a character.
 */
export function decodeText(bytes: Uint8Array): string | undefined {
  const stated = statedEncoding(bytes);
  const text = stated?.startsWith('utf-16') ? undefined : decoded(bytes, 'utf-8');
  if (text !== undefined) return text;
  // An exported script is in UTF-8.
  if (stated !== undefined)
    return decoded(bytes, stated)?.replace(DECLARED, (line) => line.replace(/[-\w.]+$/, 'utf-8'));
  const western = decoded1252(bytes);
  const others = western.replace(/[\t-\r -~]+/g, '');
  return WESTERN.test(others) && !LONG_RUN.test(western) ? western : undefined;
}
