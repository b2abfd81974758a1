/**
 * JSON by its source: containers are looked into when they are unfolded, and every value stays as it was written. A number
 * with more digits than the language keeps, or a key that stands there twice, is shown as it is.
 */

export type JsonKind = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null';

/** A value in a text of valid JSON. */
export interface JsonValue {
  /** Its name in an object, its number in a list; null for the document itself. */
  readonly key: string | number | null;
  readonly kind: JsonKind;
  /** Offsets of its text. */
  readonly start: number;
  readonly end: number;
  /** Values inside a container. */
  readonly count: number;
}

const quote = 34;
const backslash = 92;
const comma = 44;

const isBlank = (code: number): boolean => code === 32 || code === 10 || code === 13 || code === 9;

function pastBlank(text: string, from: number): number {
  let at = from;
  while (isBlank(text.charCodeAt(at))) at += 1;
  return at;
}

/** Offset after a string that begins at `from`. */
function pastString(text: string, from: number): number {
  for (let end = text.indexOf('"', from + 1); ; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === backslash) slashes += 1;
    if (slashes % 2 === 0) return end + 1;
  }
}

/** The value that begins at an offset; of a container also how many it holds. */
function valueAt(text: string, start: number, key: JsonValue['key']): JsonValue {
  const first = text[start];
  if (first === '"') return { key, kind: 'string', start, end: pastString(text, start), count: 0 };
  if (first === '{' || first === '[') {
    let depth = 0;
    let count = 0;
    let at = start;
    do {
      const code = text.charCodeAt(at);
      if (code === quote) at = pastString(text, at);
      else {
        // { and [, } and ] differ by one bit each.
        if (code === 123 || code === 91) depth += 1;
        else if (code === 125 || code === 93) depth -= 1;
        else if (code === comma && depth === 1) count += 1;
        at += 1;
      }
    } while (depth > 0);
    const inside = pastBlank(text, start + 1);
    const empty = text[inside] === '}' || text[inside] === ']';
    return {
      key,
      kind: first === '{' ? 'object' : 'array',
      start,
      end: at,
      count: empty ? 0 : count + 1,
    };
  }
  let end = start;
  while (end < text.length && !',]}'.includes(text[end]!) && !isBlank(text.charCodeAt(end)))
    end += 1;
  return {
    key,
    kind: first === 't' || first === 'f' ? 'boolean' : first === 'n' ? 'null' : 'number',
    start,
    end,
    count: 0,
  };
}

/** The document of a text that is valid JSON. */
export function documentOf(text: string): JsonValue {
  return valueAt(text, pastBlank(text, 0), null);
}

/** The values inside a container, in their order. */
export function valuesOf(text: string, { kind, start, count }: JsonValue): JsonValue[] {
  const values: JsonValue[] = [];
  let at = pastBlank(text, start + 1);
  for (let number = 0; number < count; number += 1) {
    let key: string | number = number;
    if (kind === 'object') {
      const end = pastString(text, at);
      key = JSON.parse(text.slice(at, end)) as string;
      at = pastBlank(text, pastBlank(text, end) + 1);
    }
    const value = valueAt(text, at, key);
    values.push(value);
    at = pastBlank(text, pastBlank(text, value.end) + 1);
  }
  return values;
}

/** Where a value stands, as JSONPath writes it: `$.a[0]["b c"]`. */
export function pathOf(keys: readonly (string | number)[]): string {
  return `$${keys.map((key) => (typeof key === 'number' ? `[${key}]` : /^[A-Za-z_$][\w$]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`)).join('')}`;
}
