/**
 * Search and replace in the text of a note. Pure functions; long searches are generators that yield
 * often, so that the caller can pause between steps.
 */
import type { Output } from '@tiding/client';
import { markupTypes, stripAnsi } from '@tiding/client/model';
import { textOfHtml } from './output-text.ts';
import type { SearchedTable } from './searched-table.ts';

export interface FindQuery {
  readonly find: string;
  readonly matchCase: boolean;
  readonly wholeWord: boolean;
  /** Whether `find` is a regular expression. */
  readonly regex: boolean;
}

/** A match in code: zero-based offsets, `to` exclusive. */
export interface TextRange {
  readonly from: number;
  readonly to: number;
}

/**
 * A match in a result: index of the output, index of the match within that output, and for tables
 * the zero-based cell (row -1 is the header).
 */
export interface ResultMatch {
  readonly output: number;
  readonly nth: number;
  readonly cell?: { readonly row: number; readonly column: number };
}

export interface CompiledQuery {
  /**
   * The regular expression, with the flag `g` and usually `u`. It is shared, so `lastIndex` must be
   * set before each use.
   */
  readonly expression: RegExp;
  /**
   * Expands a replacement for one match. For regular expressions it may contain `$1`, `$<name>`,
   * `$&` and `$$`.
   */
  replacement(template: string, match: RegExpExecArray): string;
}

/** Maximum number of matches counted in the code, or in the results, of one paragraph. */
export const MATCH_LIMIT = 50_000;
/** Results are searched in pieces of about this many characters, split at line ends. */
const pieceLength = 1 << 18;
/** Steps between two yields. */
const stride = 512;

const letter = String.raw`[\p{L}\p{M}\p{N}_]`;
const escapeRegExp = (text: string): string =>
  text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);

/**
 * Compiles a query; returns `undefined` for an empty one. Throws a `SyntaxError` with a readable
 * message for an invalid expression.
 */
export function compile({
  find,
  matchCase,
  wholeWord,
  regex,
}: FindQuery): CompiledQuery | undefined {
  if (find === '') return undefined;
  const flags = matchCase ? 'gm' : 'gim';
  const body = regex ? find : escapeRegExp(find);
  const make = (unicode: boolean): RegExp => {
    // Check the expression alone first: an unclosed group must not be closed by the wrapper below.
    new RegExp(body, unicode ? 'u' : '');
    const border = unicode ? letter : String.raw`\w`;
    return new RegExp(
      wholeWord ? `(?<!${border})(?:${body})(?!${border})` : body,
      unicode ? `${flags}u` : flags,
    );
  };
  let expression: RegExp;
  try {
    expression = make(true);
  } catch (strict) {
    // Patterns that are invalid with `u` (`\-`, a lone brace) may be valid without it.
    try {
      expression = make(false);
    } catch {
      throw strict;
    }
  }
  return {
    expression,
    replacement: (template, match) => (regex ? expand(template, match) : template),
  };
}

/**
 * Returns the message of an invalid expression, without the expression itself, which is visible in
 * the field.
 */
export function expressionError(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return /^Invalid regular expression: .*\/[a-z]*: (.+)$/s.exec(message)?.[1] ?? message;
}

function expand(template: string, match: RegExpExecArray): string {
  return template.replace(
    /\$(?:(\$)|(&)|(\d{1,2})|<([^>]*)>)/g,
    (whole, dollar, all, digits: string | undefined, name: string | undefined) => {
      if (dollar) return '$';
      if (all) return match[0];
      if (name !== undefined) return match.groups ? (match.groups[name] ?? '') : whole;
      // `$12` is the twelfth group if there is one, otherwise the first group followed by a 2.
      const two = Number(digits);
      if (two > 0 && two < match.length) return match[two] ?? '';
      const one = Number(digits![0]);
      return digits!.length === 2 && one > 0 && one < match.length
        ? (match[one] ?? '') + digits![1]
        : whole;
    },
  );
}

/** Yields the matches in a text in order; empty matches are skipped. */
export function* findMatches(
  { expression }: CompiledQuery,
  text: string,
  start = 0,
): Generator<RegExpExecArray, void, undefined> {
  let from = start;
  for (;;) {
    expression.lastIndex = from;
    const match = expression.exec(text);
    if (!match) return;
    from = match.index + Math.max(1, match[0].length);
    if (match[0] !== '') yield match;
  }
}

