/** A property with the environment variables of a kernel. */
import type { InterpreterProperty } from '../contract.ts';
import { property } from '../property.ts';

/** Returns a property whose value consists of lines `NAME=value`. */
export const environmentProperty = (name: string): InterpreterProperty =>
  property(name, 'textarea', 'Environment variables, one NAME=value per line', {
    check: (value) => (variablesOf(value) ? undefined : 'must consist of lines NAME=value'),
  });

/** Parses lines `NAME=value`, like {@link pairsIn}. */
export const variablesOf = (text: string): Record<string, string> | undefined =>
  pairsIn(text, /^\s*([A-Za-z_]\w*)=([^\0]*)$/);

/**
 * Returns the first two groups of a pattern in each line; undefined if a line is malformed. Blank
 * lines and lines that start with `#` are skipped.
 */
export function pairsIn(text: string, pattern: RegExp): Record<string, string> | undefined {
  const lines = text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '' && !line.trim().startsWith('#'));
  const pairs = lines.map((line) => pattern.exec(line));
  return pairs.every((pair) => pair !== null)
    ? Object.fromEntries(pairs.map((pair) => [pair[1] ?? '', pair[2] ?? '']))
    : undefined;
}
