/** What of a conversation may be kept: everything but what would let its reader in. */
import { parseForms } from '../model/forms.ts';

/** Stands for what was taken out. */
export const REDACTED = '…';

const SECRET = /ticket|password|token|secret|authorization/i;
/** A shorter secret is no ticket of any server, and might be a word. */
const LEAST = 8;

/** Takes secrets out. It remembers the tickets it has seen, and takes them out wherever they come again. */
export interface Redactor {
  /** A frame's text: its JSON without secrets, or the text where it is not JSON. */
  frame(text: unknown): unknown;
  /** A REST body: JSON, a form or text. */
  body(text: string): unknown;
  /** An address without its server, without secrets in path and query. */
  path(address: string): string;
  text(text: string): string;
}

/** Makes one. */
export function redactor(): Redactor {
  const known = new Set<string>();
  const passwordForms = new Set<string>();

  const text = (value: string): string => {
    let result = value;
    for (const secret of known) result = result.replaceAll(secret, REDACTED);
    return result;
  };
  /** JSON in a string, as RUN_ALL_PARAGRAPHS and exports have it, is data as well. */
  const string = (value: string): string => {
    if (value.includes('password')) {
      for (const { form } of parseForms(value))
        if (form.type === 'Password') passwordForms.add(form.name);
    }
    const nested = /^\s*[[{]/.test(value) ? parse(value) : undefined;
    if (typeof nested === 'object' && nested !== null) {
      const clean = data(nested);
      if (JSON.stringify(clean) !== JSON.stringify(nested)) return text(JSON.stringify(clean));
    }
    return text(value);
  };
  const data = (value: unknown, secret = false): unknown => {
    if (value === null || value === undefined || typeof value === 'boolean' || value === '')
      return value;
    if (Array.isArray(value)) return value.map((each) => data(each, secret));
    if (typeof value === 'object') return object(value as Record<string, unknown>, secret);
    return secret ? REDACTED : typeof value === 'string' ? string(value) : value;
  };
  const object = (value: Record<string, unknown>, secret: boolean): Record<string, unknown> => {
    // Texts first: they say which of the values beside them are passwords.
    const forms = value['forms'] as Record<string, { type?: unknown } | null> | undefined;
    for (const [name, form] of Object.entries(
      typeof forms === 'object' && forms !== null ? forms : {},
    )) {
      if (form?.type === 'Password') passwordForms.add(name);
    }
    for (const key of ['text', 'paragraph']) if (typeof value[key] === 'string') string(value[key]);
    // `{name: 'db.password', value: …}` as settings and shared values have it.
    const called = ['name', 'propertyName', 'envName', 'key', 'type'].some(
      (key) => typeof value[key] === 'string' && SECRET.test(value[key]),
    );
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => {
        if (called && ['value', 'defaultValue', 'object'].includes(key))
          return [key, data(each, true)];
        if (
          /params$/i.test(key) &&
          typeof each === 'object' &&
          each !== null &&
          !Array.isArray(each)
        ) {
          return [
            key,
            Object.fromEntries(
              Object.entries(each).map(([name, one]) => [
                name,
                data(one, secret || SECRET.test(name) || passwordForms.has(name)),
              ]),
            ),
          ];
        }
        return [key, data(each, secret || SECRET.test(key))];
      }),
    );
  };
  const json = (value: string): unknown => {
    const parsed = parse(value);
    return parsed === undefined ? text(value) : data(parsed);
  };
  const remember = (frame: unknown) => {
    const { ticket } = (typeof frame === 'object' && frame !== null ? frame : {}) as {
      ticket?: unknown;
    };
    if (typeof ticket === 'string' && ticket.length >= LEAST && ticket !== 'anonymous')
      known.add(ticket);
  };
  return {
    text,
    frame(raw) {
      if (typeof raw !== 'string') return REDACTED;
      remember(parse(raw));
      return json(raw);
    },
    body(raw) {
      const parsed = parse(raw);
      remember((parsed as { body?: unknown } | undefined)?.body);
      if (parsed === undefined && /^[\w.+%-]+=/.test(raw)) return query(raw, text);
      return json(raw);
    },
    path(address) {
      const url = new URL(address);
      const segments = url.pathname.split('/');
      // What follows `password-reset` or `access-token` is one.
      const path = segments
        .map((segment, at) =>
          SECRET.test(segments[at - 1] ?? '') ? encodeURIComponent(REDACTED) : segment,
        )
        .join('/');
      return text(path) + (url.search ? `?${query(url.search.slice(1), text)}` : '');
    },
  };
}

function query(raw: string, text: (value: string) => string): string {
  const entries = [...new URLSearchParams(raw)].map(([key, value]): [string, string] => [
    key,
    SECRET.test(key) ? REDACTED : text(value),
  ]);
  return new URLSearchParams(entries).toString();
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