/** Finds matches in code; yields regularly. */
export function* searchCode(
  search: CompiledQuery,
  text: string,
  limit = MATCH_LIMIT,
): Generator<void, TextRange[], undefined> {
  const ranges: TextRange[] = [];
  for (const { index, 0: found } of findMatches(search, text)) {
    if (ranges.length >= limit) break;
    ranges.push({ from: index, to: index + found.length });
    if (ranges.length % stride === 0) yield;
  }
  return ranges;
}

/** Finds matches in a paragraph's outputs: text, cells of its tables and the text of HTML. */
export function* searchResults(
  search: CompiledQuery,
  outputs: readonly Output[],
  tables: ReadonlyMap<number, SearchedTable>,
  limit = MATCH_LIMIT,
): Generator<void, ResultMatch[], undefined> {
  const hits: ResultMatch[] = [];
  for (const [index, output] of outputs.entries()) {
    const table = tables.get(index);
    if (table) yield* inTable(search, table, index, hits, limit);
    else if (output.type === 'TEXT' || markupTypes.has(output.type))
      yield* inText(search, output, index, hits, limit);
    yield;
  }
  return hits;
}

function* inText(
  search: CompiledQuery,
  output: Output,
  index: number,
  hits: ResultMatch[],
  limit: number,
): Generator<void, void, undefined> {
  let nth = 0;
  const whole =
    output.type === 'TEXT'
      ? undefined
      : yield* textOfHtml(output.chunks.slice(0, output.count).join(''));
  for (const piece of pieces(whole === undefined ? output : { chunks: [whole], count: 1 })) {
    const text = whole === undefined ? stripAnsi(piece) : piece;
    for (const _ of findMatches(search, text)) {
      if (hits.length >= limit) return;
      hits.push({ output: index, nth: nth++ });
      if (nth % stride === 0) yield;
    }
    yield;
  }
}

function* inTable(
  search: CompiledQuery,
  { columns, length }: SearchedTable,
  index: number,
  hits: ResultMatch[],
  limit: number,
): Generator<void, void, undefined> {
  let nth = 0;
  let steps = 0;
  for (let row = -1; row < length; row += 1) {
    for (const [column, { name, texts }] of columns.entries()) {
      if (++steps % stride === 0) yield;
      const found = (row < 0 ? [name] : texts(row)).map((text) => [...findMatches(search, text)]);
      for (const _ of found.find(({ length: count }) => count > 0) ?? []) {
        if (hits.length >= limit) return;
        hits.push({ output: index, nth: nth++, cell: { row, column } });
      }
    }
  }
}

/** Splits a text at line ends, so that no single-line match is cut. */
function* pieces({
  chunks,
  count,
}: Pick<Output, 'chunks' | 'count'>): Generator<string, void, undefined> {
  let rest = '';
  for (let chunk = 0; chunk < count; chunk += 1) {
    rest += chunks[chunk]!;
    let at = 0;
    while (rest.length - at > pieceLength) {
      const near = rest.lastIndexOf('\n', at + pieceLength);
      const end = near >= at ? near : rest.indexOf('\n', at + pieceLength);
      if (end < 0) break;
      yield rest.slice(at, end + 1);
      at = end + 1;
    }
    rest = rest.slice(at);
  }
  if (rest !== '') yield rest;
}

/**
 * Replaces the match that begins at `from`. Returns the new text and the end of the replacement, or
 * `undefined` if the match no longer exists.
 */
export function replaceOne(
  search: CompiledQuery,
  text: string,
  { from, to }: TextRange,
  template: string,
): { text: string; end: number } | undefined {
  const match = findMatches(search, text, from).next().value;
  if (!match || match.index !== from || match[0].length !== to - from) return undefined;
  const insert = search.replacement(template, match);
  return { text: text.slice(0, from) + insert + text.slice(to), end: from + insert.length };
}

/** Replaces every match; returns the new text and the number of matches. */
export function replaceAll(
  search: CompiledQuery,
  text: string,
  template: string,
): { text: string; count: number } {
  let count = 0;
  let end = 0;
  let out = '';
  for (const match of findMatches(search, text)) {
    out += text.slice(end, match.index) + search.replacement(template, match);
    end = match.index + match[0].length;
    count += 1;
  }
  return { text: out + text.slice(end), count };
}
