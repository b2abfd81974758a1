/** REST and pages in front of another server: what that one has is its, what it lacks is ours. */
import { Readable } from 'node:stream';
import { getCookie, deleteCookie, setCookie } from 'hono/cookie';
import { Hono, type Context } from 'hono';
import { endpoints, type EndpointName } from 'tiding/protocol';
import { rest } from '../areas/index.ts';
import { limited } from '../areas/session.ts';
import type { Person } from '../auth/permissions.ts';
import { FIRST_ADMIN } from '../auth/users.ts';
import { bodyLimit } from '../body-limit.ts';
import type { RestRequest, ServerContext } from '../context.ts';
import { Refusal } from '../errors.ts';
import { addressOf, forgery, readBody, spellings } from '../http.ts';
import type { OriginGate } from '../origin.ts';
import { pages } from '../pages.ts';
import { SERVER_VERSION } from '../version.ts';
import { pathOf } from './address.ts';
import { maskOf, NO_TOKENS, type Seats, type TicketSeat } from './seats.ts';
import { asksForSignIn, type Zeppelin } from './zeppelin.ts';

/** What the handlers of ours that serve here work with: nothing of notes and interpreters. */
export type LeanContext = Pick<ServerContext, 'options' | 'log' | 'users' | 'sessions' | 'tokens' | 'loginLink' | 'passwordResets' | 'clusters' | 'url'>;

/** What the HTTP side is made of. */
export interface GatewayParts {
  readonly context: LeanContext;
  readonly zeppelin: Zeppelin;
  readonly seats: Seats;
}

interface Call {
  readonly c: Context;
  readonly seat: TicketSeat | undefined;
  /** For handlers of ours. */
  readonly request: RestRequest<EndpointName>;
}
type Own = (call: Call) => unknown;

/** Runs last for so long at most, in ms: the answer of a call that waits for one comes at its end. */
const RUN_LIMIT_MS = 3_600_000;
const waits = new Set<EndpointName>(['runNote', 'runParagraph']);
const names: Record<number, string> = {
  400: 'BAD_REQUEST', 401: 'UNAUTHORIZED', 403: 'FORBIDDEN', 404: 'NOT_FOUND', 409: 'CONFLICT', 410: 'GONE', 413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE', 429: 'TOO_MANY_REQUESTS', 502: 'BAD_GATEWAY', 504: 'GATEWAY_TIMEOUT',
};
/** Headers that go on; all others, with cookies, credentials and what belongs to one connection, stay here. */
const ASKED = ['accept', 'accept-language', 'content-type', 'if-none-match', 'if-modified-since', 'range'];
const ANSWERED = ['content-type', 'content-length', 'content-disposition', 'content-language', 'content-range', 'accept-ranges', 'etag', 'last-modified', 'retry-after'];
/** Pages of errors are HTML: they are shown as text by clients, and do nothing where somebody opens one. */
const ANSWER_POLICY = "sandbox; default-src 'none'; frame-ancestors 'none'";
const FAILURE = 'Something went wrong on the server.';
const NEEDS_NOTES = 'There is no such call here: it needs the notes of this server, and they are those of the Zeppelin behind it.';
const nobody: Person = { principal: 'anonymous', roles: [] };

/** Calls of ours that work in front of a server where people sign in, as a version names them to clients. */
const always: readonly EndpointName[] = ['magpieConfig', 'magpieVersion', 'listClusters', 'setCluster', 'commandLine'];
/** Those that need our users. */
const withUsers: readonly EndpointName[] = [
  'loginOnce', 'listTokens', 'createToken', 'setTokenStatus', 'describeToken', 'deleteToken', 'requestPasswordReset', 'checkPasswordReset', 'resetPassword',
];

