/**
 * The REST client: one function for every call of the protocol, with credentials, headers, time
 * limits and errors.
 */
import ky, { HTTPError, type Options } from 'ky';
import type { CallOptions } from '../core/abort.ts';
import {
  HttpError,
  isHttpError,
  isTidingError,
  ProtocolError,
  TidingError,
  UnsupportedError,
} from '../core/errors.ts';
import { requireKnown } from '../core/known-options.ts';
import { isSupportedEverywhere } from '../core/server-support.ts';
import type { SignOutReason } from '../core/state.ts';
import { isJsonObject, jsonObjectOf, parseJson } from '../model/json-object.ts';
import {
  type EndpointAnswer,
  type EndpointBody,
  type EndpointName,
  type EndpointParams,
  type EndpointQuery,
  endpoints,
  type Support,
  tokenFailures,
} from '../protocol/index.ts';
import { cookieJar } from './cookies.ts';
import { featureOf, lackMessage } from './features.ts';
import { type ClientAuth, createTokenProvider } from './token-provider.ts';

/** Arguments of one REST call. */
export interface RestCallInit<Name extends EndpointName> extends CallOptions {
  /** Values for each `:name` in the path. A missing one rejects with `protocol`. */
  params?: EndpointParams<Name>;
  /** Query parameters. Fields that are `undefined` are omitted. */
  query?: EndpointQuery<Name>;
  /** Request body. The protocol defines per call whether it is sent as JSON, form or text. */
  body?: EndpointBody<Name>;
}
/**
 * Makes a REST call by its name in the protocol.
 *
 * Rejects with an {@link HttpError} for an error status, otherwise with a {@link TidingError} with
 * code `unsupported`, `timeout`, `aborted`, `network` or `protocol`, or with `signed-out` if the
 * client's token can't be used any more. A `raw` call returns the
 * platform's `Response` with an unread body; the time limit and the signal still apply while you
 * read it.
 *
 * @example
 * const note = await client.call('getNote', { params: { noteId: '2A94M5J1Z' }, timeout: 5_000 });
 */
export type RestCall = <Name extends EndpointName>(
  name: Name,
  init?: RestCallInit<Name>,
) => Promise<EndpointAnswer<Name>>;

/** Options of {@link createRestClient}. */
export interface RestClientOptions {
  server: string;
  auth: ClientAuth;
  timeout: number;
  fetch?: typeof fetch | undefined;
  /**
   * Origin of the calling page; `undefined` if there is none (Node.js). Default: the platform's.
   */
  origin?: string | undefined;
  /** Rejects if the server lacks a call. If omitted, every call is tried. */
  require?: ((name: EndpointName, support: Support) => Promise<void>) | undefined;
  /** Called for every error status, before the caller's promise rejects. */
  onError(error: HttpError): void;
  /** Called when the token can't be used any more, before the caller's promise rejects. */
  onTokenFailure?: ((reason: SignOutReason, message: string) => void) | undefined;
}

const BEARER = 'Bearer ';

/** Creates the REST client for one server and one identity. */
export function createRestClient(options: RestClientOptions): RestCall {
  const base = `${options.server.replace(/\/+$/, '')}/api`;
  const jar = cookieJar();
  const pageOrigin =
    'origin' in options
      ? options.origin
      : (globalThis as { location?: { origin?: string } }).location?.origin;
  const sameOrigin = pageOrigin === undefined || new URL(base).origin === pageOrigin;
  const bearer = createTokenProvider(options.auth);
  const http = ky.create({
    credentials: options.auth === 'cookie' ? 'include' : 'omit',
    // The time limit of a call includes reading the response, so it is a signal.
    timeout: false,
    fetch: async (request) => {
      // A hook would get a copy of the response, whose body nobody reads.
      const response = await (options.fetch ?? fetch)(request);
      jar.read(response);
      return response;
    },
    // An expired token is renewed once. A second refusal is passed on to the caller.
    retry: {
      limit: 1,
      methods: ['get', 'post', 'put', 'patch', 'delete', 'head'],
      delay: () => 0,
      shouldRetry: ({ error }) =>
        error instanceof HTTPError &&
        error.response.status === 401 &&
        bearer.refused(error.request.headers.get('Authorization')?.replace(BEARER, '')),
    },
    hooks: {
      beforeRequest: [
        async ({ headers }) => {
          const token = await bearer.get();
          if (token !== undefined) headers.set('Authorization', `${BEARER}${token}`);
          // Apache Zeppelin's CORS preflight refuses this header.
          if (sameOrigin) headers.set('X-Requested-With', 'XMLHttpRequest');
          const cookie = pageOrigin === undefined && token === undefined ? jar.header() : undefined;
          if (cookie) headers.set('Cookie', cookie);
        },
      ],
    },
  });

  return async (name, init = {}) => {
    if (!Object.hasOwn(endpoints, name))
      throw new TidingError('protocol', `There is no REST call '${String(name)}'.`, {
        operation: String(name),
      });
    requireKnown(init, ['params', 'query', 'body', 'signal', 'timeout'], name, false);
    const endpoint = endpoints[name];
    const path = endpoint.path.replace(/:(\w+)/g, (_, key: string) => {
      const value = (init.params as Readonly<Record<string, string | number>> | undefined)?.[key];
      if (value === undefined || value === '')
        throw new TidingError('protocol', `${name}: the parameter '${key}' is missing.`, {
          operation: name,
        });
      // Fetch would resolve it, and so call another path.
      if (value === '.' || value === '..')
        throw new TidingError('protocol', `${name}: the parameter '${key}' can't be '${value}'.`, {
          operation: name,
        });
      return encodeURIComponent(String(value));
    });
    if (!isSupportedEverywhere(endpoint.support))
      await options.require?.(name, endpoint.support).catch((error: unknown) => {
        const feature = featureOf(endpoint.path);
        if (!(error instanceof UnsupportedError) || feature === undefined) throw error;
        const { operation = name, serverVersion } = error;
        throw new UnsupportedError(operation, serverVersion, feature);
      });
    const timeout = init.timeout ?? options.timeout;
    // One time limit for everything: waiting for the response, reading it, and retrying with a new
    // token.
    const limit = timeout > 0 ? AbortSignal.timeout(timeout) : undefined;
    try {
      const response = await http(`${base}${path}`, {
        method: endpoint.method,
        signal: AbortSignal.any([init.signal, limit].filter((signal) => signal !== undefined)),
        searchParams: init.query as Record<string, string | number | boolean | undefined>,
        ...bodyOf(endpoint.encoding, init.body, {
          // Without a session, Tiding then answers 401 instead of redirecting as Zeppelin does.
          ...(endpoint.content === 'json' ? { Accept: 'application/json' } : {}),
        }),
      });
      if (endpoint.content === 'raw') return response as EndpointAnswer<typeof name>;
      const raw = await parse(response);
      const schema = endpoint.answer as {
        safeParse(value: unknown): { success: boolean; data?: unknown; error?: unknown };
      };
      const answer = unwrap(raw);
      const direct = schema.safeParse(answer);
      // Some responses have no body and carry their value in `message`, for example the id of a new
      // note.
      const parsed =
        !direct.success && answer === undefined && messageOf(raw) !== undefined
          ? schema.safeParse(messageOf(raw))
          : direct;
      if (!parsed.success)
        throw new ProtocolError(
          `The response of ${endpoint.method} ${endpoint.path} does not match the protocol.`,
          name,
          [String(parsed.error)],
        );
      return parsed.data as EndpointAnswer<typeof name>;
    } catch (error) {
      const problem = await translate(
        error,
        endpoint.method,
        endpoint.path,
        { signal: init.signal, limit },
        options.onError,
      );
      const reason = options.auth === 'cookie' ? undefined : tokenFailureOf(problem, name);
      if (reason === undefined) throw problem;
      const { message, operation = name } = problem as TidingError;
      options.onTokenFailure?.(reason, message);
      if (reason === 'source') throw problem;
      throw new TidingError('signed-out', message, { operation, cause: problem });
    }
  };
}

