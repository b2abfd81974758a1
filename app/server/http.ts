/** REST and pages: the endpoint table → gate → schema → handler → envelope; and the built files of the product. */
import { Hono, type Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { getConnInfo } from '@hono/node-server/conninfo';
import { endpoints, type Access, type EndpointName } from 'tiding/protocol';
import { rest } from './areas/index.ts';
import { SSO_PATH } from './areas/session.ts';
import { personOf } from './auth/accounts.ts';
import { admitRest, shownAnswer } from './auth/embed-access.ts';
import { EmbedTokens } from './auth/embed-tokens.ts';
import { administers, type Person } from './auth/permissions.ts';
import type { TicketSession } from './auth/sessions.ts';
import { auditedCalls } from './audit.ts';
import { bodyLimit } from './body-limit.ts';
import type { ServerContext } from './context.ts';
import { Refusal } from './errors.ts';
import { parse } from './json.ts';
import { healthOf } from './health.ts';
import { isLoopback } from './options.ts';
import { callerOf, isSecure, type OriginGate } from './origin.ts';
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
  // Behind a proxy that speaks TLS the request itself is plain.
  const secure = (c: Context) => isSecure(c.req.url, c.req.header('X-Forwarded-Proto'), options) || options.publicUrl?.startsWith('https:') === true;
  // A browser takes the prefix only from who is reached securely, and lets no other host set such a cookie.
  const cookieName = (c: Context) => `${secure(c) ? '__Host-' : ''}tiding-${port()}`;
  const address = (c: Context) => callerOf(addressOf(c), c.req.header('X-Forwarded-For'), options);
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
    context.metrics.call(routes.get(c) ?? (c.req.path.startsWith('/api/') ? 'unknown' : 'page'), c.res.status, (performance.now() - began) / 1_000);
    if (secure(c)) c.header('Strict-Transport-Security', 'max-age=31536000');
    c.header('X-Content-Type-Options', 'nosniff');
    c.header('Referrer-Policy', 'no-referrer');
  });

  app.use('/api/*', async (c, next) => {
    const origin = c.req.header('Origin');
    const kind = gate.origin(origin, c.req.header('Host'), secure(c));
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
  const limited = (max: number) => bodyLimit(max, (c) => answer(c, 413, `a body has at most ${max} bytes`));
  const [usual, importing] = [limited(options.maxBodyBytes), limited(options.maxImportBytes)];
  app.use('/api/*', (c, next) => (/^\/api\/(?:notebook\/import\/?$|magpie\/file\/.)/.test(c.req.path) ? importing : usual)(c, next));

  for (const name of Object.keys(endpoints) as EndpointName[]) {
    const endpoint = endpoints[name];
    app.on(endpoint.method, spellings(name).map((path) => `/api${path}`), async (c) => {
      routes.set(c, name);
      let who = '';
      try {
        const { session, person, bearer } = await identify(c);
        who = person.principal;
        admit(endpoint.access, session, person, options.loginMode === 'SsoOnly' ? SSO_PATH : undefined);
        if (person.embed) admitRest(person.embed, name, c.req.param());
        // A page elsewhere can send a form with our cookie, but neither this header nor a token.
        if (endpoint.method !== 'GET' && endpoint.method !== 'HEAD' && !bearer) forgery(c, session);
        const body = await readBody(c, endpoint.encoding);
        const parsed = (endpoint.body as { safeParse(value: unknown): { success: boolean; data?: unknown; error?: { issues: { path: PropertyKey[]; message: string }[] } } }).safeParse(body);
        if (!parsed.success) {
          const issue = parsed.error?.issues[0];
          throw new Refusal(400, `${issue?.path.join('.') ?? ''} ${issue?.message ?? 'the body does not fit'}`.trim());
        }
        // What was typed as a name may be a password: only names that there are.
        if (name === 'login') who = context.users.get((parsed.data as { userName: string }).userName)?.name ?? 'unknown';
        let status: 200 | 201 | 202 | 500 = 200;
        const made = await (rest[name] as (request: unknown, context: ServerContext) => unknown)({
          params: c.req.param(),
          query: new URL(c.req.url).searchParams,
          body: parsed.data,
          person, session,
          address: address(c),
          header: (field: string) => c.req.header(field),
          setStatus(given: 201 | 202 | 500) {
            status = given;
          },
          setSession(cookie: string | undefined) {
            if (cookie === undefined) deleteCookie(c, cookieName(c), { path: '/', secure: secure(c) });
            else setCookie(c, cookieName(c), cookie, { path: '/', httpOnly: true, sameSite: 'Lax', secure: secure(c), maxAge: 7 * 24 * 3600 });
          },
        }, context);
        note(c, name, nameOf(made) ?? who, 'ok', parsed.data, made);
        const result = person.embed ? shownAnswer(name, made, person.embed) : made;
        // Made anew, so that it has the headers of every answer.
        if (result instanceof Response) return c.newResponse(result.body as ReadableStream | null, result);
        if (!endpoint.envelope) return result === undefined ? c.body(null, 204) : c.json(result, status);
        return c.json({ status: names[status] ?? 'OK', ...(result === undefined ? {} : { body: result }) }, status);
      } catch (error) {
        // A sign-out is told by 401.
        if (error instanceof Refusal) note(c, name, who, name === 'logout' ? 'ok' : String(error.status), undefined);
        if (error instanceof Refusal) return answer(c, error.status as Status, error.message, error.more);
        log.error({ call: name, error: (error as Error).stack }, 'a call failed');
        return answer(c, 500, FAILURE);
      }
    });
  }
  // A wrong method answers as an unknown call does: 405 would mean 'logged out' to clients of this family.
  app.all('/api/*', (c) => answer(c, 404, 'there is no such call'));
  app.get('/healthz', async (c) => {
    const health = await healthOf(context);
    return c.json(health, health.status === 'ok' ? 200 : 503);
  });
  app.get('/metrics', async (c) => {
    // Behind a proxy every caller is of this machine: then a token decides.
    const isNear = isLoopback(addressOf(c).replace(/^::ffff:/, '')) && c.req.header('X-Forwarded-For') === undefined && c.req.header('Forwarded') === undefined;
    const person = isNear ? undefined : await identify(c).then((found) => found.person, () => undefined);
    if (!isNear && !(person && administers(person))) return c.text('An administrator\'s access token is needed.', 401);
    const { type, body } = await context.metrics.text();
    return c.body(body, 200, { 'Content-Type': type, 'Cache-Control': 'no-store' });
  });
  pages(app, options, port);

  async function identify(c: Context): Promise<{ session: TicketSession | undefined; person: Person; bearer: boolean }> {
    const token = /^Bearer (.*)$/i.exec(c.req.header('Authorization') ?? '')?.[1]?.trim();
    if (token !== undefined) {
      const session = EmbedTokens.looksLike(token) ? await byEmbed(token) : await byToken(token);
      const person = session && await personOf(session, context);
      if (!person) throw new Refusal(401, 'The access token is unknown, disabled or expired.');
      return { session, person, bearer: true };
    }
    // Cookies are for the server's own pages; a listed origin brings a token.
    const cookie = gate.origin(c.req.header('Origin'), c.req.header('Host'), secure(c)) === 'listed' ? undefined : getCookie(c, cookieName(c));
    const session = cookie ? context.sessions.byCookie(cookie) : undefined;
    const person = session && await personOf(session, context);
    return person ? { session, person, bearer: false } : { session: undefined, person: anonymous, bearer: false };
  }

  /** Writes down what is to be, and every refusal of somebody who is known. */
  function note(c: Context, name: EndpointName, principal: string, outcome: string, body: unknown, made?: unknown): void {
    const event = name === 'logout' && principal === anonymous.principal ? undefined : auditedCalls[name];
    const isRefusal = outcome === '403' || outcome === '429' || (outcome === '401' && c.req.header('Authorization') !== undefined);
    if (!event && !isRefusal) return;
    const params = c.req.param() as Record<string, string>;
    const { resetToken: _secret, noteId, paragraphId, ...others } = params;
    const given = (typeof body === 'object' && body !== null ? body : {}) as { noteId?: unknown; entity?: unknown; name?: unknown };
    const ids = (typeof made === 'object' && made !== null ? made : {}) as { jti?: unknown; tokenId?: unknown; id?: unknown };
    const target = [Object.values(others).join(' '), ids.jti, ids.tokenId, given.entity, given.name].find((each) => typeof each === 'string' && each !== '');
    context.audit.record(outcome === 'ok' ? event! : event ? `${event}-failed` : 'refused', {
      principal, address: address(c), command: name, note: noteId ?? (typeof given.noteId === 'string' ? given.noteId : undefined), paragraph: paragraphId, target: target as string | undefined, outcome,
    });
  }

  async function byToken(token: string): Promise<TicketSession | undefined> {
    const found = await context.tokens.verify(token);
    return found && context.sessions.byToken(token, found.principal, found.tokenId);
  }

  async function byEmbed(token: string): Promise<TicketSession | undefined> {
    const claims = await context.embeds.verify(token);
    return claims && context.sessions.byEmbed(token, claims);
  }

  return app;
}

/** Who has just signed in. */
function nameOf(made: unknown): string | undefined {
  const { principal, ticket } = (typeof made === 'object' && made !== null ? made : {}) as { principal?: unknown; ticket?: unknown };
  return typeof principal === 'string' && ticket !== undefined ? principal : undefined;
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

function answer(c: Context, status: Status, message: string, { location, body }: Refusal['more'] = {}): Response {
  if (location !== undefined) c.header('Location', location);
  return c.json({ status: names[status] ?? String(status), message, ...(body === undefined ? {} : { body }) }, status);
}

function admit(access: Access, session: TicketSession | undefined, person: Person, signIn: string | undefined): void {
  if (access === 'public') return;
  // Where there is one way to sign in, the browser is told it.
  if (!session) throw new Refusal(401, 'Not signed in.', 'error', signIn === undefined ? {} : { location: signIn });
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
