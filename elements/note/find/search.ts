/**
 * The search of a note: what stands for a hit, where hits are in code and in results, what takes their place. Pure, and in
 * steps: a generator gives the turn back often, so that whoever drives it can rest between.
 */
import type { Output } from 'tiding/client';
import { tableToRead, textOfHtml, withoutColours } from './readable.ts';

/** What is looked for. */
export interface Query {
  readonly find: string;
  readonly matchCase: boolean;
  readonly wholeWord: boolean;
  /** `find` is a regular expression. */
  readonly regex: boolean;
}

/** A hit in code: offsets from 0, `to` not included. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** A hit in a result: the how-manieth of that output, and in a table its cell (row and column from 0, -1 is the header). */
export interface ResultHit {
  readonly output: number;
  readonly nth: number;
  readonly cell?: { readonly row: number; readonly column: number };
}

/** A query made ready. */
export interface Search {
  /** The expression with the flags `g` and, mostly, `u`; shared, so that `lastIndex` is set before each use. */
  readonly expression: RegExp;
  /** A replacement as it is written by a person, for one match: `$1`, `$<name>`, `$&`, `$$` where regular expressions are on. */
  replacement(template: string, match: RegExpExecArray): string;
}

/** More hits than this in the code, or in the results, of one paragraph are not counted: nobody walks through them. */
export const HIT_LIMIT = 50_000;
/** Results are read in pieces of about this many characters, cut at line ends. */
const pieceLength = 1 << 18;
/** Steps between two chances to rest. */
const stride = 512;

const letter = String.raw`[\p{L}\p{M}\p{N}_]`;
const escape = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);

/** Makes a query ready; `undefined` where nothing is looked for. Throws a SyntaxError with a readable message for a bad expression. */
export function compile({ find, matchCase, wholeWord, regex }: Query): Search | undefined {
  if (find === '') return undefined;
  const flags = matchCase ? 'gm' : 'gim';
  const body = regex ? find : escape(find);
  const make = (unicode: boolean): RegExp => {
    // Alone first: an unclosed group must not be closed by ours.
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
    // What is not strict enough for `u` (`\-`, a lone brace) means something without.
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

/** The message of a bad expression, without what stands in the field anyway. */
export function complaint(error: unknown): string {
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
      // `$12` is the twelfth group where there is one, else the first and a 2.
      const two = Number(digits);
      if (two > 0 && two < match.length) return match[two] ?? '';
      const one = Number(digits![0]);
      return digits!.length === 2 && one > 0 && one < match.length
        ? (match[one] ?? '') + digits![1]
        : whole;
    },
  );
}

/** Matches of a text in order; a match of nothing is none. */
export function* matches(
  { expression }: Search,
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

/** Hits in code; gives the turn back now and then. */
export function* searchCode(
  search: Search,
  text: string,
  limit = HIT_LIMIT,
): Generator<void, Range[], undefined> {
  const ranges: Range[] = [];
  for (const { index, 0: found } of matches(search, text)) {
    if (ranges.length >= limit) break;
    ranges.push({ from: index, to: index + found.length });
    if (ranges.length % stride === 0) yield;
  }
  return ranges;
}

/** Hits in what a paragraph has put out: text, cells of tables, the text of HTML. */
export function* searchResults(
  search: Search,
  outputs: readonly Output[],
  limit = HIT_LIMIT,
): Generator<void, ResultHit[], undefined> {
  const hits: ResultHit[] = [];
  for (const [index, output] of outputs.entries()) {
    if (output.type === 'TABLE') yield* inTable(search, output, index, hits, limit);
    else if (output.type === 'TEXT' || output.type === 'HTML' || output.type === 'ANGULAR')
      yield* inText(search, output, index, hits, limit);
    yield;
  }
  return hits;
}

function* inText(
  search: Search,
  output: Output,
  index: number,
  hits: ResultHit[],
  limit: number,
): Generator<void, void, undefined> {
  let nth = 0;
  const whole =
    output.type === 'TEXT'
      ? undefined
      : yield* textOfHtml(output.chunks.slice(0, output.count).join(''));
  for (const piece of pieces(whole === undefined ? output : { chunks: [whole], count: 1 })) {
    const text = whole === undefined ? withoutColours(piece) : piece;
    for (const _ of matches(search, text)) {
      if (hits.length >= limit) return;
      hits.push({ output: index, nth: nth++ });
      if (nth % stride === 0) yield;
    }
    yield;
  }
}

function* inTable(
  search: Search,
  output: Output,
  index: number,
  hits: ResultHit[],
  limit: number,
): Generator<void, void, undefined> {
  const { columns, rows } = yield* tableToRead(output);
  let nth = 0;
  let steps = 0;
  for (let row = -1; row < rows.length; row += 1) {
    for (let column = 0; column < columns.length; column += 1) {
      const cell = row < 0 ? columns[column]!.name : rows[row]![column];
      if (++steps % stride === 0) yield;
      if (cell === undefined) continue;
      for (const _ of matches(search, String(cell))) {
        if (hits.length >= limit) return;
        hits.push({ output: index, nth: nth++, cell: { row, column } });
      }
    }
  }
}

/** A text in pieces that end where a line does, so that no hit of one line is cut. */
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

/** A text with the match that begins at `from` replaced, and where the replacement ends; `undefined` when there is no such match any more. */
export function replaceOne(
  search: Search,
  text: string,
  { from, to }: Range,
  template: string,
): { text: string; end: number } | undefined {
  const match = matches(search, text, from).next().value;
  if (!match || match.index !== from || match[0].length !== to - from) return undefined;
  const insert = search.replacement(template, match);
  return { text: text.slice(0, from) + insert + text.slice(to), end: from + insert.length };
}

/** A text with every match replaced, and how many there were. */
export function replaceAll(
  search: Search,
  text: string,
  template: string,
): { text: string; count: number } {
  let count = 0;
  let end = 0;
  let out = '';
  for (const match of matches(search, text)) {
    out += text.slice(end, match.index) + search.replacement(template, match);
    end = match.index + match[0].length;
    count += 1;
  }
  return { text: out + text.slice(end), count };
}
