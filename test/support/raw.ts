/**
 * Access to a server without the project's client: raw sockets, raw requests, the bytes of its
 * folder.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import {
  type Agent,
  request as httpRequest,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
} from 'node:http';
import { join } from 'node:path';
import { expect } from 'vitest';
import { WebSocket } from 'ws';
import type { ServerOptions } from '../../server/index.ts';
import { ADMIN_PASSWORD, startEmbedded } from './embedded.ts';
import { temporaryFolder, whenDone } from './until-end.ts';

/** Starts the embedded server, on a folder without sample notes unless `data` is set. */
export async function startEmpty(
  options: Partial<ServerOptions> = {},
): Promise<Awaited<ReturnType<typeof startEmbedded>>> {
  if (options.data) return startEmbedded(options);
  const data = temporaryFolder();
  await writeFile(join(data, 'samples.json'), '{}');
  return startEmbedded({ ...options, data });
}

/** An answer with any status. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The text as JSON; throws if it is not JSON. */
  readonly json: unknown;
}

/**
 * Sends a request with these headers; `path` is not normalised. It accepts only JSON unless a
 * header says otherwise.
 */
export function request(
  server: string,
  method: string,
  path: string,
  {
    headers = {},
    body,
    agent,
  }: { headers?: OutgoingHttpHeaders; body?: string | Buffer; agent?: Agent } = {},
): Promise<Answer> {
  const { hostname, port } = new URL(server);
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest({
      hostname,
      port,
      method,
      path,
      ...(agent ? { agent } : {}),
      headers: {
        Accept: 'application/json',
        ...(body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) }),
        ...headers,
      },
    });
    // A refused upgrade is an ordinary answer; an accepted one must be closed.
    outgoing.on('upgrade', (response, socket) => {
      socket.destroy();
      resolve({ status: 101, headers: response.headers, text: '', json: undefined });
    });
    outgoing.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text,
          get json(): unknown {
            return JSON.parse(text);
          },
        });
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** Asks for a live channel with these headers; an accepted one is closed. */
export const upgrade = (server: string, headers: OutgoingHttpHeaders = {}, path = '/ws') =>
  request(server, 'GET', path, {
    headers: {
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      'Sec-WebSocket-Version': '13',
      'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
      ...headers,
    },
  });

/** A signed-in user: the cookie for REST, the identity for live messages. */
export interface Login {
  readonly cookie: string;
  readonly identity: { principal: string; ticket: string; roles: string };
}

/** Sends the form of the sign-in page; that of the administrator unless a user is given. */
export const sendLogin = (
  server: string,
  userName = 'admin',
  password = ADMIN_PASSWORD,
  headers: OutgoingHttpHeaders = {},
): Promise<Answer> =>
  request(server, 'POST', '/api/login', {
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams({ userName, password }).toString(),
  });

/** Signs in; as the administrator unless a user is given. */
export async function login(
  server: string,
  ...who: [userName?: string, password?: string]
): Promise<Login> {
  const answer = await sendLogin(server, ...who);
  expect(answer.status, answer.text).toBe(200);
  const { principal, ticket, roles } = (answer.json as { body: Login['identity'] }).body;
  return {
    cookie: (answer.headers['set-cookie'] ?? []).map((each) => each.split(';')[0]).join('; '),
    identity: { principal, ticket, roles },
  };
}

/** Headers of a call from the server's own page. */
export const asPage = ({ cookie }: Login): OutgoingHttpHeaders => ({
  Cookie: cookie,
  'Sec-Fetch-Site': 'same-origin',
  'X-Requested-With': 'XMLHttpRequest',
  'Content-Type': 'application/json',
});

/** What a call sends. Texts and bytes are sent as they are, everything else as JSON. */
export type ApiCall = [method: string, path: string, body?: unknown, headers?: OutgoingHttpHeaders];

