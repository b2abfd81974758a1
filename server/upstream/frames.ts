/** Checks frames from Zeppelin before they are forwarded to a page. */

/**
 * Larger frames are only checked superficially, so that notes are forwarded as fast as they arrive.
 * In bytes.
 */
const MAX_PARSED = 65_536;
const [OPEN, CLOSE] = [0x7b, 0x7d];
const isSpace = (byte: number | undefined) =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** Returns whether a frame is a message: a JSON object with an operation. */
export function isFrame(bytes: Buffer): boolean {
  let [first, last] = [0, bytes.length - 1];
  while (first < last && isSpace(bytes[first])) first += 1;
  while (last > first && isSpace(bytes[last])) last -= 1;
  if (bytes[first] !== OPEN || bytes[last] !== CLOSE) return false;
  if (bytes.length > MAX_PARSED) return true;
  try {
    return typeof (JSON.parse(bytes.toString('utf8')) as { op?: unknown }).op === 'string';
  } catch {
    return false;
  }
}
