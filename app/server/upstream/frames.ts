/** Frames of upstream, looked at before they go on to a page. */

/** Larger ones are looked at from outside alone: notes go on as fast as they come. */
const MAX_PARSED = 65_536;
const [OPEN, CLOSE] = [0x7b, 0x7d];
const isSpace = (byte: number | undefined) =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** Whether it is a message: JSON text of an object, with an operation. */
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