/**
 * Returns why a call with a token shows that the token can't be used any more. A 401 alone may mean
 * that a role is missing, except for the version and the ticket, which every user gets.
 */
function tokenFailureOf(problem: unknown, name: EndpointName): SignOutReason | undefined {
  if (isTidingError(problem, 'signed-out')) return 'source';
  if (!isHttpError(problem) || (problem.status !== 401 && problem.status !== 403)) return undefined;
  const { reason } = (problem.body as { body?: { reason?: unknown } } | undefined)?.body ?? {};
  const isRefused =
    (name === 'ticket' || name === 'version') &&
    problem.status === 401 &&
    problem.location === undefined;
  return tokenFailures.find((each) => each === reason) ?? (isRefused ? 'invalid' : undefined);
}

function bodyOf(
  encoding: string,
  body: unknown,
  headers: Record<string, string>,
): Pick<Options, 'body' | 'json' | 'headers'> {
  if (body === undefined || encoding === 'none') return { headers };
  // The platform sets the type of a form.
  if (encoding === 'form')
    return { headers, body: new URLSearchParams(body as Record<string, string>) };
  return encoding === 'text'
    ? { headers: { ...headers, 'Content-Type': 'text/plain' }, body: String(body) }
    : { headers, json: body };
}

/**
 * Detects JSON by content instead of content type: some JSON responses are `text/plain`, and error
 * pages are HTML.
 */
async function parse(response: Response): Promise<unknown> {
  const text = await response.text();
  return text.trim() === '' ? undefined : parseJson(text, text);
}

function unwrap(raw: unknown): unknown {
  if (isJsonObject(raw) && typeof raw['status'] === 'string') {
    if ('body' in raw) return raw['body'];
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
    const stated = readableMessage(body);
    const lack = status === 404 ? lackMessage(path, stated) : undefined;
    const http = new HttpError({
      status,
      method,
      path,
      body,
      message: lack ?? stated ?? `${operation} failed with status ${status}.`,
      code: lack !== undefined ? 'unsupported' : isNameTaken(body) ? 'conflict' : undefined,
      location: error.response.headers.get('Location') ?? undefined,
    });
    onError(http);
    return http;
  }
  if (error instanceof TidingError) return error;
  if (ended.signal?.aborted)
    return new TidingError('aborted', `${operation} was aborted.`, { operation, cause: error });
  if (ended.limit?.aborted)
    return new TidingError('timeout', `${operation}: no response within the time limit.`, {
      operation,
    });
  return new TidingError('network', `${operation}: the server can't be reached.`, {
    operation,
    cause: error,
  });
}

/** Zeppelin answers with 500 if there is a note with this name. */
const isNameTaken = (body: unknown): boolean =>
  /\bNotePathAlreadyExistsException$/.test(String(jsonObjectOf(body)['exception']));

function messageOf(body: unknown): string | undefined {
  const { message } = jsonObjectOf(body);
  return typeof message === 'string' && message.trim() !== '' ? message : undefined;
}

/** Returns the message without the names of Java classes that Zeppelin puts before it. */
const readableMessage = (body: unknown): string | undefined =>
  messageOf(body)?.replace(/^(?:(?:[\w$]+\.)+\w*(?:Exception|Error): )+/, '');
