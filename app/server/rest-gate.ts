/** What every request passes before anything is done for it: host, origin, headers of safety; and who calls, from where. */
import { getConnInfo } from '@hono/node-server/conninfo';
import type { Context, Hono } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { EndpointName } from 'tiding/protocol';
import type { TicketSession } from './auth/sessions.ts';
import { Refusal } from './errors.ts';
import type { Logger } from './log.ts';
import type { Metrics } from './metrics.ts';
import { isLoopback, type ServerOptions } from './options.ts';
import { callerOf, isSecure, type OriginGate } from './origin.ts';

const names: Record<number, string> = {
  200: 'OK',
  201: 'CREATED',
  202: 'ACCEPTED',
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  406: 'NOT_ACCEPTABLE',
  409: 'CONFLICT',
  410: 'GONE',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  429: 'TOO_MANY_REQUESTS',
  500: 'INTERNAL_SERVER_ERROR',
  502: 'BAD_GATEWAY',
  503: 'SERVICE_UNAVAILABLE',
  504: 'GATEWAY_TIMEOUT',
};
/** Upstream's word for a status. */
export const statusName = (status: number): string => names[status] ?? String(status);

/** Said where the cause is not for the caller. */
export const FAILURE = 'Something went wrong on the server. Nothing is known to be changed.';
/** Upstream's name of the session's cookie, which programs of this family look for. */
const PROGRAMS_COOKIE = 'JSESSIONID';
/** A session's cookie lives this long, in s. */
const COOKIE_SECONDS = 7 * 24 * 3_600;

/** Answers with a message, in the envelope of every call. */
export function answer(
  c: Context,
  status: number,
  message: string,
  { location, body }: Refusal['more'] = {},
): Response {
  if (location !== undefined) c.header('Location', location);
  return c.json(
    { status: statusName(status), message, ...(body === undefined ? {} : { body }) },
    status as 400,
  );
}

/** What it works with. `port`: known once the server listens. */
interface Parts {
  readonly options: ServerOptions;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly gate: OriginGate;
  readonly port: () => number;
  /** Programs have the session's cookie under upstream's name too. */
  readonly programs?: boolean;
  /** Told of a call from a page that is not let in. */
  readonly onForeign?: (c: Context, address: string) => void;
}

/** What the handlers behind the gate ask it. */
export interface RestGate {
  /** Address of the caller, for limits and logs. */
  address(c: Context): string;
  /** What the page is that the caller's browser is on. */
  origin(c: Context): ReturnType<OriginGate['origin']>;
  /** Whether the caller is a program of this machine, and no proxy's client. */
  isNear(c: Context): boolean;
  /** The session's cookie, where one counts: it is for the server's own pages, a listed origin brings a token. */
  cookie(c: Context): string | undefined;
  /** Has the browser keep a cookie; `undefined`: forget it. */
  setCookie(c: Context, cookie: string | undefined): void;
  /** Says which call it is, for the figures. */
  is(c: Context, route: EndpointName): void;
}

/** Puts the gate before all that is added to the app later. */
export function restGate(
  app: Hono,
  { options, log, metrics, gate, port, programs = false, onForeign }: Parts,
): RestGate {
  // Behind a proxy that speaks TLS the request itself is plain.
  const secure = (c: Context) =>
    isSecure(c.req.url, c.req.header('X-Forwarded-Proto'), options) ||
    options.publicUrl?.startsWith('https:') === true;
  // A browser takes the prefix only from who is reached securely, and lets no other host set such a cookie.
  const cookieName = (c: Context) => `${secure(c) ? '__Host-' : ''}tiding-${port()}`;
  const kindOf = (c: Context) =>
    gate.origin(c.req.header('Origin'), c.req.header('Host'), secure(c));
  const address = (c: Context) => callerOf(peerOf(c), c.req.header('X-Forwarded-For'), options);
  const routes = new WeakMap<Context, string>();

  app.onError((error, c) => {
    // Mostly a body whose sender has gone.
    log.warn({ path: c.req.path, error: error.message }, 'a request failed');
    return answer(c, 500, FAILURE);
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
      return answer(c, 403, 'this origin is not allowed');
    }
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
          (programs && isProgram(c) ? getCookie(c, PROGRAMS_COOKIE) : undefined)),
    setCookie(c, cookie) {
      // In a browser two servers of one host would share a cookie of upstream's name.
      for (const field of programs && isProgram(c)
        ? [cookieName(c), PROGRAMS_COOKIE]
        : [cookieName(c)]) {
        if (cookie === undefined) deleteCookie(c, field, { path: '/', secure: secure(c) });
        else
          setCookie(c, field, cookie, {
            path: '/',
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

/** `/metrics`, for programs of this machine; behind a proxy every caller is of this machine: then an administrator's token decides. */
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

/** The token of the header `Authorization`, if it has one. */
export const bearerOf = (c: Context): string | undefined =>
  /^Bearer (.*)$/i.exec(c.req.header('Authorization') ?? '')?.[1]?.trim();

/**
 * Whether a program calls, and no page: a browser names itself, and says of a call that changes something where it comes from.
 * Nobody can make a program send its cookie, so it need not show that it meant to.
 */
export function isProgram(c: Context): boolean {
  return (
    !['Origin', 'Referer', 'Sec-Fetch-Site', 'Sec-Fetch-Mode', 'X-Requested-With'].some(
      (field) => c.req.header(field) !== undefined,
    ) && !/Mozilla\//i.test(c.req.header('User-Agent') ?? '')
  );
}

/** Refuses what a page elsewhere can make a browser send: a form with our cookie, but neither this header nor a token. `exempt`: no page calls. */
export function refuseForgery(
  c: Context,
  session: Pick<TicketSession, 'key'> | undefined,
  exempt = false,
): void {
  const site = c.req.header('Sec-Fetch-Site');
  if (site !== undefined && site !== 'same-origin' && site !== 'none')
    throw new Refusal(403, 'this page may not change anything here');
  if (session && !exempt && c.req.header('X-Requested-With') === undefined)
    throw new Refusal(403, 'the header X-Requested-With is missing');
}

function peerOf(c: Context): string {
  try {
    return getConnInfo(c).remote.address ?? '';
  } catch {
    return '';
  }
}
