/**
 * Checks that every request passes first: host, origin, security headers, and the caller's identity
 * and address.
 */
import { STATUS_CODES } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import { getConnInfo } from '@hono/node-server/conninfo';
import { type EndpointName, endpoints } from '@tiding/client/protocol';
import type { Context, Hono } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { Refusal } from '../base/errors.ts';
import { isLoopback, type ServerOptions } from '../base/options.ts';
import { basePath } from '../base/sso-options.ts';
import type { Logger } from '../logging/log.ts';
import type { Metrics } from '../logging/metrics.ts';
import { callerOf, isSecure, type OriginGate } from './origin.ts';

/** Statuses that Zeppelin sends as a number. */
const UNNAMED = new Set([422]);
/** Returns Zeppelin's name of an HTTP status. */
export const statusName = (status: number): string =>
  (UNNAMED.has(status) ? undefined : STATUS_CODES[status])?.toUpperCase().replaceAll(' ', '_') ??
  String(status);

/**
 * Wraps an answer as Zeppelin does. Some of its clients require the message even if it is empty,
 * and read the id of a new paragraph from it.
 */
export const enveloped = (name: EndpointName, status: number, body: unknown): object => ({
  status: statusName(status),
  message: name === 'nextParagraph' ? body : name === 'version' ? 'Zeppelin version' : '',
  ...(body === undefined ? {} : { body }),
});

/** Message for errors whose cause must not be shown to the caller. */
export const INTERNAL_ERROR_MESSAGE =
  'Something went wrong on the server. Nothing is known to be changed.';
/** Zeppelin's name of the session cookie, which API clients look for. */
const PROGRAMS_COOKIE = 'JSESSIONID';
/** Lifetime of a session cookie, in s. */
const COOKIE_SECONDS = 7 * 24 * 3_600;

/** Sends a message in the common response envelope. */
export function sendMessage(
  c: Context,
  status: number,
  message: string,
  { location, body, retryAfter, exception }: Refusal['more'] = {},
): Response {
  if (location !== undefined) c.header('Location', location);
  if (retryAfter !== undefined) c.header('Retry-After', String(retryAfter));
  return c.json(
    {
      status: statusName(status),
      message: exception === undefined ? message : `${exception}: ${message}`,
      ...(body === undefined ? {} : { body }),
      ...(exception === undefined
        ? {}
        : { exception: exception.split('.').at(-1), stacktrace: '' }),
    },
    status as 400,
  );
}

/** Dependencies of the gate. `port` is known once the server listens. */
interface Parts {
  readonly options: ServerOptions;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly gate: OriginGate;
  readonly port: () => number;
  /** Called when a page of a foreign origin is rejected. */
  readonly onForeign?: (c: Context, address: string) => void;
}

/** Queries that handlers behind the gate may make. */
export interface RestGate {
  /** IP address of the caller, for limits and logs. */
  address(c: Context): string;
  /** Classifies the page that sent the request. */
  origin(c: Context): ReturnType<OriginGate['origin']>;
  /** Whether the caller is a program on this machine, not connected through a proxy. */
  isNear(c: Context): boolean;
  /**
   * The session cookie, if it is accepted. It counts only for the server's own pages; a listed
   * origin must send a token. Zeppelin's name counts only outside browsers: there, servers on
   * the same host share it, and neighbouring domains can set it.
   */
  cookie(c: Context): string | undefined;
  /** Sets the session cookie in the browser; `undefined` removes it. */
  setCookie(c: Context, cookie: string | undefined): void;
  is(c: Context, route: EndpointName): void;
}

