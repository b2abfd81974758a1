/** Parsing of untrusted JSON, and of large JSON in pieces. */
import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { Refusal } from './errors.ts';
import { SERVER_LIMITS } from './limits.ts';

/** Keys that could pollute prototypes. */
const UNSAFE = ['__proto__', 'prototype', 'constructor'];
/** JSON of at least this many bytes is parsed in pieces. */
const LARGE_BYTES = 2 ** 20;
/** Values of more bytes than this, besides the pieces that they contain, are pieces. */
const LONG_BYTES = 1_024;
/** Lists and objects within fewer others than this are pieces; strings always are. */
const MAX_LEVELS = 16;
/** Time for parsing before other work has its turn, in ms. */
const TURN_MS = 10;
const [QUOTE, BACKSLASH, COLON] = [0x22, 0x5c, 0x3a];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
const WHITESPACE: ReadonlySet<number | undefined> = new Set([0x20, 0x09, 0x0a, 0x0d]);

/**
 * Parses JSON with at most `maxDepth` levels of nesting and removes keys that could pollute
 * prototypes. Throws a {@link Refusal} for anything else.
 */
export function parseUntrustedJson(
  text: string,
  maxDepth: number = SERVER_LIMITS.maxJsonDepth.default,
): unknown {
  try {
    return cleaned(JSON.parse(text), maxDepth);
  } catch (error) {
    throw error instanceof Refusal ? error : notJson();
  }
}

/** Does the same as {@link parseUntrustedJson} with UTF-8, with pauses if it is large. */
export async function parseUntrustedBytes(
  bytes: Buffer,
  maxDepth: number = SERVER_LIMITS.maxJsonDepth.default,
): Promise<unknown> {
  try {
    return cleaned(await parseJsonBytes(bytes), maxDepth);
  } catch (error) {
    throw error instanceof Refusal ? error : notJson();
  }
}

const notJson = (): Refusal => new Refusal(400, 'A message must be JSON.');

function cleaned(value: unknown, maxDepth: number): unknown {
  // Check the parsed value, not the text, in which a key may be written with escapes.
  clean(value, 1, maxDepth);
  return value;
}

function clean(value: unknown, level: number, maxDepth: number): void {
  if (typeof value !== 'object' || value === null) return;
  if (level > maxDepth)
    throw new Refusal(400, `JSON may be nested at most ${maxDepth} levels deep.`);
  for (const key of UNSAFE)
    if (Object.hasOwn(value, key)) delete (value as Record<string, unknown>)[key];
  for (const entry of Object.values(value)) clean(entry, level + 1, maxDepth);
}

/** A string, list or object in a text. */
interface Value {
  readonly start: number;
  end: number;
  /** What it contains that was parsed on its own, and how many bytes that has. */
  readonly pieces: Value[];
  inPieces: number;
  parsed?: unknown;
}

/**
 * Parses JSON in UTF-8. If it is large, parses long strings, lists and objects on their own, with
 * pauses in which other work is done. Throws a `SyntaxError` if it is not JSON.
 */
export async function parseJsonBytes(bytes: Buffer): Promise<unknown> {
  const parse = (text: string): unknown => JSON.parse(text.replace(/^\uFEFF/, ''));
  if (bytes.length < LARGE_BYTES) return parse(bytes.toString());
  const mark = randomUUID();
  /** Parses a value, in whose text a mark stands for each of its pieces. */
  const parsed = ({ start, end, pieces }: Value): unknown => {
    let text = '';
    let from = start;
    for (const [at, piece] of pieces.entries()) {
      text += `${bytes.toString('utf8', from, piece.start)}"${mark}${at}"`;
      from = piece.end;
    }
    const restored = (value: unknown): unknown => {
      if (typeof value === 'string' && value.startsWith(mark))
        return pieces[Number(value.slice(mark.length))]!.parsed;
      if (typeof value === 'object' && value !== null)
        for (const [key, entry] of Object.entries(value)) {
          const whole = restored(entry);
          // Assigning to '__proto__' would change the prototype.
          if (whole !== entry)
            Object.defineProperty(value, key, {
              value: whole,
              configurable: true,
              enumerable: true,
              writable: true,
            });
        }
      return value;
    };
    const value = parse(text + bytes.toString('utf8', from, end));
    return pieces.length > 0 ? restored(value) : value;
  };
  const valueFrom = (start: number): Value => ({ start, end: 0, pieces: [], inPieces: 0 });
  /** The text, and in it the lists and objects that are not complete, the innermost one last. */
  const open = [valueFrom(0)];
  const close = (value: Value, end: number): void => {
    const around = open.at(-1)!;
    value.end = end;
    const isPiece = end - value.start - value.inPieces > LONG_BYTES && !isKey(bytes, end);
    if (isPiece) value.parsed = parsed(value);
    for (const piece of isPiece ? [value] : value.pieces) around.pieces.push(piece);
    around.inPieces += isPiece ? end - value.start : value.inPieces;
  };
  let level = 0;
  let began = performance.now();
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      const value = valueFrom(at);
      at = endOfString(bytes, at) - 1;
      close(value, at + 1);
    } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      level += 1;
      if (level < MAX_LEVELS) open.push(valueFrom(at));
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
      if (level < MAX_LEVELS && open.length > 1) close(open.pop()!, at + 1);
      level -= 1;
    } else continue;
    if (performance.now() - began < TURN_MS) continue;
    await setImmediate();
    began = performance.now();
  }
  return parsed({ ...open[0]!, end: bytes.length });
}

/** Returns the index behind the string that starts here. */
function endOfString(bytes: Buffer, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at + 1;
}

/** Whether a string that ends here is the key of an object. */
function isKey(bytes: Buffer, end: number): boolean {
  let at = end;
  while (WHITESPACE.has(bytes[at])) at += 1;
  return bytes[at] === COLON;
}
