/** JSON from outside. */
import { Refusal } from './errors.ts';
import { LIMITS } from './limits.ts';

/** Keys that reach into prototypes. */
const UNSAFE = ['__proto__', 'prototype', 'constructor'];

/** JSON not deeper than `maxDepth` levels, without the keys that reach into prototypes. Refuses anything else. */
export function parse(text: string, maxDepth: number = LIMITS.maxJsonDepth.default): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Refusal(400, 'a message is JSON');
  }
  // The value is searched and not the text: there a key may be written with escapes.
  clean(value, 1, maxDepth);
  return value;
}

function clean(value: unknown, level: number, maxDepth: number): void {
  if (typeof value !== 'object' || value === null) return;
  if (level > maxDepth) throw new Refusal(400, `JSON deeper than ${maxDepth} levels`);
  for (const key of UNSAFE)
    if (Object.hasOwn(value, key)) delete (value as Record<string, unknown>)[key];
  for (const entry of Object.values(value)) clean(entry, level + 1, maxDepth);
}
