/** Statements that contain semicolons outside of strings. */
import { type SqlDialect, type SqlRange, tokenize } from '../sql/script.ts';

/** Words after END that close a block which is not counted. */
const uncounted = new Set(['if', 'loop', 'while', 'repeat']);
const programs = new Set(['procedure', 'function', 'trigger', 'event', 'package']);

/**
 * Joins the parts of functions, procedures and triggers, which were split at their semicolons:
 * `BEGIN ATOMIC …; END` of the standard, and `BEGIN …; END` of MySQL.
 */
export function joinBodies(
  code: string,
  ranges: readonly SqlRange[],
  dialect: SqlDialect = 'standard',
): SqlRange[] {
  const joined: SqlRange[] = [];
  let depth = 0;
  let start = 0;
  for (const range of ranges) {
    const words = tokenize(code.slice(range.start, range.end), dialect)
      .filter(({ kind }) => kind === 'word')
      .map(({ text }) => text.toLowerCase());
    if (depth === 0) start = range.start;
    if (depth > 0 || hasBody(words, dialect)) depth = Math.max(0, depth + balance(words));
    if (depth === 0) joined.push({ start, end: range.end });
  }
  // The body has no END. The server says so.
  if (depth > 0) joined.push({ start, end: ranges.at(-1)!.end });
  return joined;
}

function hasBody(words: readonly string[], dialect: SqlDialect): boolean {
  const begin = words.indexOf('begin');
  if (words[0] !== 'create' || begin < 0) return false;
  return dialect === 'mysql'
    ? words.slice(0, begin).some((word) => programs.has(word))
    : words[begin + 1] === 'atomic';
}

/** BEGIN and CASE open a block, and END closes one. */
function balance(words: readonly string[]): number {
  let sum = 0;
  for (const [at, word] of words.entries()) {
    if (word === 'begin' || (word === 'case' && words[at - 1] !== 'end')) sum += 1;
    else if (word === 'end' && !uncounted.has(words[at + 1] ?? '')) sum -= 1;
  }
  return sum;
}
