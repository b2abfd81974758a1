/** REST: one function for every call of the protocol. Credentials, headers, time limits, errors in one place. */
import ky, { HTTPError, type KyInstance } from 'ky';
import { type CallOptions } from '../core/abort.ts';
import { HttpError, ProtocolError, TidingError } from '../errors.ts';
import type { Auth } from '../options.ts';
import {
  endpoints,
  type EndpointAnswer,
  type EndpointBody,
  type EndpointName,
  type EndpointParams,
  type EndpointQuery,
  type Support,
} from '../protocol/index.ts';
import { isEverywhere } from '../support.ts';
import { bearerOf } from './bearer.ts';
import { cookieJar } from './cookies.ts';

/** What one call carries. */
export interface CallInit<Name extends EndpointName> extends CallOptions {
  /** What stands for each `:name` of the path; one that is missing rejects with `protocol`. */
  params?: EndpointParams<Name>;
  /** Fields that are `undefined` are left out. */
  query?: EndpointQuery<Name>;
  /** Sent as JSON, form or text, as the protocol says of the call. */
  body?: EndpointBody<Name>;
}
/**
 * Makes a REST call by the name it has in the protocol. Rejects with {@link HttpError} for an error status, and with
 * `unsupported`, `timeout`, `aborted`, `network` or `protocol`. A `raw` call answers the platform's `Response`, whose
 * body is the caller's to read; time limit and signal go on until it is read.
 */
export type Call = <Name extends EndpointName>(
  name: Name,
  init?: CallInit<Name>,
) => Promise<EndpointAnswer<Name>>;

/** What REST is made of. */
export interface HttpOptions {
  server: string;
  auth: Auth;
  timeout: number;
  fetch?: typeof fetch | undefined;
  /** Origin of the page that calls; `undefined` where there is none (Node). By default the platform's. */
  origin?: string | undefined;
  /** Rejects where the server's generation lacks a call; absent: all are tried. */
  require?: ((name: EndpointName, support: Support) => Promise<void>) | undefined;
  /** Told of every error status, before the caller is. */
  onError(error: HttpError): void;
}

/** Makes the function for one server and one identity. */
export function createHttp(options: HttpOptions): Call {
  const base = `${options.server.replace(/\/+$/, '')}/api`;
  const jar = cookieJar();
  const pageOrigin =
    'origin' in options
      ? options.origin
      : (globalThis as { location?: { origin?: string } }).location?.origin;
  const sameOrigin = pageOrigin === undefined || new URL(base).origin === pageOrigin;
  const bearer = bearerOf(options.auth);
  const http: KyInstance = ky.create({
    retry: 0,
    credentials: options.auth === 'cookie' ? 'include' : 'omit',
    redirect: 'follow',
    // Read here: a hook would be given a copy of each answer, and a copy that nobody reads fails unheard when the time limit comes.
    async fetch(...request: Parameters<typeof fetch>) {
      const response = await (options.fetch ?? fetch)(...request);
      jar.read(response);
      return response;
    },
    hooks: {
      beforeRequest: [
        async (request) => {
          const token = await bearer.get();
          if (token !== undefined) request.headers.set('Authorization', `Bearer ${token}`);
          // Upstream's preflight refuses the header on cross-origin calls.
          if (sameOrigin) request.headers.set('X-Requested-With', 'XMLHttpRequest');
          const cookie = pageOrigin === undefined && token === undefined ? jar.header() : undefined;
          if (cookie) request.headers.set('Cookie', cookie);
        },
      ],
    },
  });

  return async (name, init = {}) => {
    const endpoint = endpoints[name];
    const path = endpoint.path.replace(/:(\w+)/g, (_, key: string) => {
      const value = (init.params as Readonly<Record<string, string | number>> | undefined)?.[key];
      if (value === undefined || value === '')
        throw new TidingError('protocol', `${name} needs '${key}'`, { operation: name });
      return encodeURIComponent(String(value));
    });
    if (!isEverywhere(endpoint.support)) await options.require?.(name, endpoint.support);
    const timeout = init.timeout ?? options.timeout;
    // One limit for all of it: waiting for the answer, reading it, and asking again with a new token.
    const limit = timeout > 0 ? AbortSignal.timeout(timeout) : undefined;
    try {
      const request = () =>
        http(`${base}${path}`, {
          method: endpoint.method,
          timeout: false,
          signal: AbortSignal.any([init.signal, limit].filter((signal) => signal !== undefined)),
          ...(init.query ? { searchParams: searchOf(init.query) } : {}),
          ...bodyOf(endpoint.encoding, init.body),
        });
      const used = await bearer.get();
      // An expired token is renewed once; a second refusal is the caller's.
      const response = await request().catch((error: unknown) => {
        if (error instanceof HTTPError && error.response.status === 401 && bearer.refused(used))
          return request();
        throw error;
      });
      if (endpoint.content === 'raw') return response as EndpointAnswer<typeof name>;
      const raw = await parse(response);
      const schema = endpoint.answer as {
        safeParse(value: unknown): { success: boolean; data?: unknown; error?: unknown };
      };
      const answer = unwrap(raw);
      const direct = schema.safeParse(answer);
      // Some answers have no body, and carry what they say in `message` (an id, once).
      const parsed =
        !direct.success && answer === undefined && messageOf(raw) !== undefined
          ? schema.safeParse(messageOf(raw))
          : direct;
      if (!parsed.success)
        throw new ProtocolError(
          `${endpoint.method} ${endpoint.path} answered something else`,
          name,
          [String(parsed.error)],
        );
      return parsed.data as EndpointAnswer<typeof name>;
    } catch (error) {
      throw await translate(
        error,
        endpoint.method,
        endpoint.path,
        { signal: init.signal, limit },
        options.onError,
      );
    }
  };
}

