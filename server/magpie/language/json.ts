/** Parses JSON bodies of statements. Allows comments, trailing commas and bare words. */

import { blankEnd, stringEnd, wordPattern } from './lexer.ts';
import type { BodyValue } from './statements.ts';

/** Maximum nesting depth. */
const MAX_DEPTH = 64;
/** Refused as member names, because they reach into prototypes. */
const UNSAFE = new Set(['__proto__', 'prototype', 'constructor']);
const numberPattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\p{L}\p{N}_.])/uy;
/** A bare word: `UTC`, `America/New_York`, `s3://bucket`, `30m`. */
const barePattern = /[^\s{}[\],:"'](?:[^\s{}[\],"']*[^\s{}[\],:"'])?/uy;

/** Error in a body. `at` is the offset in the script. */
export class BodyError extends Error {
  readonly at: number;
  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}

/**
 * Parses the value at `start`. Throws {@link BodyError}. `visit` receives the path and the offset
 * of each value.
 */
export function parseBody(
  text: string,
  start: number,
  visit?: (path: readonly string[], value: BodyValue, at: number) => void,
): { readonly value: BodyValue; readonly end: number } {
  let at = start;
  const lineOf = (offset: number) => text.slice(0, offset).split('\n').length;
  const blank = (): void => {
    const end = blankEnd(text, at);
    if (end.open !== undefined) throw new BodyError('This comment is not closed.', end.open);
    at = end.at;
  };
  const fail = (message: string, where = at): never => {
    throw new BodyError(message, where);
  };
  const path: string[] = [];
  const read = (depth: number): BodyValue => {
    blank();
    const where = at;
    const value = readValue(depth);
    visit?.([...path], value, where);
    return value;
  };
  const readAt = (key: string, depth: number): BodyValue => {
    path.push(key);
    const value = read(depth);
    path.pop();
    return value;
  };
  const readValue = (depth: number): BodyValue => {
    if (depth > MAX_DEPTH) fail(`A body can have at most ${MAX_DEPTH} levels.`);
    const next = text[at];
    if (next === undefined) fail('The body is incomplete.');
    if (next === '{') return readObject(depth);
    if (next === '[') return readArray(depth);
    if (next === '"' || next === "'") return readString();
    numberPattern.lastIndex = at;
    const number = numberPattern.exec(text)?.[0];
    if (number !== undefined) {
      // `10:30` and `2024-05-02` are bare words.
      const rest = text[at + number.length];
      if (rest === undefined || /[\s,}\]/;]/.test(rest)) {
        at += number.length;
        return Number(number);
      }
    }
    return readBare();
  };
  const readBare = (): BodyValue => {
    barePattern.lastIndex = at;
    const found = barePattern.exec(text)?.[0];
    if (found === undefined) return fail(`Expected a value, found ${text[at]}.`);
    // A comment may follow the word without a space. The two slashes of a URL do not start a
    // comment.
    const comment = /(?<!:)\/[/*]/.exec(found);
    const word = comment ? found.slice(0, comment.index) : found.replace(/;$/, '');
    if (word === '') return fail(`Expected a value, found ${text[at]}.`);
    at += word.length;
    if (word === 'true') return true;
    if (word === 'false') return false;
    return word === 'null' ? null : word;
  };
  const readString = (): string => {
    const end = stringEnd(text, at, true);
    if (end < 0) return fail('This string is not closed.');
    const raw = text.slice(at + 1, end - 1);
    const where = at;
    at = end;
    return unescapeText(raw, (offset) =>
      fail('This is not a JSON escape. Write a backslash twice.', where + 1 + offset),
    );
  };
  /** Reads the entries of an object or array up to its `close`. */
  const readEntries = (close: '}' | ']', entry: () => void): void => {
    const open = at;
    at += 1;
    for (;;) {
      blank();
      if (text[at] === undefined) fail(`This ${text[open]} is not closed.`, open);
      if (text[at] === close) break;
      entry();
      separate(close, open);
    }
    at += 1;
  };
  const readObject = (depth: number): BodyValue => {
    const members: [string, BodyValue][] = [];
    const seen = new Set<string>();
    readEntries('}', () => {
      const where = at;
      const key = readKey();
      if (UNSAFE.has(key)) fail(`"${key}" is not allowed as the name of a member.`, where);
      if (seen.has(key)) fail(`The member "${key}" is listed twice.`, where);
      seen.add(key);
      blank();
      if (text[at] !== ':') fail(`A colon is missing after "${key}".`);
      at += 1;
      members.push([key, readAt(key, depth + 1)]);
    });
    return Object.fromEntries(members);
  };
  const readKey = (): string => {
    if (text[at] === '"' || text[at] === "'") return readString();
    wordPattern.lastIndex = at;
    const word = wordPattern.exec(text)?.[0];
    if (word === undefined) return fail(`Expected the name of a member, found ${text[at]}.`);
    at += word.length;
    return word;
  };
  const readArray = (depth: number): BodyValue => {
    const items: BodyValue[] = [];
    readEntries(']', () => void items.push(readAt(String(items.length), depth + 1)));
    return items;
  };
  /**
   * Consumes a comma or finds the end. The error for a missing comma names the line that lacks it.
   */
  const separate = (close: string, open: number): void => {
    const before = at;
    blank();
    if (text[at] === ',') at += 1;
    else if (text[at] === undefined) fail(`This ${text[open]} is not closed.`, open);
    else if (text[at] !== close)
      fail(`A comma is missing at the end of line ${lineOf(before)}.`, before);
  };
  return { value: read(1), end: at };
}

const escapes: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

function unescapeText(raw: string, wrong: (offset: number) => never): string {
  return raw.replace(/\\(u[0-9a-fA-F]{4}|[\s\S]?)/g, (_, code: string, offset: number) =>
    code.length === 5
      ? String.fromCharCode(parseInt(code.slice(1), 16))
      : (escapes[code] ?? wrong(offset)),
  );
}
