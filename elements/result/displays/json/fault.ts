/** Where a text stops being JSON. */
export interface JsonFault {
  /** From 1. */
  readonly line: number;
  /** In characters, from 1. */
  readonly column: number;
  /** The line around that place, cut. */
  readonly near: string;
  /** What the parser of the browser says, without the place. */
  readonly reason: string;
}

const token =
  /\s*(?:([{}[\],:])|("(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null))/y;
const blank = /\s*/y;

/** The first fault of a text, undefined for JSON. Browsers say the place in words of their own, or not at all. */
export function jsonFault(text: string): JsonFault | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    const at = faultOffset(text);
    const before = text.slice(0, at);
    const start = before.lastIndexOf('\n') + 1;
    const end = text.indexOf('\n', at);
    const near = text
      .slice(Math.max(start, at - 30), Math.min(end < 0 ? text.length : end, at + 30))
      .trim();
    const reason =
      error instanceof Error
        ? error.message
            .replace(/^JSON(?:\.parse| Parse error): /, '')
            .replace(
              /,? "?\.{3}.*$|,? (?:in JSON )?at (?:position|line) \d.*$|,? ?".*" is not valid JSON$/s,
              '',
            )
        : '';
    return { line: before.split('\n').length, column: at - start + 1, near, reason };
  }
}

/** Offset of the first token that cannot stand there. */
function faultOffset(text: string): number {
  /** What may come: a value, a key or the end of an object, what follows a value… */
  let state: 'value' | 'first' | 'key' | 'entry' | 'colon' | 'after' = 'value';
  const open: string[] = [];
  for (let at = 0; ; ) {
    blank.lastIndex = at;
    blank.exec(text);
    const start = blank.lastIndex;
    token.lastIndex = at;
    const found = token.exec(text);
    if (!found) return start;
    at = token.lastIndex;
    const [, sign, string] = found;
    const isValue = sign === undefined;
    const inside = open.at(-1);
    if ((state === 'value' || state === 'entry') && (isValue || sign === '{' || sign === '[')) {
      if (isValue) state = 'after';
      else {
        open.push(sign);
        state = sign === '{' ? 'first' : 'entry';
      }
    } else if ((state === 'first' || state === 'key') && string !== undefined) state = 'colon';
    else if (state === 'colon' && sign === ':') state = 'value';
    else if (state === 'after' && sign === ',' && inside) state = inside === '{' ? 'key' : 'value';
    else if (
      ((state === 'after' || state === 'first') && sign === '}' && inside === '{') ||
      ((state === 'after' || state === 'entry') && sign === ']' && inside === '[')
    ) {
      open.pop();
      state = 'after';
    } else return start;
  }
}

/** How far a long text is looked at. */
const beginSize = 64 * 1024;
/** No token but a string is longer. */
const tokenSize = 32;

/** Whether a text can be one JSON object or list: for a short one for certain, for a long one as far as its begin shows. */
export function mayBeJson(text: string): boolean {
  if (!/^\s*[{[]/.test(text)) return false;
  if (text.length <= beginSize) return jsonFault(text) === undefined;
  const at = faultOffset(text.slice(0, beginSize));
  return text[at] === '"' || at >= beginSize - tokenSize;
}
