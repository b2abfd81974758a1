/**
 * Lazy reader for JSON source text. Containers are parsed only when they are expanded, and every
 * value keeps its original spelling, so numbers with many digits and duplicate keys are shown
 * exactly as written.
 */

type JsonKind = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null';

/** A value in a valid JSON text. */
export interface JsonValue {
  /** Name in an object, index in an array, null for the document itself. */
  readonly key: string | number | null;
  readonly kind: JsonKind;
  /** Offsets of the value in the text. */
  readonly start: number;
  readonly end: number;
  /** Number of direct children of an object or array. */
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

/** Returns the offset after the string that starts at `from`. */
function pastString(text: string, from: number): number {
  for (let end = text.indexOf('"', from + 1); ; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === backslash) slashes += 1;
    if (slashes % 2 === 0) return end + 1;
  }
}

/** Reads the value that starts at an offset; counts the children of a container. */
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
        // Braces and brackets may be counted together because the text is known to be valid.
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

export function jsonRoot(text: string): JsonValue {
  return valueAt(text, pastBlank(text, 0), null);
}

/** Returns the direct children of an object or array, in order. */
export function jsonChildren(text: string, { kind, start, count }: JsonValue): JsonValue[] {
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

/** Formats the path of a value as JSONPath, for example `$.a[0]["b c"]`. */
export function jsonPath(keys: readonly (string | number)[]): string {
  const steps = keys.map((key) => {
    if (typeof key === 'number') return `[${key}]`;
    return /^[A-Za-z_$][\w$]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
  });
  return `$${steps.join('')}`;
}

/** Indents JSON and keeps the spelling of its values. Returns other texts as they are. */
export function indentedJson(text: string): string {
  const write = (value: JsonValue, indent: string): string => {
    if (value.count === 0) return text.slice(value.start, value.end);
    const inner = `${indent}  `;
    const [open, close] = value.kind === 'object' ? ['{', '}'] : ['[', ']'];
    const lines = jsonChildren(text, value).map((child) => {
      const key = value.kind === 'object' ? `${JSON.stringify(child.key)}: ` : '';
      return `${inner}${key}${write(child, inner)}`;
    });
    return `${open}\n${lines.join(',\n')}\n${indent}${close}`;
  };
  try {
    JSON.parse(text);
    return write(jsonRoot(text), '');
  } catch {
    return text;
  }
}
