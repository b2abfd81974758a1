/** Removes secrets from recorded traffic. */
import { isJsonObject, isSameJson, jsonObjectOf, parseJson } from '../model/json-object.ts';
import { parseForms } from '../model/notes/form-templates.ts';

/** Placeholder for a removed secret. */
export const REDACTED_TEXT = '…';

const SECRET = /ticket|password|token|secret|authorization/i;
/**
 * Minimum length of a ticket, in characters. No server issues shorter ones, and a shorter one could
 * be an ordinary word.
 */
const LEAST = 8;

/**
 * Removes secrets. It remembers the tickets it has seen and removes them wherever they occur again.
 */
export interface Redactor {
  /** Redacts a frame. Returns its JSON, or the text if it isn't JSON. */
  frame(text: unknown): unknown;
  /** Redacts a REST body: JSON, a form or text. */
  body(text: string): unknown;
  /** Redacts path and query of an address; drops the server. */
  path(address: string): string;
  text(text: string): string;
}

/** Creates a redactor. */
export function redactor(): Redactor {
  const known = new Set<string>();
  const passwordForms = new Set<string>();

  const text = (value: string): string => {
    let result = value;
    for (const secret of known) result = result.replaceAll(secret, REDACTED_TEXT);
    return result;
  };
  /** Strings may contain JSON, as in RUN_ALL_PARAGRAPHS and exports. */
  const string = (value: string): string => {
    if (value.includes('password')) {
      for (const { form } of parseForms(value))
        if (form.type === 'Password') passwordForms.add(form.name);
    }
    const nested = nestedJson(value);
    const clean = data(nested);
    return text(isSameJson(clean, nested) ? value : JSON.stringify(clean));
  };
  const data = (value: unknown, secret = false): unknown => {
    if (value === null || value === undefined || typeof value === 'boolean' || value === '')
      return value;
    if (Array.isArray(value)) return value.map((each) => data(each, secret));
    if (typeof value === 'object') return object(value as Record<string, unknown>, secret);
    return secret ? REDACTED_TEXT : typeof value === 'string' ? string(value) : value;
  };
  const object = (value: Record<string, unknown>, secret: boolean): Record<string, unknown> => {
    // Texts first: they tell which values are passwords.
    for (const [name, form] of Object.entries(jsonObjectOf(value['forms'])))
      if (jsonObjectOf(form)['type'] === 'Password') passwordForms.add(name);
    for (const key of ['text', 'paragraph']) if (typeof value[key] === 'string') string(value[key]);
    // Entries such as `{name: 'db.password', value: …}` in settings and shared values.
    const called = ['name', 'propertyName', 'envName', 'key', 'type'].some(
      (key) => typeof value[key] === 'string' && SECRET.test(value[key]),
    );
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => {
        if (called && ['value', 'defaultValue', 'object'].includes(key))
          return [key, data(each, true)];
        if (/params$/i.test(key) && isJsonObject(each)) {
          const params = Object.entries(each).map(([name, one]) => [
            name,
            data(one, secret || SECRET.test(name) || passwordForms.has(name)),
          ]);
          return [key, Object.fromEntries(params)];
        }
        return [key, data(each, secret || SECRET.test(key))];
      }),
    );
  };
  const json = (value: string): unknown => {
    const parsed = parseJson(value);
    return parsed === undefined ? text(value) : data(parsed);
  };
  const remember = (frame: unknown) => {
    const { ticket } = jsonObjectOf(frame);
    if (typeof ticket === 'string' && ticket.length >= LEAST && ticket !== 'anonymous')
      known.add(ticket);
  };
  return {
    text,
    frame(raw) {
      if (typeof raw !== 'string') return REDACTED_TEXT;
      remember(parseJson(raw));
      return json(raw);
    },
    body(raw) {
      const parsed = parseJson(raw);
      remember((parsed as { body?: unknown } | undefined)?.body);
      if (parsed === undefined && /^[\w.+%-]+=/.test(raw)) return query(raw, text);
      return json(raw);
    },
    path(address) {
      const url = new URL(address);
      const segments = url.pathname.split('/');
      // The path segment after `password-reset` or `access-token` is a secret.
      const path = segments
        .map((segment, at) =>
          SECRET.test(segments[at - 1] ?? '') ? encodeURIComponent(REDACTED_TEXT) : segment,
        )
        .join('/');
      return text(path) + (url.search ? `?${query(url.search.slice(1), text)}` : '');
    },
  };
}

function query(raw: string, text: (value: string) => string): string {
  const entries = [...new URLSearchParams(raw)].map(([key, value]): [string, string] => [
    key,
    SECRET.test(key) ? REDACTED_TEXT : text(value),
  ]);
  return new URLSearchParams(entries).toString();
}

/** Returns the list or object that a text is, if it is JSON. */
export const nestedJson = (text: string): unknown =>
  /^\s*[[{]/.test(text) ? parseJson(text) : undefined;