/** The HTTP side. */
export function createGatewayHttp({ context, zeppelin, seats }: GatewayParts, gate: OriginGate, port: () => number): Hono {
  const app = new Hono();
  const { options, log } = context;
  const cookieName = () => `tiding-${port()}`;
  const isAnonymous = () => zeppelin.kind === 'anonymous';

  app.onError((error, c) => {
    log.warn({ path: c.req.path, error: error.message }, 'a request failed');
    return answer(c, 500, FAILURE);
  });
  app.use('*', async (c, next) => {
    if (!gate.host(c.req.header('Host'))) return c.text('unknown host name', 403);
    await next();
    c.header('X-Content-Type-Options', 'nosniff');
    c.header('Referrer-Policy', 'no-referrer');
    return undefined;
  });
  app.use('/api/*', async (c, next) => {
    const origin = c.req.header('Origin');
    const kind = gate.origin(origin, c.req.header('Host'));
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
    if (kind === 'foreign') return answer(c, 403, 'this origin is not allowed');
    await next();
    return undefined;
  });
  const atMost = (max: number) => bodyLimit(max, (c) => answer(c, 413, `a body has at most ${max} bytes`));
  const [smallBody, largeBody] = [atMost(options.maxBodyBytes), atMost(options.maxImportBytes)];
  app.use('/api/*', (c, next) => (c.req.path === '/api/notebook/import' ? largeBody : smallBody)(c, next));

  /** A handler of ours; it finds of its context what it needs. */
  const ours = (name: EndpointName): Own => ({ request }) => (rest[name] as (request: unknown, context: ServerContext) => unknown)(request, context as ServerContext);
  const needsUsers = (name: EndpointName, why: string): Own => (call) => {
    if (!isAnonymous()) throw new Refusal(404, why);
    return ours(name)(call);
  };
  /** Our own sign-in; to clients everybody is who he is to upstream. */
  const locally = (name: 'login' | 'loginOnce'): Own => async (call) => ({ ...(await ours(name)(call) as object), principal: zeppelin.anonymous.principal });

  const own: Partial<Record<EndpointName, Own>> = {
    version: async () => {
      const { tiding: _, ...version } = await zeppelin.version();
      const also = [...always, ...(isAnonymous() ? withUsers : [])].map((name) => `${endpoints[name].method} ${endpoints[name].path}`);
      return { ...version, gateway: { version: SERVER_VERSION, also } };
    },
    ticket: async ({ c, seat }) => {
      if (!seat) throw new Refusal(401, 'Not signed in.');
      if (seat.local) return { principal: seat.principal, ticket: seat.ticket, roles: JSON.stringify(seat.local.person.roles) };
      if (!(await seats.confirm(seat.key))) throw signedOut(c);
      const now = await seats.byKey(seat.key);
      return { principal: seat.principal, ticket: seat.ticket, roles: now?.upstream.roles ?? '[]' };
    },
    login: async (call) => {
      await zeppelin.look();
      reachable();
      if (isAnonymous()) return locally('login')(call);
      const { userName, password } = call.request.body as { userName: string; password: string };
      const upstream = await limited(context as ServerContext, `${userName}\n${call.request.address}`, () => zeppelin.login(userName, password));
      if (!upstream) {
        log.warn({ event: 'sign-in-failed', principal: userName, address: call.request.address }, 'sign-in failed');
        throw new Refusal(403, "The username and password that you entered don't match.");
      }
      const { seat, cookie } = seats.start(upstream);
      // The one before ends after the new one is there: its end asks for a new ticket where it is the same person's.
      if (call.seat) await seats.end(call.seat);
      call.request.setSession(cookie);
      log.info({ event: 'sign-in', principal: seat.principal, address: call.request.address }, 'signed in');
      return { principal: seat.principal, ticket: seat.ticket, roles: upstream.roles };
    },
    loginOnce: async (call) => {
      reachable();
      if (!isAnonymous()) throw new Refusal(403, 'People sign in here as at the Zeppelin behind this server, with name and password.');
      return locally('loginOnce')(call);
    },
    logout: async ({ c, seat }) => {
      if (seat) await seats.end(seat);
      throw signedOut(c, '');
    },
    // Not 405: to clients of this family that means that the session is over.
    loginAddress: () => {
      throw new Refusal(404, 'Single sign-on is not configured: sign in with a password.');
    },
    ssoLogin: () => new Response(null, { status: 302, headers: { Location: '/#/sso/error' } }),
    magpieConfig: async ({ seat }) => {
      await context.users.refresh();
      return {
        productName: 'Tiding',
        loginMode: 'Password',
        features: { accessTokens: isAnonymous(), clusters: true, revisionControl: false },
        firstUse: isAnonymous() && context.users.count === 1 && !context.users.get(FIRST_ADMIN)?.password,
        ...(seat ? { allowOrigins: options.allowOrigins } : {}),
      };
    },
    magpieVersion: ours('magpieVersion'),
    listClusters: ours('listClusters'),
    setCluster: ours('setCluster'),
    commandLine: ours('commandLine'),
  };
  for (const name of ['listTokens', 'createToken', 'setTokenStatus', 'describeToken', 'deleteToken'] as const) own[name] = needsUsers(name, NO_TOKENS);
  for (const name of ['requestPasswordReset', 'checkPasswordReset', 'resetPassword'] as const) {
    own[name] = needsUsers(name, 'Passwords are set at the Zeppelin behind this server: ask who keeps it for a new one.');
  }

  for (const name of Object.keys(endpoints) as EndpointName[]) {
    const { method, access, path, encoding, envelope, body: schema } = endpoints[name];
    app.on(method, spellings(name).map((spelling) => `/api${spelling}`), async (c) => {
      try {
        const { seat, bearer } = await identify(c);
        if (access !== 'public') {
          reachable();
          if (!seat) throw new Refusal(401, 'Not signed in.');
          // Where people sign in at upstream it knows who may do what.
          const roles = seat.local?.person.roles;
          if (access !== 'session' && roles && !access.some((role) => roles.includes(role))) throw new Refusal(403, 'You do not have permission on this page');
        }
        // The one thing of a session that `forgery` looks at is that there is one.
        if (method !== 'GET' && method !== 'HEAD' && !bearer) forgery(c, seat && { ...seat, created: 0, tokenId: undefined });
        const handler = own[name] ?? (path.startsWith('/magpie/') ? lacking : undefined);
        if (!handler) return await pass(name, c, seat!);
        const parsed = (schema as { safeParse(value: unknown): { success: boolean; data?: unknown } }).safeParse(await readBody(c, encoding));
        if (!parsed.success) throw new Refusal(400, 'the body does not fit');
        const asked = requestOf(c, seat, parsed.data);
        const result = await handler({ c, seat, request: asked.request });
        if (result instanceof Response) return c.newResponse(result.body as ReadableStream | null, result);
        if (!envelope) return result === undefined ? c.body(null, 204) : c.json(result, asked.status());
        return c.json({ status: 'OK', ...(result === undefined ? {} : { body: result }) });
      } catch (error) {
        if (error instanceof Refusal) return answer(c, error.status, error.message);
        log.error({ call: name, error: (error as Error).stack }, 'a call failed');
        return answer(c, 500, FAILURE);
      }
    });
  }
  // A wrong method answers as an unknown call does: 405 would mean 'logged out' to clients of this family.
  app.all('/api/*', (c) => answer(c, 404, 'there is no such call'));
  app.get('/healthz', (c) => (zeppelin.trouble === undefined ? c.json({ status: 'ok' }) : c.json({ status: 'degraded', upstream: 'it cannot be reached' }, 503)));
  pages(app, options, port);

  const lacking: Own = () => {
    throw new Refusal(404, NEEDS_NOTES);
  };

  /** Refuses while it is not known who signs in. */
  function reachable(): void {
    if (zeppelin.kind === undefined) throw new Refusal(502, `The Zeppelin behind this server cannot be reached (${zeppelin.trouble ?? 'no answer'}).`);
  }

  function signedOut(c: Context, message = 'Not signed in.'): Refusal {
    deleteCookie(c, cookieName(), { path: '/' });
    return new Refusal(401, message);
  }

  async function identify(c: Context): Promise<{ seat: TicketSeat | undefined; bearer: boolean }> {
    const token = /^Bearer (.*)$/i.exec(c.req.header('Authorization') ?? '')?.[1]?.trim();
    if (token !== undefined) {
      reachable();
      return { seat: await seats.byToken(token), bearer: true };
    }
    // Cookies are for the server's own pages; a listed origin brings a token.
    const cookie = gate.origin(c.req.header('Origin'), c.req.header('Host')) === 'listed' ? undefined : getCookie(c, cookieName());
    return { seat: cookie ? await seats.byCookie(cookie) : undefined, bearer: false };
  }

  function requestOf(c: Context, seat: TicketSeat | undefined, body: unknown): { request: RestRequest<EndpointName>; status: () => 200 | 201 | 202 | 500 } {
    let status: 200 | 201 | 202 | 500 = 200;
    const local = seat?.local;
    const request = {
      params: c.req.param(),
      query: new URL(c.req.url).searchParams,
      body,
      person: local?.person ?? (seat ? { principal: seat.principal, roles: [] } : nobody),
      session: local && seat ? { ...local.session, ticket: seat.ticket } : undefined,
      address: addressOf(c),
      header: (field: string) => c.req.header(field),
      setStatus(given: 201 | 202 | 500) {
        status = given;
      },
      setSession(cookie: string | undefined) {
        if (cookie === undefined) deleteCookie(c, cookieName(), { path: '/' });
        else setCookie(c, cookieName(), cookie, { path: '/', httpOnly: true, sameSite: 'Lax', secure: new URL(c.req.url).protocol === 'https:', maxAge: 7 * 24 * 3600 });
      },
    };
    return { request: request as RestRequest<EndpointName>, status: () => status };
  }

  /** Makes the call at upstream, as the one whose seat it is, and hands its answer on while it comes. */
  async function pass(name: EndpointName, c: Context, seat: TicketSeat): Promise<Response> {
    const { method, path: pattern } = endpoints[name];
    const path = pathOf(pattern, c.req.param());
    if (path === undefined) throw new Refusal(400, 'a part of the address is no name');
    const body = method === 'GET' || method === 'HEAD' ? undefined : Buffer.from(await c.req.arrayBuffer());
    const headers: Record<string, string> = {};
    for (const field of ASKED) {
      const value = c.req.header(field);
      if (value !== undefined) headers[field] = value;
    }
    const response = await zeppelin.request({
      method, path: path + new URL(c.req.url).search, headers, cookie: seat.upstream.cookie, signal: c.req.raw.signal,
      ...(body ? { body } : {}), ...(waits.has(name) ? { limitMs: RUN_LIMIT_MS } : {}),
    });
    const { statusCode: status = 502 } = response;
    const end = (error: Refusal): Refusal => {
      response.destroy();
      return error;
    };
    if (asksForSignIn(response)) {
      // Where nobody signed in, somebody has to by now.
      if (seat.local) await zeppelin.look();
      else await seats.end(seat);
      throw end(signedOut(c));
    }
    if (status === 405) throw end(seat.local || await seats.confirm(seat.key) ? new Refusal(404, 'there is no such call') : signedOut(c));
    if (status < 200 || (status >= 300 && status < 400 && status !== 304)) throw end(new Refusal(502, `The Zeppelin behind this server answers with ${status}.`));
    for (const field of ANSWERED) {
      const value = response.headers[field];
      if (typeof value === 'string') c.header(field, value);
    }
    c.header('Content-Security-Policy', ANSWER_POLICY);
    if (method === 'HEAD' || status === 204 || status === 304) {
      response.resume();
      return c.newResponse(null, status as 200);
    }
    const masked = response.pipe(maskOf(seat.upstream).stream());
    response.once('error', (error) => masked.destroy(error));
    // Who stops reading need not be waited for.
    masked.once('close', () => response.destroy());
    return c.newResponse(Readable.toWeb(masked) as ReadableStream, status as 200);
  }

  return app;
}

function answer(c: Context, status: number, message: string): Response {
  return c.json({ status: names[status] ?? String(status), message }, status as 400);
}
