/** REST calls of the memory server. */
import { paragraphOf, Refusal } from '../notebook/index.ts';
import { type EndpointName, endpoints } from '../protocol/index.ts';
import type { MemoryRestRequest, MemoryServices } from './handlers.ts';
import { parsedJson } from './json.ts';
import { restHandlers, routeOf } from './rest.ts';
import type { MemorySessions } from './sessions.ts';
import type { MemorySession } from './world.ts';

type Endpoint = (typeof endpoints)[EndpointName];

interface FetchOptions {
  /** Base URL of the server. */
  readonly server: string;
  readonly services: MemoryServices;
  readonly sessions: MemorySessions;
  /** Whether calls reach the server. */
  readonly isReachable: () => boolean;
}

/** Creates a `fetch` that answers REST calls; any other URL rejects like a network failure. */
export function createMemoryFetch({
  server,
  services,
  sessions,
  isReachable,
}: FetchOptions): typeof fetch {
  const base = new URL(server);
  const { world } = services;
  return async (input, init) => {
    const request = new Request(input, init);
    const { origin, pathname, searchParams } = new URL(request.url);
    request.signal.throwIfAborted();
    if (!isReachable() || origin !== base.origin) throw new TypeError('Failed to fetch');
    let status = 200;
    let cookie: string | undefined;
    try {
      const path = pathname.slice(base.pathname.replace(/\/$/, '').length).replace(/^\/api/, '');
      const route = routeOf(request.method, path);
      const handler =
        route &&
        (restHandlers[route.name] as
          | ((request: MemoryRestRequest, services: MemoryServices) => unknown)
          | undefined);
      if (!route || !handler)
        throw new Refusal(404, `${request.method} ${path} is not supported by the memory server.`);
      const endpoint = endpoints[route.name];
      const session = sessions.ofRequest(request);
      requireAccess(endpoint.access, session);
      const body = await bodyOf(request, endpoint);
      const { noteId = '', paragraphId = '' } = route.params;
      const person = session ?? sessions.anonymous;
      if (endpoint.right !== 'none') world.require(person, world.note(noteId).id, endpoint.right);
      const answer = await handler(
        {
          params: route.params,
          query: searchParams,
          body: body as never,
          session: person,
          get note() {
            return world.note(noteId);
          },
          get paragraph() {
            return paragraphOf(world.note(noteId), paragraphId);
          },
          signIn(name) {
            const next = sessions.signIn(session, name);
            ({ cookie } = next);
            return next.session;
          },
          setStatus: (given) => void (status = given),
        },
        services,
      );
      return respond(
        status,
        {
          status: status === 200 ? 'OK' : 'ERROR',
          message: '',
          ...(answer === undefined ? {} : { body: answer }),
        },
        cookie,
      );
    } catch (error) {
      if (error instanceof Refusal)
        return respond(error.status, { status: 'ERROR', message: error.message }, cookie);
      return respond(500, { status: 'ERROR', message: String(error) }, cookie);
    }
  };
}

function requireAccess(access: Endpoint['access'], session: MemorySession | undefined): void {
  if (access === 'public') return;
  if (!session) throw new Refusal(401, 'Not signed in.');
  if (access !== 'session' && !access.some((role) => session.roles.includes(role)))
    throw new Refusal(403, 'You do not have permission on this page');
}

async function bodyOf(request: Request, { encoding, body: schema }: Endpoint): Promise<unknown> {
  const text = await request.text();
  if (encoding === 'none') return undefined;
  const parsed = schema.safeParse(text === '' ? undefined : decoded(text, encoding));
  if (!parsed.success)
    throw new Refusal(
      400,
      parsed.error.issues[0]?.message ?? 'The body does not match the schema.',
    );
  return parsed.data;
}

function decoded(text: string, encoding: Endpoint['encoding']): unknown {
  if (encoding === 'json') return parsedJson(text);
  return encoding === 'form' ? Object.fromEntries(new URLSearchParams(text)) : text;
}

function respond(status: number, body: unknown, cookie: string | undefined): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: {
      'Content-Type': 'application/json',
      ...(cookie === undefined ? {} : { 'Set-Cookie': cookie }),
    },
  });
}
