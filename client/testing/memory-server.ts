/**
 * A server inside the page or process that speaks the protocol to clients created with its
 * `transport` and `fetch`.
 *
 * Everything stays in memory, no port is opened, and ids are the same in each run. Texts, forms,
 * permissions, merges and conflicts follow the rules of the real server; the output comes from
 * the test's own interpreters.
 */
import type { Transport } from '../channel/transport.ts';
import { concernedNote, Refusal } from '../notebook/index.ts';
import {
  clientFrame,
  endpoints,
  type JsonObject,
  type Note,
  type Sends,
  type SentOp,
  sentOperations,
} from '../protocol/index.ts';
import type { MemoryFrame, MemoryServerOptions } from './contract.ts';
import { liveHandlers, type MemoryLiveRequest, type Parts } from './live.ts';
import { onConnectionLeft } from './presence.ts';
import { type MemoryRestRequest, restHandlers, routeOf } from './rest.ts';
import { MemoryRuns } from './runs.ts';
import { type MemoryConnection, type MemorySession, World } from './world.ts';

/** A memory server. Spread `server`, `transport` and `fetch` into the options of a client. */
export interface MemoryServer {
  /** Base URL with a host name that does not exist. */
  readonly server: string;
  /** Transport of the live channel. */
  readonly transport: Transport;
  /** Answers REST calls; any other URL rejects like a network failure. */
  readonly fetch: typeof fetch;
  /** Received frames, oldest first, without PING. */
  readonly frames: readonly MemoryFrame[];
  /** The notes in their current state. */
  readonly notes: readonly Note[];
  /**
   * Sends a frame to every connection, or only to those that have the note open. The operation and
   * payload are not validated.
   */
  push(op: string, data?: unknown, options?: { noteId?: string; msgId?: string }): void;
  /**
   * Breaks every connection like a network failure. Clients reconnect according to their `backoff`.
   */
  drop(): void;
  /** Set to false to break connections and let calls fail. */
  online: boolean;
  /** Stops all runs and rejects everything from now on. */
  close(): void;
}

const COOKIE = 'memory';
const SESSION_OVER = 'Your ticket is invalid possibly due to server restart. Please login again.';
/**
 * In a page, scripts can't read or write the cookies themselves, so the last sign-in counts for the
 * whole page.
 */
const inPage = (globalThis as { location?: { origin?: string } }).location?.origin !== undefined;

/**
 * Creates a memory server.
 *
 * @example
 * const memory = memoryServer({ notes: [{ id: 'n1', path: 'Hello' }] });
 * const note = await createClient({ ...memory }).open('n1');
 */