/** Calls a path below `/api`: as a page of a user, as a program with a token, or as nobody. */
export function callApi(
  server: string,
  who: Login | string | undefined,
  ...[method, path, body, headers]: ApiCall
): Promise<Answer> {
  const json = { 'Content-Type': 'application/json' };
  const own = typeof who === 'string' ? { Authorization: `Bearer ${who}`, ...json } : json;
  const isRaw = typeof body === 'string' || Buffer.isBuffer(body);
  return request(server, method, `/api${path}`, {
    headers: { ...(typeof who === 'object' ? asPage(who) : own), ...headers },
    ...(body === undefined ? {} : { body: isRaw ? body : JSON.stringify(body) }),
  });
}

/** A frame sent by the server. */
export interface Frame {
  readonly op: string;
  readonly data: Record<string, unknown>;
  readonly msgId?: string;
}

/** A socket without a client. */
export interface RawSocket {
  readonly socket: WebSocket;
  /** Sends text or bytes unchanged, anything else as JSON. */
  send(message: unknown): void;
  /** The next frame with one of these operations, in order; frames before it are skipped. */
  next(...ops: string[]): Promise<Frame>;
  /** The next frame, of any kind. */
  any(): Promise<Frame>;
  readonly closed: Promise<{ code: number; reason: string }>;
}

/** Opens a socket, which is terminated after the test. */
export async function openSocket(
  server: string,
  {
    headers = {},
    identity,
    note,
  }: {
    headers?: Record<string, string>;
    identity?: Login['identity'];
    /** A note to open. */
    note?: string | undefined;
  } = {},
): Promise<RawSocket> {
  const socket = new WebSocket(`${server.replace('http', 'ws')}/ws`, { headers });
  whenDone(() => socket.terminate());
  const frames: Frame[] = [];
  let wake = () => {};
  socket.on('message', (data) => {
    frames.push(JSON.parse(String(data)) as Frame);
    wake();
  });
  socket.on('error', () => {});
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.once('close', (code, reason) => {
      resolve({ code, reason: String(reason) });
      wake();
    });
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  const next = async (isWanted: (frame: Frame) => boolean, what: string): Promise<Frame> => {
    for (;;) {
      for (let frame = frames.shift(); frame; frame = frames.shift())
        if (isWanted(frame)) return frame;
      if (socket.readyState !== WebSocket.OPEN) throw new Error(`the socket closed before ${what}`);
      await new Promise<void>((resolve) => (wake = resolve));
    }
  };
  const opened: RawSocket = {
    socket,
    closed,
    any: () => next(() => true, 'a frame'),
    send(message) {
      if (typeof message === 'string' || Buffer.isBuffer(message)) socket.send(message);
      else socket.send(JSON.stringify({ ...identity, ...(message as object) }));
    },
    next: (...ops) => next(({ op }) => ops.includes(op), ops.join(' or ')),
  };
  if (note) {
    opened.send({ op: 'GET_NOTE', data: { id: note } });
    await opened.next('NOTE');
  }
  return opened;
}

/** Every file under a folder with the hash of its bytes. */
export async function hashTree(folder: string): Promise<Record<string, string>> {
  const tree: Record<string, string> = {};
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    // Refusals are recorded there.
    if (!entry.isFile() || entry.name.startsWith('audit.log')) continue;
    const file = join(entry.parentPath, entry.name);
    tree[file] = createHash('sha256')
      .update(await readFile(file))
      .digest('hex');
  }
  return tree;
}

/** The entries of a server's audit log. */
export const auditOf = async (data: string): Promise<Record<string, string>[]> =>
  (await readFile(join(data, 'audit.log'), 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, string>);

/** Waits for an entry with these fields in a server's audit log. */
export const audited = (data: string, wanted: Record<string, string>): Promise<void> =>
  expect.poll(() => auditOf(data)).toContainEqual(expect.objectContaining(wanted));

/** Permissions that give all rights to these users. */
export const onlyFor = (...names: string[]) => ({
  owners: [...names],
  writers: [...names],
  runners: [...names],
  readers: [...names],
});
