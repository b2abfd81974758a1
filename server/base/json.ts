/** Parsing of untrusted JSON, and of large JSON in pieces. */
import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { Refusal } from './errors.ts';
import { SERVER_LIMITS } from './limits.ts';

/** Keys that could pollute prototypes. */
const UNSAFE = ['__proto__', 'prototype', 'constructor'];
/** JSON of at least this many bytes is parsed in pieces. */
const LARGE_BYTES = 2 ** 20;
/** Strings of at least this many bytes are pieces. */
const LONG_BYTES = 4_096;
/** Time for parsing before other work has its turn, in ms. */
const TURN_MS = 10;
const [QUOTE, BACKSLASH, COLON] = [0x22, 0x5c, 0x3a];
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

/**
 * Parses JSON in UTF-8. If it is large, parses its long strings on their own, with pauses in which
 * other work is done. Throws a `SyntaxError` if it is not JSON.
 */
export async function parseJsonBytes(bytes: Buffer): Promise<unknown> {
  const parse = (text: string): unknown => JSON.parse(text.replace(/^\uFEFF/, ''));
  if (bytes.length < LARGE_BYTES) return parse(bytes.toString());
  const mark = randomUUID();
  const long: string[] = [];
  /** The text with a mark for each long string. */
  let rest = '';
  let from = 0;
  let began = performance.now();
  for (let start = bytes.indexOf(QUOTE); start >= 0; ) {
    const end = endOfString(bytes, start);
    if (end - start > LONG_BYTES && !isKey(bytes, end)) {
      rest += `${bytes.toString('utf8', from, start)}"${mark}${long.length}"`;
      long.push(JSON.parse(bytes.toString('utf8', start, end)) as string);
      from = end;
    }
    start = bytes.indexOf(QUOTE, end);
    if (performance.now() - began < TURN_MS) continue;
    await setImmediate();
    began = performance.now();
  }
  const restored = (value: unknown): unknown => {
    if (typeof value === 'string' && value.startsWith(mark)) return long[Number(value.slice(36))];
    if (typeof value === 'object' && value !== null)
      for (const [key, entry] of Object.entries(value))
        (value as Record<string, unknown>)[key] = restored(entry);
    return value;
  };
  return restored(parse(rest + bytes.toString('utf8', from)));
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
