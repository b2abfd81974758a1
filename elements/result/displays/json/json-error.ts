/** Location and cause of a JSON syntax error. */
interface JsonSyntaxError {
  /** Line number, starting at 1. */
  readonly line: number;
  /** Column in UTF-16 code units, starting at 1. */
  readonly column: number;
  /** Excerpt of the line around the error. */
  readonly excerpt: string;
  /** The browser's error message without its position. */
  readonly reason: string;
}

const quotedText = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/.source;
const literal = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/.source;
const token = new RegExp(`\\s*(?:([{}[\\],:])|(${quotedText})|(${literal}))`, 'y');
const blank = /\s*/y;
/** The position in a browser's error message. */
const position =
  /,? "?\.{3}.*$|,? (?:in JSON )?at (?:position|line) \d.*$|,? ?".*" is not valid JSON$/s;

/**
 * Finds the first syntax error of a text; undefined if it is valid JSON. The position is computed
 * here because browsers report it in different formats or not at all.
 */
export function findJsonError(text: string): JsonSyntaxError | undefined {
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
        ? error.message.replace(/^JSON(?:\.parse| Parse error): /, '').replace(position, '')
        : '';
    return { line: before.split('\n').length, column: at - start + 1, excerpt: near, reason };
  }
}

/** Returns the offset of the first invalid token. */
function faultOffset(text: string): number {
  /**
   * Which tokens may come next: a value; a key or `}` (`first`); a key; a value or `]` (`entry`); a
   * colon; what follows a value (`after`).
   */
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

/** Characters of a long text that are checked. */
const beginSize = 64 * 1024;
/** Upper bound for the length of a token other than a string. */
const tokenSize = 32;

/**
 * Whether a text is a JSON object or array. Texts over 64 KiB are checked only at their beginning,
 * so the answer may be wrong for them.
 */
export function looksLikeJson(text: string): boolean {
  if (!/^\s*[{[]/.test(text)) return false;
  if (text.length <= beginSize) return findJsonError(text) === undefined;
  const at = faultOffset(text.slice(0, beginSize));
  return text[at] === '"' || at >= beginSize - tokenSize;
}
