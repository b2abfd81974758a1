/** Parsing of untrusted JSON. */
import { Refusal } from './errors.ts';
import { SERVER_LIMITS } from './limits.ts';

/** Keys that could pollute prototypes. */
const UNSAFE = ['__proto__', 'prototype', 'constructor'];

/**
 * Parses JSON with at most `maxDepth` levels of nesting and removes keys that could pollute
 * prototypes. Throws a {@link Refusal} for anything else.
 */
export function parseUntrustedJson(
  text: string,
  maxDepth: number = SERVER_LIMITS.maxJsonDepth.default,
): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Refusal(400, 'A message must be JSON.');
  }
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