/** Whether a part of the path is `.` or `..`, also encoded. */
const hasDotSegment = (url: string): boolean =>
  /[/\\](?:\.|%2e){1,2}(?:[/\\]|$)/i.test(url.split(/[?#]/, 1)[0]!);

/** What a handler receives of a request, beside `parts`, and the status that it sets. */
export function askedOf<Parts extends object>(door: RestGate, c: Context, parts: Parts) {
  let status: 200 | 201 | 202 = 200;
  const request = {
    ...parts,
    params: c.req.param() as Record<string, string>,
    query: new URL(c.req.url).searchParams,
    address: door.address(c),
    signal: c.req.raw.signal,
    header: (field: string) => c.req.header(field),
    setStatus(given: 201 | 202) {
      status = given;
    },
    setSession: (cookie: string | undefined) => door.setCookie(c, cookie),
  };
  return { request, status: () => status };
}

/** Adds the gate in front of all routes that are added to the app later. */
export function restGate(
  app: Hono,
  { options, log, metrics, gate, port, onForeign }: Parts,
): RestGate {
  // Behind a proxy that terminates TLS, the request itself is not encrypted.
  const secure = (c: Context) =>
    isSecure(c.req.url, c.req.header('X-Forwarded-Proto'), options) ||
    options.publicUrl?.startsWith('https:') === true;
  const base = basePath(options);
  // Browsers accept these prefixes only over TLS. With the first one, no other host can set the
  // cookie; it does not allow a path.
  const prefix = base === '' ? '__Host-' : '__Secure-';
  const cookieName = (c: Context) => `${secure(c) ? prefix : ''}tiding-${port()}`;
  const kindOf = (c: Context) =>
    gate.origin(c.req.header('Origin'), c.req.header('Host'), secure(c));
  const address = (c: Context) => callerOf(peerOf(c), c.req.header('X-Forwarded-For'), options);
  const routes = new WeakMap<Context, string>();

  app.onError((error, c) => {
    // Usually a body whose sender has disconnected.
    log.warn({ path: c.req.path, error: error.message }, 'a request failed');
    return sendMessage(c, 500, INTERNAL_ERROR_MESSAGE);
  });
  app.use('*', async (c, next) => {
    if (!gate.host(c.req.header('Host'))) return c.text('unknown host name', 403);
    const began = performance.now();
    await next();
    metrics.call(
      routes.get(c) ?? (c.req.path.startsWith('/api/') ? 'unknown' : 'page'),
      c.res.status,
      (performance.now() - began) / 1_000,
    );
    if (secure(c)) c.header('Strict-Transport-Security', 'max-age=31536000');
    c.header('X-Content-Type-Options', 'nosniff');
    c.header('Referrer-Policy', 'no-referrer');
  });
  app.use('/api/*', async (c, next) => {
    const origin = c.req.header('Origin');
    const kind = kindOf(c);
    c.header('Cache-Control', 'no-store');
    c.header('Vary', 'Origin', { append: true });
    if (kind === 'listed' && origin) c.header('Access-Control-Allow-Origin', origin);
    if (c.req.method === 'OPTIONS') {
      if (kind !== 'listed') return c.body(null, 403);
      c.header('Access-Control-Allow-Methods', 'GET, HEAD, POST, PUT, DELETE');
      c.header('Access-Control-Allow-Headers', 'authorization, content-type');
      c.header('Access-Control-Max-Age', '600');
      return c.body(null, 204);
    }
    if (kind === 'foreign') {
      onForeign?.(c, address(c));
      return sendMessage(c, 403, 'this origin is not allowed');
    }
    // The parsed path no longer has them, and would name another object: the note for
    // `/notebook/:noteId/paragraph/..`.
    const raw = (c.env as Partial<HttpBindings> | undefined)?.incoming?.url;
    if (raw !== undefined && hasDotSegment(raw))
      return sendMessage(c, 404, 'There is no such call.');
    await next();
    return undefined;
  });

  return {
    address,
    origin: kindOf,
    isNear: (c) =>
      isLoopback(peerOf(c).replace(/^::ffff:/, '')) &&
      c.req.header('X-Forwarded-For') === undefined &&
      c.req.header('Forwarded') === undefined,
    cookie: (c) =>
      kindOf(c) === 'listed'
        ? undefined
        : (getCookie(c, cookieName(c)) ??
          (fromBrowser(c) ? undefined : getCookie(c, PROGRAMS_COOKIE))),
    setCookie(c, cookie) {
      // The last one is Zeppelin's, because its clients take the last cookie of this name.
      for (const field of [cookieName(c), PROGRAMS_COOKIE]) {
        if (cookie === undefined) deleteCookie(c, field, { path: `${base}/`, secure: secure(c) });
        else
          setCookie(c, field, cookie, {
            path: `${base}/`,
            httpOnly: true,
            sameSite: 'Lax',
            secure: secure(c),
            maxAge: COOKIE_SECONDS,
          });
      }
    },
    is: (c, route) => void routes.set(c, route),
  };
}

/**
 * Serves `/metrics` to programs on this machine. Behind a proxy every caller seems local, so an
 * administrator's token is required.
 */
export function metricsPage(
  app: Hono,
  { isNear }: RestGate,
  metrics: Metrics,
  isAdministrator: (c: Context) => Promise<boolean>,
): void {
  app.get('/metrics', async (c) => {
    if (!isNear(c) && !(await isAdministrator(c).catch(() => false)))
      return c.text("An administrator's access token is needed.", 401);
    const { type, body } = await metrics.text();
    return c.body(body, 200, { 'Content-Type': type, 'Cache-Control': 'no-store' });
  });
}

/** Returns the bearer token of the `Authorization` header, if any. */
export const bearerTokenOf = (c: Context): string | undefined =>
  /^Bearer (.*)$/i.exec(c.req.header('Authorization') ?? '')?.[1]?.trim();

/**
 * Returns the refusal of a call without a session. Zeppelin redirects to an address that answers
 * 405, and its clients detect an ended session by one or the other. Callers that accept nothing but
 * JSON, callers that need a token, and calls that Zeppelin doesn't have get 401. `signIn`: the only
 * way to sign in, if there is one.
 */
export function notSignedIn(
  c: Context,
  name: EndpointName,
  { needsToken, signIn }: { needsToken: boolean; signIn: string | undefined },
): Refusal {
  const message = 'Not signed in.';
  if (signIn !== undefined) return new Refusal(401, message, 'error', { location: signIn });
  return needsToken ||
    c.req.header('Accept')?.trim() === 'application/json' ||
    endpoints[name].path.startsWith('/magpie/')
    ? new Refusal(401, message)
    : new Refusal(302, message, 'error', { location: '/api/login' });
}

/** Whether a header shows that a browser sent the request for a page. */
export function fromBrowser(c: Context): boolean {
  const origin = c.req.header('Origin');
  // A page's origin is never an asterisk; Zeppelin's API client sends it.
  return c.req.header('Sec-Fetch-Site') !== undefined || (origin !== undefined && origin !== '*');
}

/**
 * Rejects requests that another page could make a browser send with the session cookie. The rule
 * is that of Go's `http.CrossOriginProtection`. Browsers that send no `Sec-Fetch-Site` send
 * `Origin`, and the gate has rejected foreign ones; programs send neither.
 */
export function refuseForgery(c: Context): void {
  const site = c.req.header('Sec-Fetch-Site');
  if (site !== undefined && site !== 'same-origin' && site !== 'none')
    throw new Refusal(403, 'Pages of this origin may not change anything on this server.');
}

function peerOf(c: Context): string {
  try {
    return getConnInfo(c).remote.address ?? '';
  } catch {
    return '';
  }
}
