/**
 * REST and pages in front of a Zeppelin. Calls that Zeppelin supports are forwarded; the others are
 * answered here.
 */

import { jsonObjectOf } from '@tiding/client/model';
import { type EndpointName, endpoints } from '@tiding/client/protocol';
import { type Context, Hono } from 'hono';
import type { RestRequest } from '../areas/context.ts';
import { admitRest } from '../auth/embed-access.ts';
import { type ActingUser, administers } from '../auth/permissions.ts';
import { ANONYMOUS_USER, FIRST_ADMIN } from '../auth/users.ts';
import { Refusal } from '../base/errors.ts';
import { sendAnswer, serveCalls } from '../dispatch/calls.ts';
import { diskHealth } from '../dispatch/health.ts';
import { bufferBody, maxBodyOf } from '../http/body-limit.ts';
import { pages } from '../http/pages.ts';
import { bodyOf } from '../http/rest-body.ts';
import { askedOf, bearerTokenOf, metricsPage, refuseForgery, restGate } from '../http/rest-gate.ts';
import { isRunCall } from './embed.ts';
import { createForwarder } from './forward-calls.ts';
import type { GatewayTicketSession } from './gateway-sessions.ts';
import { type GatewayParts, localCalls, requireReachable } from './local-calls.ts';

const nobody: ActingUser = { principal: ANONYMOUS_USER, roles: [] };

/** Creates the HTTP application of a server in front of a Zeppelin. */
export function createGatewayHttp(parts: GatewayParts, port: () => number): Hono {
  const app = new Hono();
  const { context, zeppelin, gatewaySessions, notes, gate } = parts;
  const { options, metrics } = context;
  const door = restGate(app, { ...context, gate, port });
  const signedOut = (c: Context, message = 'Not signed in.'): Refusal => {
    door.setCookie(c, undefined);
    return new Refusal(401, message);
  };
  const own = localCalls(parts, signedOut);
  const pass = createForwarder({ zeppelin, gatewaySessions, notes, options, signedOut });

  serveCalls(app, door, context, async (c, name, call) => {
    const { method, access } = endpoints[name];
    call.who = ANONYMOUS_USER;
    const { session, bearer } = await identify(c);
    call.who = session?.person.principal ?? ANONYMOUS_USER;
    if (access !== 'public') {
      requireReachable(zeppelin);
      if (!session) throw new Refusal(401, 'Not signed in.');
      // If users sign in at Zeppelin, it decides who may do what.
      if (
        access !== 'session' &&
        session.uses === undefined &&
        !access.some((role) => session.person.roles.includes(role))
      )
        throw new Refusal(403, 'You do not have permission on this page');
    }
    if (session?.person.embed) admitRest(session.person.embed, name, c.req.param());
    if (method !== 'GET' && method !== 'HEAD' && !bearer) refuseForgery(c);
    const handler = own(name);
    if (!handler) {
      const passed = await pass(name, c, session!);
      call.audit(passed.status < 400 ? 'ok' : String(passed.status), call.who);
      // Only Zeppelin knows how the run ends.
      if (isRunCall(name) && passed.status < 400)
        context.audit.record('run', {
          principal: call.who,
          address: door.address(c),
          command: name,
          note: c.req.param('noteId'),
          paragraph: c.req.param('paragraphId'),
          outcome: 'sent',
        });
      return passed;
    }
    await bufferBody(c, maxBodyOf(c, options));
    const body = await bodyOf(c, name);
    const { userName } = jsonObjectOf(body) as { userName: string };
    // Users may type their password as the name, so record only names of existing users.
    if (name === 'login')
      call.who = (zeppelin.kind === 'anonymous' && context.users.get(userName)?.name) || 'unknown';
    const asked = askedOf(door, c, {
      body,
      person: session?.person ?? nobody,
      session: session?.local && { ...session.local, ticket: session.ticket },
    });
    const request = asked.request as RestRequest<EndpointName>;
    const answer = await handler({ c, session, request });
    if (name === 'loginOnce') call.who = FIRST_ADMIN;
    // A successful sign-in proves that this is a user name, whichever server knows it.
    call.audit('ok', name === 'login' ? userName : call.who, body, answer);
    return sendAnswer(c, name, asked.status(), answer);
  });
  app.get('/healthz', async (c) => {
    const [disk, trouble] = await Promise.all([diskHealth(options), zeppelin.probe()]);
    const isWell = disk === 'ok' && trouble === undefined;
    return c.json(
      {
        status: isWell ? 'ok' : 'degraded',
        disk,
        upstream: trouble === undefined ? 'ok' : `it cannot be reached (${trouble})`,
      },
      isWell ? 200 : 503,
    );
  });
  metricsPage(app, door, metrics, async (c) => {
    const { session } = await identify(c);
    return session !== undefined && !session.person.embed && administers(session.person);
  });
  pages(app, options, port);

  async function identify(
    c: Context,
  ): Promise<{ session: GatewayTicketSession | undefined; bearer: boolean }> {
    const token = bearerTokenOf(c);
    if (token !== undefined) {
      requireReachable(zeppelin);
      return { session: await gatewaySessions.byToken(token), bearer: true };
    }
    const cookie = door.cookie(c);
    return { session: cookie ? await gatewaySessions.byCookie(cookie) : undefined, bearer: false };
  }

  return app;
}
