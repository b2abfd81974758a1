/** Statements that contain semicolons outside of strings. */
import { type SqlRange, tokenize } from '../sql/script.ts';

/**
 * Joins the parts of functions and procedures in the standard's form, `BEGIN ATOMIC …; …; END`,
 * which were split at their semicolons.
 */
export function joinBodies(code: string, ranges: readonly SqlRange[]): SqlRange[] {
  const joined: SqlRange[] = [];
  let depth = 0;
  let start = 0;
  for (const range of ranges) {
    const words = tokenize(code.slice(range.start, range.end))
      .filter(({ kind }) => kind === 'word')
      .map(({ text }) => text.toLowerCase());
    if (depth === 0) {
      start = range.start;
      const atomic = words.indexOf('atomic');
      if (words[0] === 'create' && atomic > 0 && words[atomic - 1] === 'begin')
        depth = 1 + balance(words.slice(atomic + 1));
    } else depth += balance(words);
    depth = Math.max(0, depth);
    if (depth === 0) joined.push({ start, end: range.end });
  }
  // The body has no END. The server says so.
  if (depth > 0) joined.push({ start, end: ranges.at(-1)!.end });
  return joined;
}

/** CASE and END are the only other words that come in pairs. */
const balance = (words: readonly string[]): number =>
  words.reduce((sum, word) => sum + (word === 'case' ? 1 : word === 'end' ? -1 : 0), 0);
