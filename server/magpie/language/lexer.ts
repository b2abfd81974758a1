/** Finds the ends of whitespace, comments, strings and bodies. All offsets refer to the script. */
import type { SourceLocation } from '../contract.ts';

/** A name or keyword: letters, digits and `_`. */
export const wordPattern = /[\p{L}\p{N}_]+/uy;

/** Line and column of an offset. Both start at 1. */
export function locationOf(text: string, at: number): SourceLocation {
  const before = text.slice(0, at);
  const line = before.split('\n').length;
  return { line, column: at - (before.lastIndexOf('\n') + 1) + 1 };
}

/**
 * The offset after the comment at `at`. -1 if it is not closed, undefined if there is no comment.
 */
export function commentEnd(text: string, at: number, sqlToo = false): number | undefined {
  if (text.startsWith('//', at) || (sqlToo && text.startsWith('--', at))) {
    const end = text.indexOf('\n', at);
    return end < 0 ? text.length : end;
  }
  if (!text.startsWith('/*', at)) return undefined;
  const end = text.indexOf('*/', at + 2);
  return end < 0 ? -1 : end + 2;
}

/** Skips whitespace and comments. `open` is the offset of an unclosed comment. */
export function blankEnd(
  text: string,
  start: number,
): { readonly at: number; readonly open?: number } {
  let at = start;
  for (;;) {
    while (/\s/.test(text[at] ?? 'x')) at += 1;
    const end = commentEnd(text, at, true);
    if (end === undefined) return { at };
    if (end < 0) return { at: text.length, open: at };
    at = end;
  }
}

/**
 * The offset after the string at `at`, or -1 if it is not closed. If `escapes` is true, a backslash
 * escapes the next character; otherwise the quote is doubled.
 */
export function stringEnd(text: string, at: number, escapes: boolean): number {
  const quote = text[at]!;
  for (let from = at + 1; from < text.length; from += 1) {
    const here = text[from];
    if (escapes && here === '\\') from += 1;
    else if (here === quote) {
      if (escapes || text[from + 1] !== quote) return from + 1;
      from += 1;
    }
  }
  return -1;
}

const dollarTag = /\$(?:[A-Za-z_]\w*)?\$/y;

/**
 * The offset after the `$$ … $$` (or `$tag$ … $tag$`) text at `at`. -1 if it is not closed,
 * undefined if there is none.
 */
export function dollarEnd(text: string, at: number): number | undefined {
  dollarTag.lastIndex = at;
  const tag = dollarTag.exec(text)?.[0];
  if (tag === undefined) return undefined;
  const close = text.indexOf(tag, at + tag.length);
  return close < 0 ? -1 : close + tag.length;
}

/** SQL up to a `;` or a closing parenthesis. `open` describes the first unclosed element. */
interface SqlText {
  /**
   * The SQL with its comments replaced by spaces, because the engine has a different comment
   * syntax.
   */
  readonly text: string;
  readonly end: number;
  readonly open?: { readonly at: number; readonly what: string };
}

/**
 * Reads SQL from `start` to a `;` outside of strings and brackets, or to the parenthesis that
 * closes one opened before `start`.
 */
export function readSql(text: string, start: number, stop: ';' | ')'): SqlText {
  const brackets: number[] = [];
  let at = start;
  let result = '';
  const open = (where: number, what: string): SqlText => ({
    text: result,
    end: text.length,
    open: { at: where, what },
  });
  const take = (end: number): void => {
    result += text.slice(at, end);
    at = end;
  };
  while (at < text.length) {
    const here = text[at]!;
    const comment = commentEnd(text, at, true);
    if (comment !== undefined) {
      if (comment < 0) return open(at, 'comment');
      result += text.slice(at, comment).replace(/[^\n]/g, ' ');
      at = comment;
      continue;
    }
    if (here === "'" || here === '"') {
      const end = stringEnd(text, at, here === "'" && isEscapeString(text, at));
      if (end < 0) return open(at, 'string');
      take(end);
      continue;
    }
    const dollar = here === '$' ? dollarEnd(text, at) : undefined;
    if (dollar !== undefined) {
      if (dollar < 0) return open(at, 'dollar-quoted text');
      take(dollar);
      continue;
    }
    if ('([{'.includes(here)) brackets.push(at);
    else if (')]}'.includes(here)) {
      if (brackets.length === 0 && stop === ')' && here === ')') return { text: result, end: at };
      brackets.pop();
    } else if (here === ';' && brackets.length === 0 && stop === ';')
      return { text: result, end: at };
    take(at + 1);
  }
  if (brackets.length > 0) return open(brackets[0]!, 'bracket');
  if (stop === ')') return open(start - 1, 'bracket');
  return { text: result, end: at };
}

/** Whether the quote starts an `E'…'` string of the engine, in which backslashes escape quotes. */
function isEscapeString(text: string, at: number): boolean {
  return /[eE]/.test(text[at - 1] ?? '') && !/[\p{L}\p{N}_]/u.test(text[at - 2] ?? ' ');
}

/** Comment syntax of a script in a body. */
export type BodyComments = 'magpie' | 'hash' | 'slashes';

/**
 * The offset after the body in braces at `at`, or -1 if it is not closed. Braces in strings do not
 * count. A quote that is not closed on the same line is an apostrophe.
 */
export function braceEnd(text: string, at: number, comments: BodyComments): number {
  let depth = 0;
  for (let from = at; from < text.length; from += 1) {
    const here = text[from]!;
    if (here === '{') depth += 1;
    else if (here === '}') {
      depth -= 1;
      if (depth === 0) return from + 1;
    } else if (here === "'" || here === '"' || here === '`') {
      const end = stringEnd(text, from, comments !== 'magpie');
      if (end > 0 && !text.slice(from, end).includes('\n')) from = end - 1;
    } else if (comments === 'hash' ? here === '#' : here === '/' || here === '-') {
      const end =
        comments === 'hash'
          ? text.indexOf('\n', from)
          : commentEnd(text, from, comments === 'magpie');
      if (end !== undefined && end > 0) from = end - 1;
    }
  }
  return -1;
}
