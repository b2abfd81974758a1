/**
 * REST and pages in front of a Zeppelin. Calls that Zeppelin supports are forwarded; the others are
 * answered here.
 */

import { type EndpointName, endpoints } from '@tiding/client/protocol';
import { type Context, Hono } from 'hono';
import type { RestRequest } from '../areas/context.ts';
import { admitRest } from '../auth/embed-access.ts';
import { type ActingUser, administers } from '../auth/permissions.ts';
import { ANONYMOUS_USER, FIRST_ADMIN } from '../auth/users.ts';
import { Refusal } from '../base/errors.ts';
import { UPGRADE_ADVICE } from '../base/version.ts';
import { callAuditor } from '../dispatch/call-audit.ts';
import { diskHealth } from '../dispatch/health.ts';
import { bufferBody, maxBodyOf } from '../http/body-limit.ts';
import type { OriginGate } from '../http/origin.ts';
import { pages } from '../http/pages.ts';
import { bodyOf, spellings } from '../http/rest-body.ts';
import {
  askedOf,
  bearerTokenOf,
  enveloped,
  INTERNAL_ERROR_MESSAGE,
  metricsPage,
  refuseForgery,
  restGate,
  sendMessage,
} from '../http/rest-gate.ts';
import { isRunCall } from './embed.ts';
import { createForwarder } from './forward-calls.ts';
import type { GatewayTicketSession } from './gateway-sessions.ts';
import { type GatewayParts, localCalls, requireReachable } from './local-calls.ts';

const nobody: ActingUser = { principal: ANONYMOUS_USER, roles: [] };

/** Creates the HTTP application of a server in front of a Zeppelin. */
export function createGatewayHttp(parts: GatewayParts, gate: OriginGate, port: () => number): Hono {
  const app = new Hono();
  const { context, zeppelin, gatewaySessions, notes } = parts;
  const { options, log, metrics } = context;
  const door = restGate(app, { options, log, metrics, gate, port });
  const signedOut = (c: Context, message = 'Not signed in.'): Refusal => {
    door.setCookie(c, undefined);
    return new Refusal(401, message);
  };
  const own = localCalls(parts, signedOut);
  const pass = createForwarder({ zeppelin, gatewaySessions, notes, options, signedOut });

  for (const name of Object.keys(endpoints) as EndpointName[]) {
    const { method, access, envelope } = endpoints[name];
    app.on(
      method,
      spellings(name).map((spelling) => `/api${spelling}`),
      async (c) => {
        door.is(c, name);
        let who = ANONYMOUS_USER;
        const audit = callAuditor(context.audit, c, name, door.address(c));
        try {
          const { session, bearer } = await identify(c);
          who = session?.person.principal ?? ANONYMOUS_USER;
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
            audit(passed.status < 400 ? 'ok' : String(passed.status), who);
            // Only Zeppelin knows how the run ends.
            if (isRunCall(name) && passed.status < 400)
              context.audit.record('run', {
                principal: who,
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
          // Users may type their password as the name, so record only names of existing users.
          if (name === 'login')
            who =
              (zeppelin.kind === 'anonymous' &&
                context.users.get((body as { userName: string }).userName)?.name) ||
              'unknown';
          const asked = askedOf(door, c, {
            body,
            person: session?.person ?? nobody,
            session: session?.local && { ...session.local, ticket: session.ticket },
          });
          const request = asked.request as RestRequest<EndpointName>;
          const answer = await handler({ c, session, request });
          if (name === 'loginOnce') who = FIRST_ADMIN;
          // A successful sign-in proves that this is a user name, whichever server knows it.
          audit(
            'ok',
            name === 'login' ? (body as { userName: string }).userName : who,
            body,
            answer,
          );
          if (answer instanceof Response)
            return c.newResponse(answer.body as ReadableStream | null, answer);
          if (!envelope)
            return answer === undefined ? c.body(null, 204) : c.json(answer, asked.status());
          return c.json(enveloped(name, asked.status(), answer), asked.status());
        } catch (error) {
          if (error instanceof Refusal) {
            // A successful sign-out is answered with 401.
            audit(name === 'logout' ? 'ok' : String(error.status), who);
            return sendMessage(c, error.status, error.message, error.more);
          }
          log.error({ call: name, error: (error as Error).stack }, 'a call failed');
          return sendMessage(c, 500, INTERNAL_ERROR_MESSAGE);
        }
      },
    );
  }
  // A wrong method is answered like an unknown call: to Zeppelin clients, 405 means 'signed out'.
  app.all('/api/*', (c) => sendMessage(c, 404, `There is no such call. ${UPGRADE_ADVICE}`));
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