export function memoryServer(options: MemoryServerOptions = {}): MemoryServer {
  const server = (options.server ?? 'http://memory.test').replace(/\/+$/, '');
  const world = new World(options);
  const parts: Parts = { world, runs: new MemoryRuns(world) };
  const frames: MemoryFrame[] = [];
  const anonymous: MemorySession = {
    principal: 'anonymous',
    roles: [],
    key: '',
    ticket: 'anonymous',
  };
  const accounts = world.users.size > 0;
  if (!accounts) world.sessions.set('', anonymous);
  let pageSession = '';
  let online = true;
  let closed = false;

  const begin = (principal: string): MemorySession => {
    const key = crypto.randomUUID();
    const session = {
      principal,
      roles: world.users.get(principal)?.roles ?? [],
      key,
      ticket: crypto.randomUUID(),
    };
    world.sessions.set(key, session);
    return session;
  };
  for (const [name, { token }] of world.users)
    if (token !== undefined)
      world.sessions.set(`Bearer ${token}`, { ...begin(name), key: `Bearer ${token}` });
  const ofTicket = (principal: string, ticket: string) =>
    [...world.sessions.values()].find(
      (each) => each.ticket === ticket && each.principal === principal,
    );

  const drop = () => {
    for (const line of [...world.lines]) {
      line.open = false;
      world.lines.delete(line);
      if (line.noteId !== undefined) onConnectionLeft(world, line, line.noteId);
      line.events.onClose(1006, '');
    }
  };

  async function receive(line: MemoryConnection, text: string): Promise<void> {
    let op = '';
    let id: string | undefined;
    try {
      const frame = clientFrame.safeParse(parsed(text));
      if (!frame.success)
        throw new Refusal(400, 'A message must be a JSON object with an operation.');
      const { data = {}, principal = '', ticket = '', msgId } = frame.data;
      ({ op } = frame.data);
      if (op === 'PING') return;
      id = typeof data['id'] === 'string' ? data['id'] : undefined;
      const seen = { op, data, principal, msgId, noteId: line.noteId };
      frames.push(seen);
      if (options.intercept?.(seen)) return;
      const session = ofTicket(principal, ticket);
      if (!session) return world.tell(line, 'SESSION_LOGOUT', { info: SESSION_OVER });
      if (line.session !== session)
        Object.assign(line, { session, noteId: undefined, jobs: false });
      if (!Object.hasOwn(sentOperations, op)) throw new Refusal(400, `Unknown operation: ${op}.`);
      const handler = liveHandlers[op as SentOp] as
        | ((request: MemoryLiveRequest, parts: Parts) => void | Promise<void>)
        | undefined;
      if (!handler) throw new Refusal(501, `${op} is not supported by the memory server.`);
      const operation = sentOperations[op as SentOp];
      const fit = operation.data.safeParse(data);
      if (!fit.success) {
        const [issue] = fit.error.issues;
        throw new Refusal(
          400,
          `${op}: ${issue?.path.join('.') ?? ''} ` +
            (issue?.message ?? 'does not match the protocol'),
        );
      }
      const noteId = concernedNote(operation, fit.data as JsonObject, line.noteId);
      if (operation.right !== 'none') {
        world.note(noteId);
        world.require(session, noteId, operation.right, operation.verb);
      }
      await handler(
        { data: fit.data as Sends[SentOp], line, person: session, msgId, noteId },
        parts,
      );
    } catch (error) {
      const where = { ...(op ? { op } : {}), ...(id ? { id } : {}) };
      const info = (error as Error).message;
      const { status: code = 500, kind = 'error' } = error instanceof Refusal ? error : {};
      if (kind === 'forbidden') world.tell(line, 'AUTH_INFO', { info, ...where });
      else world.tell(line, 'ERROR_INFO', { info, code, ...where });
    }
  }

  const transport: Transport = (_url, events) => {
    const line: MemoryConnection = {
      events,
      open: false,
      session: undefined,
      noteId: undefined,
      jobs: false,
    };
    // Handle the frames of one connection one after another.
    let queue = Promise.resolve().then(() => {
      if (!world.lines.has(line)) return;
      line.open = true;
      events.onOpen();
    });
    if (online && !closed) world.lines.add(line);
    else queue = queue.then(() => events.onClose(1006, ''));
    return {
      send(text) {
        if (line.open) queue = queue.then(() => (line.open ? receive(line, text) : undefined));
      },
      close(code, reason) {
        if (!world.lines.delete(line)) return;
        line.open = false;
        if (line.noteId !== undefined) onConnectionLeft(world, line, line.noteId);
        events.onClose(code ?? 1000, reason ?? '');
      },
    };
  };

  const sessionOf = (request: Request): MemorySession | undefined => {
    const bearer = /^Bearer .+$/.exec(request.headers.get('Authorization') ?? '')?.[0];
    if (bearer !== undefined) return world.sessions.get(bearer);
    if (!accounts) return anonymous;
    const cookie = inPage
      ? pageSession
      : new RegExp(`(?:^|; )${COOKIE}=([^;]+)`).exec(request.headers.get('Cookie') ?? '')?.[1];
    return cookie ? world.sessions.get(cookie) : undefined;
  };

  const fetched: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const { origin, pathname, searchParams } = new URL(request.url);
    request.signal.throwIfAborted();
    if (!online || closed || origin !== new URL(server).origin)
      throw new TypeError('Failed to fetch');
    let status = 200;
    let cookie: string | undefined;
    try {
      const path = pathname
        .slice(new URL(server).pathname.replace(/\/$/, '').length)
        .replace(/^\/api/, '');
      const route = routeOf(request.method, path);
      const handler =
        route &&
        (restHandlers[route.name] as
          | ((request: MemoryRestRequest, parts: Parts) => unknown)
          | undefined);
      if (!route || !handler)
        throw new Refusal(404, `${request.method} ${path} is not supported by the memory server.`);
      const endpoint = endpoints[route.name];
      const session = sessionOf(request);
      if (endpoint.access !== 'public') {
        if (!session) throw new Refusal(401, 'Not signed in.');
        if (
          endpoint.access !== 'session' &&
          !endpoint.access.some((role) => session.roles.includes(role))
        )
          throw new Refusal(403, 'You do not have permission on this page');
      }
      const raw = await request.text();
      const body =
        raw === ''
          ? undefined
          : endpoint.encoding === 'json'
            ? parsed(raw)
            : endpoint.encoding === 'form'
              ? Object.fromEntries(new URLSearchParams(raw))
              : raw;
      const fit =
        endpoint.encoding === 'none'
          ? { success: true as const, data: undefined }
          : endpoint.body.safeParse(body);
      if (!fit.success)
        throw new Refusal(
          400,
          fit.error.issues[0]?.message ?? 'The body does not match the schema.',
        );
      const answer = await handler(
        {
          params: route.params,
          query: searchParams,
          body: fit.data as never,
          session: session ?? anonymous,
          signIn(name) {
            if (session && accounts) endSession(session);
            const next = name === undefined ? anonymous : begin(name);
            pageSession = next.key;
            cookie = name === undefined ? `${COOKIE}=; Max-Age=0` : `${COOKIE}=${next.key}`;
            return next;
          },
          setStatus: (given) => void (status = given),
        },
        parts,
      );
      return respond(
        status,
        {
          status: status === 200 ? 'OK' : 'ERROR',
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

  function endSession(session: MemorySession): void {
    world.sessions.delete(session.key);
    for (const line of [...world.lines]) {
      if (line.session !== session) continue;
      world.tell(line, 'SESSION_LOGOUT', { info: SESSION_OVER });
      Object.assign(line, { session: undefined, noteId: undefined, jobs: false });
    }
  }

  return {
    server,
    transport,
    fetch: fetched,
    frames,
    drop,
    get notes() {
      return [...world.notes.values()].map((note) => structuredClone(world.wire(note)));
    },
    get online() {
      return online;
    },
    set online(now) {
      online = now;
      if (!now) drop();
    },
    push(op, data = {}, { noteId, msgId } = {}) {
      const text = JSON.stringify({ op, data, ...(msgId === undefined ? {} : { msgId }) });
      for (const line of [...world.lines])
        if (line.open && (noteId === undefined || line.noteId === noteId))
          line.events.onMessage(text);
    },
    close() {
      closed = true;
      parts.runs.close();
      drop();
    },
  };
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

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal(400, 'The body must be JSON.');
  }
}
