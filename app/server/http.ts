/** REST and pages: the endpoint table → gate → schema → handler → envelope; and the built files of the product. */
import { Hono, type Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { getConnInfo } from '@hono/node-server/conninfo';
import { endpoints, type Access, type EndpointName } from 'tiding/protocol';
import { rest } from './areas/index.ts';
import { personOf } from './auth/accounts.ts';
import type { Person } from './auth/permissions.ts';
import type { TicketSession } from './auth/sessions.ts';
import { bodyLimit } from './body-limit.ts';
import type { ServerContext } from './context.ts';
import { Refusal } from './errors.ts';
import { parse } from './json.ts';
import type { OriginGate } from './origin.ts';
import { pages } from './pages.ts';

const anonymous: Person = { principal: 'anonymous', roles: [] };
const names: Record<number, string> = {
  400: 'BAD_REQUEST', 401: 'UNAUTHORIZED', 403: 'FORBIDDEN', 404: 'NOT_FOUND', 406: 'NOT_ACCEPTABLE', 409: 'CONFLICT', 410: 'GONE', 413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE', 429: 'TOO_MANY_REQUESTS', 500: 'INTERNAL_SERVER_ERROR', 503: 'SERVICE_UNAVAILABLE',
};
type Status = 400 | 401 | 403 | 404 | 406 | 409 | 410 | 413 | 415 | 429 | 500 | 503;

const FAILURE = 'Something went wrong on the server. Nothing is known to be changed.';

/** The HTTP side of the server. */
export function createHttp(context: ServerContext, gate: OriginGate, port: () => number): Hono {
  const app = new Hono();
  const { options, log } = context;
  const cookieName = () => `tiding-${port()}`;

  app.onError((error, c) => {
    // Mostly a body whose sender has gone.
    log.warn({ path: c.req.path, error: error.message }, 'a request failed');
    return answer(c, 500, FAILURE);
  });
  app.use('*', async (c, next) => {
    if (!gate.host(c.req.header('Host'))) return c.text('unknown host name', 403);
    await next();
    c.header('X-Content-Type-Options', 'nosniff');
    c.header('Referrer-Policy', 'no-referrer');
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
  app.use('/api/*', bodyLimit(options.maxBodyBytes, (c) => answer(c, 413, `a body has at most ${options.maxBodyBytes} bytes`)));

  for (const name of Object.keys(endpoints) as EndpointName[]) {
    const endpoint = endpoints[name];
    app.on(endpoint.method, spellings(name).map((path) => `/api${path}`), async (c) => {
      try {
        const { session, person, bearer } = await identify(c);
        admit(endpoint.access, session, person);
        // A page elsewhere can send a form with our cookie, but neither this header nor a token.
        if (endpoint.method !== 'GET' && endpoint.method !== 'HEAD' && !bearer) forgery(c, session);
        const body = await readBody(c, endpoint.encoding);
        const parsed = (endpoint.body as { safeParse(value: unknown): { success: boolean; data?: unknown; error?: { issues: { path: PropertyKey[]; message: string }[] } } }).safeParse(body);
        if (!parsed.success) {
          const issue = parsed.error?.issues[0];
          throw new Refusal(400, `${issue?.path.join('.') ?? ''} ${issue?.message ?? 'the body does not fit'}`.trim());
        }
        let status: 200 | 201 | 202 | 500 = 200;
        const result = await (rest[name] as (request: unknown, context: ServerContext) => unknown)({
          params: c.req.param(),
          query: new URL(c.req.url).searchParams,
          body: parsed.data,
          person, session,
          address: addressOf(c),
          header: (field: string) => c.req.header(field),
          setStatus(given: 201 | 202 | 500) {
            status = given;
          },
          setSession(cookie: string | undefined) {
            if (cookie === undefined) deleteCookie(c, cookieName(), { path: '/' });
            else setCookie(c, cookieName(), cookie, { path: '/', httpOnly: true, sameSite: 'Lax', secure: new URL(c.req.url).protocol === 'https:', maxAge: 7 * 24 * 3600 });
          },
        }, context);
        // Made anew, so that it has the headers of every answer.
        if (result instanceof Response) return c.newResponse(result.body as ReadableStream | null, result);
        if (!endpoint.envelope) return result === undefined ? c.body(null, 204) : c.json(result, status);
        return c.json({ status: names[status] ?? 'OK', ...(result === undefined ? {} : { body: result }) }, status);
      } catch (error) {
        if (error instanceof Refusal) return answer(c, error.status as Status, error.message);
        log.error({ call: name, error: (error as Error).stack }, 'a call failed');
        return answer(c, 500, FAILURE);
      }
    });
  }
  // A wrong method answers as an unknown call does: 405 would mean 'logged out' to clients of this family.
  app.all('/api/*', (c) => answer(c, 404, 'there is no such call'));
  app.get('/healthz', (c) => (context.notes.isHealthy ? c.json({ status: 'ok' }) : c.json({ status: 'degraded', storage: 'a note could not be stored' }, 503)));
  pages(app, options, port);

  async function identify(c: Context): Promise<{ session: TicketSession | undefined; person: Person; bearer: boolean }> {
    const token = /^Bearer (.*)$/i.exec(c.req.header('Authorization') ?? '')?.[1]?.trim();
    if (token !== undefined) {
      const found = await context.tokens.verify(token);
      const session = found && await context.sessions.byToken(token, found.principal, found.tokenId);
      const person = session && await personOf(session, context);
      if (!person) throw new Refusal(401, 'The access token is unknown, disabled or expired.');
      return { session, person, bearer: true };
    }
    // Cookies are for the server's own pages; a listed origin brings a token.
    const cookie = gate.origin(c.req.header('Origin'), c.req.header('Host')) === 'listed' ? undefined : getCookie(c, cookieName());
    const session = cookie ? context.sessions.byCookie(cookie) : undefined;
    const person = session && await personOf(session, context);
    return person ? { session, person, bearer: false } : { session: undefined, person: anonymous, bearer: false };
  }

  return app;
}

/** Clients of this family write some paths with a slash at the end, and some without. */
function spellings(name: EndpointName): string[] {
  const { path } = endpoints[name];
  if (path.endsWith('/')) return [path, path.slice(0, -1)];
  return name === 'putCredential' ? [path, `${path}/`] : [path];
}

function addressOf(c: Context): string {
  try {
    return getConnInfo(c).remote.address ?? '';
  } catch {
    return '';
  }
}

function answer(c: Context, status: Status, message: string): Response {
  return c.json({ status: names[status] ?? String(status), message }, status);
}

function admit(access: Access, session: TicketSession | undefined, person: Person): void {
  if (access === 'public') return;
  if (!session) throw new Refusal(401, 'Not signed in.');
  if (access !== 'session' && !access.some((role) => person.roles.includes(role))) throw new Refusal(403, 'You do not have permission on this page');
}

function forgery(c: Context, session: TicketSession | undefined): void {
  const site = c.req.header('Sec-Fetch-Site');
  if (site !== undefined && site !== 'same-origin' && site !== 'none') throw new Refusal(403, 'this page may not change anything here');
  if (session && c.req.header('X-Requested-With') === undefined) throw new Refusal(403, 'the header X-Requested-With is missing');
}

async function readBody(c: Context, encoding: string): Promise<unknown> {
  if (encoding === 'none') return undefined;
  const type = (c.req.header('Content-Type') ?? '').split(';')[0]!.trim().toLowerCase();
  if (encoding === 'form') {
    if (type !== 'application/x-www-form-urlencoded') throw new Refusal(415, 'the body is a form');
    return Object.fromEntries(new URLSearchParams(await c.req.text()));
  }
  const text = await c.req.text();
  if (encoding === 'text') {
    if (type !== 'text/plain') throw new Refusal(415, 'the body is plain text');
    return text;
  }
  if (text === '') return undefined;
  if (type !== 'application/json') throw new Refusal(415, 'the body is JSON');
  return parse(text);
}
export { addressOf, forgery, readBody, spellings };
