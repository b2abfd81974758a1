/**
 * REST calls (endpoint table → access check → schema → handler → envelope) and the built static
 * files.
 */

import { jsonObjectOf, notePath } from '@tiding/client/model';
import { type Access, endpoints, type Note } from '@tiding/client/protocol';
import { type Context, Hono } from 'hono';
import { SSO_PATH, sessionRest } from '../areas/account/session.ts';
import type { ServerContext } from '../areas/context.ts';
import { rest } from '../areas/index.ts';
import { personOf } from '../auth/accounts.ts';
import { admitRest, visibleAnswer } from '../auth/embed-access.ts';
import { EmbedTokenStore } from '../auth/embed-tokens.ts';
import { type ActingUser, administers } from '../auth/permissions.ts';
import type { TicketSession } from '../auth/sessions.ts';
import { ANONYMOUS_USER } from '../auth/users.ts';
import { Refusal } from '../base/errors.ts';
import { basePath } from '../base/sso-options.ts';
import { bodyLimit } from '../http/body-limit.ts';
import { jsonResponse } from '../http/large-answers.ts';
import { type OriginGate, refusedToken, requireOrigin } from '../http/origin.ts';
import { pages } from '../http/pages.ts';
import { bodyOf } from '../http/rest-body.ts';
import {
  askedOf,
  bearerTokenOf,
  enveloped,
  fromBrowser,
  metricsPage,
  notSignedIn,
  refuseForgery,
  restGate,
  sendMessage,
} from '../http/rest-gate.ts';
import { encodeOutputs, jsonParts } from '../hub/output-parts.ts';
import { sendAnswer, serveCalls } from './calls.ts';
import { healthOf } from './health.ts';

/** A longer list of notes would delay the document. */
const MAX_INITIAL_NOTES = 200;
const anonymous: ActingUser = { principal: ANONYMOUS_USER, roles: [] };

export function createServerHttp(
  context: ServerContext,
  gate: OriginGate,
  port: () => number,
): Hono {
  const app = new Hono();
  const { options } = context;
  const door = restGate(app, {
    ...context,
    gate,
    port,
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
    bodyLimit(options, (c, { status, message }) => sendMessage(c, status, message)),
  );

  // The address of a server cluster, which this server does not have. Zeppelin's page asks for it
  // before anybody has signed in.
  app.get('/api/cluster/address', (c) =>
    c.json({ status: 'OK', message: 'Cluster Address', body: { clusterAddr: '' } }),
  );
  // Programs ask it whether the server is there.
  for (const path of ['/api', '/api/']) app.get(path, (c) => c.body('', 200));
  serveCalls(app, door, context, async (c, name, call) => {
    const endpoint = endpoints[name];
    const { session, person, bearer } = await identify(c);
    call.who = person.principal;
    if (!session && endpoint.access !== 'public')
      throw notSignedIn(c, name, {
        needsToken: door.origin(c) === 'listed',
        // If there is exactly one way to sign in, send the browser there.
        signIn: options.loginMode === 'SsoOnly' ? `${basePath(options)}${SSO_PATH}` : undefined,
      });
    admit(endpoint.access, person);
    if (person.embed) admitRest(person.embed, name, c.req.param());
    if (endpoint.method !== 'GET' && endpoint.method !== 'HEAD' && !bearer) refuseForgery(c);
    if (endpoint.right !== 'none') {
      const { id } = context.notes.get(c.req.param('noteId') ?? '');
      context.permissions.require(person, id, endpoint.right);
    }
    // Zeppelin parses every body as JSON, and its own API client sends it as plain text.
    const body = await bodyOf(c, name, {
      maxDepth: options.maxJsonDepth,
      untyped: session !== undefined && !bearer && !fromBrowser(c),
    });
    // Users may type their password as the name, so record only names of existing users.
    if (name === 'login')
      call.who = context.users.get((body as { userName: string }).userName)?.name ?? 'unknown';
    const asked = askedOf(door, c, { body, person, session });
    const handler = rest[name] as (request: unknown, context: ServerContext) => unknown;
    const answer = await handler(asked.request, context);
    const status = asked.status();
    call.audit('ok', nameOf(answer) ?? call.who, body, answer);
    const result = person.embed ? visibleAnswer(name, answer, person.embed) : answer;
    if (name === 'getNote' || name === 'getRevision') {
      const outputs = await encodeOutputs(result as Note);
      if (outputs.length > 0) {
        const response = jsonResponse(jsonParts(enveloped(name, status, result)), status);
        outputs.length = 0;
        return sendAnswer(c, name, status, response);
      }
    }
    return sendAnswer(c, name, status, result);
  });
  app.get('/healthz', async (c) => {
    const health = await healthOf(context);
    return c.json(health, health.status === 'ok' ? 200 : 503);
  });
  metricsPage(app, door, context.metrics, async (c) => administers((await identify(c)).person));
  pages(app, options, port, initialAnswers);

  /** Answers that the app would request first. */
  async function initialAnswers(c: Context): Promise<object | undefined> {
    if (bearerTokenOf(c) !== undefined) return undefined;
    const { session, person } = await identify(c);
    if (!session) return undefined;
    const request = { session, person };
    const { notes } = context.hub.listFor(person);
    return {
      version: sessionRest.version(undefined, context),
      ticket: sessionRest.ticket(request, context),
      config: await sessionRest.magpieConfig(request, context),
      ...(notes.length <= MAX_INITIAL_NOTES
        ? { notes: notes.map((note) => ({ id: note.id, path: notePath(note) })) }
        : {}),
    };
  }

  async function identify(
    c: Context,
  ): Promise<{ session: TicketSession | undefined; person: ActingUser; bearer: boolean }> {
    const token = bearerTokenOf(c);
    if (token !== undefined) {
      const session = EmbedTokenStore.looksLike(token)
        ? await byEmbed(token)
        : await byToken(token);
      const person = await personOf(session, context);
      if (!person) throw refusedToken(session.embed ? 'revoked' : 'invalid');
      requireOrigin(session.embed?.origin, c.req.header('Origin'), door.origin(c));
      return { session, person, bearer: true };
    }
    const shared = context.sessions.anonymous;
    const cookie = shared ? undefined : door.cookie(c);
    // Listed pages need a token here too: their access can then be limited and withdrawn.
    if (shared && door.origin(c) !== 'listed') {
      const person = await personOf(shared, context);
      if (person) return { session: shared, person, bearer: false };
    }
    const session = cookie ? context.sessions.byCookie(cookie) : undefined;
    const person = session && (await personOf(session, context));
    return person
      ? { session, person, bearer: false }
      : { session: undefined, person: anonymous, bearer: false };
  }

  async function byToken(token: string): Promise<TicketSession> {
    const found = await context.tokens.verify(token);
    if (!found) throw refusedToken('invalid');
    return context.sessions.byToken(token, found.principal, found.tokenId);
  }

  async function byEmbed(token: string): Promise<TicketSession> {
    const claims = await context.embeds.verify(token);
    if (typeof claims === 'string') throw refusedToken(claims);
    return context.sessions.byEmbed(token, claims);
  }

  return app;
}

/** Name of the user who has just signed in. */
function nameOf(answer: unknown): string | undefined {
  const { principal, ticket } = jsonObjectOf(answer);
  return typeof principal === 'string' && ticket !== undefined ? principal : undefined;
}

function admit(access: Access, { roles }: ActingUser): void {
  if (typeof access !== 'string' && !access.some((role) => roles.includes(role)))
    throw new Refusal(403, 'You do not have permission on this page');
}
