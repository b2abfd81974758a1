/** REST and pages in front of another server: what that one has is its, what it lacks is ours. */
import { Hono, type Context } from 'hono';
import { endpoints, type EndpointName } from 'tiding/protocol';
import { admitRest } from '../auth/embed-access.ts';
import { administers, type Person } from '../auth/permissions.ts';
import { FIRST_ADMIN } from '../auth/users.ts';
import { maxBodyOf, readWhole } from '../body-limit.ts';
import { auditCall, NOBODY } from '../call-audit.ts';
import type { RestRequest } from '../context.ts';
import { Refusal } from '../errors.ts';
import { diskHealth } from '../health.ts';
import type { OriginGate } from '../origin.ts';
import { pages } from '../pages.ts';
import { bodyOf, spellings } from '../rest-body.ts';
import {
  answer,
  bearerOf,
  FAILURE,
  metricsPage,
  refuseForgery,
  restGate,
  statusName,
} from '../rest-gate.ts';
import { isRun } from './embed.ts';
import { ownCalls, reachable, type GatewayParts } from './own-calls.ts';
import { passing } from './pass.ts';
import type { TicketSeat } from './seats.ts';

const nobody: Person = { principal: NOBODY, roles: [] };

/** The HTTP side. */
export function createGatewayHttp(parts: GatewayParts, gate: OriginGate, port: () => number): Hono {
  const app = new Hono();
  const { context, zeppelin, seats, notes } = parts;
  const { options, log, metrics } = context;
  const door = restGate(app, { options, log, metrics, gate, port });
  const signedOut = (c: Context, message = 'Not signed in.'): Refusal => {
    door.setCookie(c, undefined);
    return new Refusal(401, message);
  };
  const own = ownCalls(parts, signedOut);
  const pass = passing({ zeppelin, seats, notes, options, signedOut });

  for (const name of Object.keys(endpoints) as EndpointName[]) {
    const { method, access, envelope } = endpoints[name];
    app.on(
      method,
      spellings(name).map((spelling) => `/api${spelling}`),
      async (c) => {
        door.is(c, name);
        let who = NOBODY;
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
          const { seat, bearer } = await identify(c);
          who = seat?.person.principal ?? NOBODY;
          if (access !== 'public') {
            reachable(zeppelin);
            if (!seat) throw new Refusal(401, 'Not signed in.');
            // Where people sign in at upstream it knows who may do what.
            if (
              access !== 'session' &&
              seat.uses === undefined &&
              !access.some((role) => seat.person.roles.includes(role))
            )
              throw new Refusal(403, 'You do not have permission on this page');
          }
          if (seat?.person.embed) admitRest(seat.person.embed, name, c.req.param());
          if (method !== 'GET' && method !== 'HEAD' && !bearer) refuseForgery(c, seat);
          const handler = own(name);
          if (!handler) {
            const passed = await pass(name, c, seat!);
            audit(passed.status < 400 ? 'ok' : String(passed.status));
            // Its end is upstream's to know.
            if (isRun(name) && passed.status < 400)
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
          await readWhole(c, maxBodyOf(c, options));
          const body = await bodyOf(c, name);
          // What was typed as a name may be a password: only names that there are.
          if (name === 'login')
            who =
              (zeppelin.kind === 'anonymous' &&
                context.users.get((body as { userName: string }).userName)?.name) ||
              'unknown';
          const asked = requestOf(c, seat, body);
          const made = await handler({ c, seat, request: asked.request });
          if (name === 'loginOnce') who = FIRST_ADMIN;
          // Who could sign in is a name, whoever knows it.
          audit('ok', name === 'login' ? (body as { userName: string }).userName : who, body, made);
          if (made instanceof Response)
            return c.newResponse(made.body as ReadableStream | null, made);
          if (!envelope)
            return made === undefined ? c.body(null, 204) : c.json(made, asked.status());
          return c.json(
            { status: statusName(asked.status()), ...(made === undefined ? {} : { body: made }) },
            asked.status(),
          );
        } catch (error) {
          if (error instanceof Refusal) {
            // A sign-out is told by 401.
            audit(name === 'logout' ? 'ok' : String(error.status));
            return answer(c, error.status, error.message, error.more);
          }
          log.error({ call: name, error: (error as Error).stack }, 'a call failed');
          return answer(c, 500, FAILURE);
        }
      },
    );
  }
  // A wrong method answers as an unknown call does: 405 would mean 'logged out' to clients of this family.
  app.all('/api/*', (c) => answer(c, 404, 'there is no such call'));
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
    const { seat } = await identify(c);
    return seat !== undefined && !seat.person.embed && administers(seat.person);
  });
  pages(app, options, port);

  async function identify(c: Context): Promise<{ seat: TicketSeat | undefined; bearer: boolean }> {
    const token = bearerOf(c);
    if (token !== undefined) {
      reachable(zeppelin);
      return { seat: await seats.byToken(token), bearer: true };
    }
    const cookie = door.cookie(c);
    return { seat: cookie ? await seats.byCookie(cookie) : undefined, bearer: false };
  }

  function requestOf(
    c: Context,
    seat: TicketSeat | undefined,
    body: unknown,
  ): { request: RestRequest<EndpointName>; status: () => 200 | 201 | 202 | 500 } {
    let status: 200 | 201 | 202 | 500 = 200;
    const request = {
      params: c.req.param(),
      query: new URL(c.req.url).searchParams,
      body,
      person: seat?.person ?? nobody,
      session: seat?.local && { ...seat.local, ticket: seat.ticket },
      address: door.address(c),
      header: (field: string) => c.req.header(field),
      setStatus(given: 201 | 202 | 500) {
        status = given;
      },
      setSession: (cookie: string | undefined) => door.setCookie(c, cookie),
    };
    return { request: request as RestRequest<EndpointName>, status: () => status };
  }

  return app;
}