function searchOf(query: unknown): [string, string][] {
  return Object.entries(query as Record<string, unknown>).flatMap(
    ([key, value]): [string, string][] => (value === undefined ? [] : [[key, String(value)]]),
  );
}

function bodyOf(encoding: string, body: unknown): Record<string, unknown> {
  if (body === undefined || encoding === 'none') return {};
  if (encoding === 'form') return { body: new URLSearchParams(body as Record<string, string>) };
  if (encoding === 'text') return { body: String(body), headers: { 'Content-Type': 'text/plain' } };
  return { json: body };
}

/** By content, not by type: some JSON answers say `text/plain`, and error pages are HTML. */
async function parse(response: Response): Promise<unknown> {
  const text = await response.text();
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function unwrap(raw: unknown): unknown {
  if (
    typeof raw === 'object' &&
    raw !== null &&
    'status' in raw &&
    typeof raw.status === 'string'
  ) {
    if ('body' in raw) return raw.body;
    if (Object.keys(raw).every((key) => key === 'status' || key === 'message')) return undefined;
  }
  return raw;
}

async function translate(
  error: unknown,
  method: string,
  path: string,
  ended: { signal: AbortSignal | undefined; limit: AbortSignal | undefined },
  onError: (error: HttpError) => void,
): Promise<unknown> {
  const operation = `${method} ${path}`;
  if (error instanceof HTTPError) {
    const body = await parse(error.response).catch(() => undefined);
    const { status } = error.response;
    const http = new HttpError({
      status,
      method,
      path,
      body,
      message: messageOf(body) ?? `${operation} answered ${status}`,
      location: error.response.headers.get('Location') ?? undefined,
    });
    onError(http);
    return http;
  }
  if (error instanceof TidingError) return error;
  if (ended.signal?.aborted)
    return new TidingError('aborted', `${operation} was aborted`, { operation, cause: error });
  if (ended.limit?.aborted)
    return new TidingError('timeout', `${operation}: no answer in time`, { operation });
  return new TidingError('network', `${operation}: the server cannot be reached`, {
    operation,
    cause: error,
  });
}

function messageOf(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const message = (body as { message?: unknown }).message;
  return typeof message === 'string' && message.trim() !== '' ? message : undefined;
}
