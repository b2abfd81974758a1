/**
 * A server inside the page or the process: it speaks the protocol to clients that take its `transport` and `fetch`.
 *
 * Nothing leaves memory, no port is opened, ids are the same in each run. Texts, forms, permissions, merges and conflicts
 * follow the rules of the real one; what prints is the test's own interpreters.
 */
import type { Transport } from '../channel/transport.ts';
import {
  clientFrame,
  endpoints,
  sentOperations,
  type Note,
  type SentOp,
  type Sends,
} from '../protocol/index.ts';
import type { MemoryFrame, MemoryServerOptions } from './contract.ts';
import { MemoryEditor } from './editor.ts';
import { liveHandlers, type LiveRequest, type Parts } from './live.ts';
import { restHandlers, routeOf, type RestRequest } from './rest.ts';
import { MemoryRuns } from './runs.ts';
import { left } from './together.ts';
import { Refusal, World, type Line, type MemorySession } from './world.ts';

/** A memory server; spread `server`, `transport` and `fetch` into the options of a client. */
export interface MemoryServer {
  /** Its address, which stands in no DNS. */
  readonly server: string;
  /** Its live channel. */
  readonly transport: Transport;
  /** Its REST calls; any other address rejects, as a dead network does. */
  readonly fetch: typeof fetch;
  /** Frames that arrived, oldest first, without PING. */
  readonly frames: readonly MemoryFrame[];
  /** The notes as they stand. */
  readonly notes: readonly Note[];
  /** Sends a frame to every connection, or to those that have the note open; any operation, fitting or not. */
  push(op: string, data?: unknown, options?: { noteId?: string; msgId?: string }): void;
  /** Breaks every connection, as a dead network does. Clients come back by their `backoff`. */
  drop(): void;
  /** While false, connections break and calls fail. */
  online: boolean;
  /** Stops what runs and refuses everything from now on. */
  close(): void;
}

const byId = new Set([
  'GET_NOTE',
  'RELOAD_NOTE',
  'DEL_NOTE',
  'CLONE_NOTE',
  'NOTE_UPDATE',
  'NOTE_RENAME',
  'UPDATE_PERSONALIZED_MODE',
  'MOVE_NOTE_TO_TRASH',
  'RESTORE_NOTE',
  'PARAGRAPH_CLEAR_ALL_OUTPUT',
]);
const COOKIE = 'memory';
const SESSION_OVER = 'Your ticket is invalid possibly due to server restart. Please login again.';
/** In a page nobody can read or write cookies by hand: the last sign-in is the page's. */
const inPage = (globalThis as { location?: { origin?: string } }).location?.origin !== undefined;

/** Makes one. */
export function memoryServer(options: MemoryServerOptions = {}): MemoryServer {
  const server = (options.server ?? 'http://memory.test').replace(/\/+$/, '');
  const world = new World(options);
  const editor = new MemoryEditor(world);
  const parts: Parts = { world, editor, runs: new MemoryRuns(world, editor) };
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
      if (line.noteId !== undefined) left(world, line, line.noteId);
      line.events.onClose(1006, '');
    }
  };

  async function receive(line: Line, text: string): Promise<void> {
    let op = '';
    let id: string | undefined;
    try {
      const frame = clientFrame.safeParse(parsed(text));
      if (!frame.success) throw new Refusal(400, 'a message is a JSON object with an operation');
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
      if (!Object.hasOwn(sentOperations, op)) throw new Refusal(400, `unknown operation ${op}`);
      const handler = liveHandlers[op as SentOp] as
        | ((request: LiveRequest, parts: Parts) => void | Promise<void>)
        | undefined;
      if (!handler) throw new Refusal(501, `${op} is not part of the memory server`);
      const operation = sentOperations[op as SentOp];
      const fit = operation.data.safeParse(data);
      if (!fit.success) {
        const [issue] = fit.error.issues;
        throw new Refusal(
          400,
          `${op}: ${issue?.path.join('.') ?? ''} ${issue?.message ?? 'does not fit the protocol'}`.trim(),
        );
      }
      const named = fit.data as { id?: string; noteId?: string };
      const noteId = byId.has(op) ? (named.id ?? '') : (named.noteId ?? line.noteId ?? '');
      if (operation.right !== 'none') {
        world.note(noteId);
        world.require(session, noteId, operation.right);
      }
      await handler(
        { data: fit.data as Sends[SentOp], line, person: session, msgId, noteId },
        parts,
      );
    } catch (error) {
      const where = { ...(op ? { op } : {}), ...(id ? { id } : {}) };
      const forbidden = error instanceof Refusal && error.status === 403;
      world.tell(line, forbidden ? 'AUTH_INFO' : 'ERROR_INFO', {
        info: (error as Error).message,
        ...where,
      });
    }
  }

  const transport: Transport = (_url, events) => {
    const line: Line = { events, open: false, session: undefined, noteId: undefined, jobs: false };
    // One connection's frames are handled one after another.
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
        if (line.noteId !== undefined) left(world, line, line.noteId);
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
        (restHandlers[route.name] as ((request: RestRequest, parts: Parts) => unknown) | undefined);
      if (!route || !handler)
        throw new Refusal(404, `${request.method} ${path} is not part of the memory server`);
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
        throw new Refusal(400, fit.error.issues[0]?.message ?? 'the body does not fit');
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
    throw new Refusal(400, 'not JSON');
  }
}
