/** REST and pages: the endpoint table → gate → schema → handler → envelope; and the built files of the product. */
import { Hono, type Context } from 'hono';
import { endpoints, type Access, type EndpointName } from 'tiding/protocol';
import { rest } from './areas/index.ts';
import { SSO_PATH } from './areas/session.ts';
import { personOf } from './auth/accounts.ts';
import { admitRest, shownAnswer } from './auth/embed-access.ts';
import { EmbedTokens } from './auth/embed-tokens.ts';
import { administers, type Person } from './auth/permissions.ts';
import type { TicketSession } from './auth/sessions.ts';
import { bodyLimit } from './body-limit.ts';
import { auditCall, NOBODY } from './call-audit.ts';
import type { ServerContext } from './context.ts';
import { Refusal } from './errors.ts';
import { healthOf } from './health.ts';
import { requireOrigin, type OriginGate } from './origin.ts';
import { pages } from './pages.ts';
import { bodyOf, spellings } from './rest-body.ts';
import {
  answer,
  bearerOf,
  FAILURE,
  isProgram,
  metricsPage,
  refuseForgery,
  restGate,
  statusName,
} from './rest-gate.ts';

const anonymous: Person = { principal: NOBODY, roles: [] };

/** The HTTP side of the server. */
export function createHttp(context: ServerContext, gate: OriginGate, port: () => number): Hono {
  const app = new Hono();
  const { options, log } = context;
  const door = restGate(app, {
    options,
    log,
    metrics: context.metrics,
    gate,
    port,
    programs: true,
    onForeign: (c, address) =>
      context.audit.refusedStranger({
        address,
        command: `${c.req.method} ${c.req.path}`,
        target: c.req.header('Origin'),
        outcome: '403',
      }),
  });
  app.use(
    '/api/*',
    bodyLimit(options, (c, { status, message }) => answer(c, status, message)),
  );

  for (const name of Object.keys(endpoints) as EndpointName[]) {
    const endpoint = endpoints[name];
    app.on(
      endpoint.method,
      spellings(name).map((path) => `/api${path}`),
      async (c) => {
        door.is(c, name);
        let who = '';
        const audit = (outcome: string, principal = who, body?: unknown, made?: unknown) =>
          auditCall(context.audit, c, {
            name,
            principal,
            address: door.address(c),
            outcome,
            body,
            made,
          });
        try {
          const { session, person, bearer } = await identify(c);
          who = person.principal;
          // Upstream's page asks this first, and goes to the Location of a 401 even where it has none; its server says 405 to who is not signed in.
          if (
            name === 'ticket' &&
            !session &&
            options.loginMode !== 'SsoOnly' &&
            c.req.header('Authorization') === undefined
          )
            throw new Refusal(405, 'Not signed in.');
          admit(
            endpoint.access,
            session,
            person,
            options.loginMode === 'SsoOnly' ? SSO_PATH : undefined,
          );
          if (person.embed) admitRest(person.embed, name, c.req.param());
          if (endpoint.method !== 'GET' && endpoint.method !== 'HEAD' && !bearer)
            refuseForgery(c, session, isProgram(c));
          // Upstream reads every body as JSON, and its own client for programs calls it plain text.
          const body = await bodyOf(c, name, {
            maxDepth: options.maxJsonDepth,
            untyped: session !== undefined && !bearer && isProgram(c),
          });
          // What was typed as a name may be a password: only names that there are.
          if (name === 'login')
            who = context.users.get((body as { userName: string }).userName)?.name ?? 'unknown';
          let status: 200 | 201 | 202 | 500 = 200;
          const made = await (rest[name] as (request: unknown, context: ServerContext) => unknown)(
            {
              params: c.req.param(),
              query: new URL(c.req.url).searchParams,
              body,
              person,
              session,
              address: door.address(c),
              header: (field: string) => c.req.header(field),
              setStatus(given: 201 | 202 | 500) {
                status = given;
              },
              setSession: (cookie: string | undefined) => door.setCookie(c, cookie),
            },
            context,
          );
          audit('ok', nameOf(made) ?? who, body, made);
          const result = person.embed ? shownAnswer(name, made, person.embed) : made;
          // Made anew, so that it has the headers of every answer.
          if (result instanceof Response)
            return c.newResponse(result.body as ReadableStream | null, result);
          if (!endpoint.envelope)
            return result === undefined ? c.body(null, 204) : c.json(result, status);
          // Upstream has the id of this one alone as the message.
          return c.json(
            {
              status: statusName(status),
              ...(name === 'nextParagraph' ? { message: result } : {}),
              ...(result === undefined ? {} : { body: result }),
            },
            status,
          );
        } catch (error) {
          // A sign-out is told by 401.
          if (error instanceof Refusal) {
            audit(name === 'logout' ? 'ok' : String(error.status));
            return answer(c, error.status, error.message, error.more);
          }
          log.error({ call: name, error: (error as Error).stack }, 'a call failed');
          return answer(c, 500, FAILURE);
        }
      },
    );
  }
  // Of servers that stand together, which is not known here: upstream's page asks before anybody has signed in.
  app.get('/api/cluster/address', (c) =>
    c.json({ status: 'OK', message: 'Cluster Address', body: { clusterAddr: '' } }),
  );
  // A wrong method answers as an unknown call does: 405 would mean 'logged out' to clients of this family.
  app.all('/api/*', (c) => answer(c, 404, 'there is no such call'));
  app.get('/healthz', async (c) => {
    const health = await healthOf(context);
    return c.json(health, health.status === 'ok' ? 200 : 503);
  });
  metricsPage(app, door, context.metrics, async (c) => administers((await identify(c)).person));
  pages(app, options, port);

  async function identify(
    c: Context,
  ): Promise<{ session: TicketSession | undefined; person: Person; bearer: boolean }> {
    const token = bearerOf(c);
    if (token !== undefined) {
      const session = EmbedTokens.looksLike(token) ? await byEmbed(token) : await byToken(token);
      const person = session && (await personOf(session, context));
      if (!session || !person)
        throw new Refusal(401, 'The access token is unknown, disabled or expired.');
      requireOrigin(session.embed?.origin, c.req.header('Origin'), door.origin(c));
      return { session, person, bearer: true };
    }
    const cookie = door.cookie(c);
    const session = cookie ? context.sessions.byCookie(cookie) : undefined;
    const person = session && (await personOf(session, context));
    return person
      ? { session, person, bearer: false }
      : { session: undefined, person: anonymous, bearer: false };
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
  const { principal, ticket } = (typeof made === 'object' && made !== null ? made : {}) as {
    principal?: unknown;
    ticket?: unknown;
  };
  return typeof principal === 'string' && ticket !== undefined ? principal : undefined;
}

function admit(
  access: Access,
  session: TicketSession | undefined,
  person: Person,
  signIn: string | undefined,
): void {
  if (access === 'public') return;
  // Where there is one way to sign in, the browser is told it.
  if (!session)
    throw new Refusal(
      401,
      'Not signed in.',
      'error',
      signIn === undefined ? {} : { location: signIn },
    );
  if (access !== 'session' && !access.some((role) => person.roles.includes(role)))
    throw new Refusal(403, 'You do not have permission on this page');
}
