/**
 * Numbers in files of Python that JavaScript writes differently, such as `1.0`, `NaN` and long
 * integers. They are texts with a mark while a note stores them.
 */
import { isJsonObject } from '../json-object.ts';

const MARK = '\u0000#';
const TOKEN = /"(?:[^"\\]|\\.)*"|-?(?:\d[\d.eE+-]*|\b(?:NaN|Infinity)\b)/g;
const MARKED = /"\\u0000#([\w.+-]+)"/g;

/** Returns what {@link restoreNumbers} writes as this number, for the value of a JSON text. */
export const markedNumber = (number: string): string => MARK + number;

/** Marks the numbers in a JSON text that would not be written as they are. */
export const markNumbers = (text: string): string =>
  text.replace(TOKEN, (token) =>
    token.startsWith('"') || JSON.stringify(Number(token)) === token
      ? token
      : JSON.stringify(markedNumber(token)),
  );

/** Returns a JSON value with numbers in place of marked ones. */
export const unmarked = <T>(value: T): T => withNumbers(value) as T;

function withNumbers(value: unknown): unknown {
  if (typeof value === 'string' && value.startsWith(MARK)) {
    const number = Number(value.slice(MARK.length));
    return Number.isFinite(number) ? number : null;
  }
  if (Array.isArray(value)) return value.map(withNumbers);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withNumbers(each)]));
}

/** Writes marked numbers in a JSON text as they were. */
export const restoreNumbers = (text: string): string => text.replace(MARKED, '$1');
