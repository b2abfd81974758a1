/**
 * A server that behaves like a Zeppelin, optionally with accounts; a test can override each answer.
 */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';

type Answerer = (request: IncomingMessage, response: ServerResponse, body: Buffer) => void;

/** A running fake Zeppelin; see {@link fakeZeppelin}. */
export interface FakeZeppelin {
  readonly url: string;
  /** Overridden answers, by `METHOD /path` below `/api`, or by the path alone. */
  readonly replies: Record<string, Answerer>;
  /** Received requests, in order. */
  readonly asked: {
    call: string;
    headers: IncomingMessage['headers'];
    rawHeaders: readonly string[];
    body: Buffer;
    aborted: Promise<void>;
  }[];
  /** Sockets on `/ws`, in order. */
  readonly sockets: WebSocket[];
  readonly frames: Record<string, unknown>[];
  /** Called with each new socket. */
  onSocket: (socket: WebSocket) => void;
  /**
   * Called when a request begins and for each chunk of its body; `size` is the number of bytes so
   * far.
   */
  onRequest: (request: IncomingMessage, size: number) => void;
  /** Cookies and tickets it has issued. */
  readonly secrets: string[];
  /** Whether users have to sign in. */
  accounts: boolean;
  /** Ends all sessions. */
  forget(): void;
  stop(): Promise<void>;
}

export function json(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Record<string, string | string[]> = {},
): void {
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
  response.end(JSON.stringify(value));
}

/** Starts a fake Zeppelin. Passwords are `<name>-pass`. */
export async function fakeZeppelin(port = 0): Promise<FakeZeppelin> {
  const sessions = new Map<string, { principal: string; ticket: string }>();
  const connections = new Set<Socket>();
  const found = ({ headers }: IncomingMessage) =>
    sessions.get(/JSESSIONID=([^;]+)/.exec(headers.cookie ?? '')?.[1] ?? '');
  const toLogin = (response: ServerResponse) => {
    const id = randomUUID();
    fake.secrets.push(id);
    response
      .writeHead(302, {
        Location: `http://127.0.0.1/api/login;JSESSIONID=${id}`,
        'Set-Cookie': `JSESSIONID=${id}; Path=/; HttpOnly`,
      })
      .end();
  };
  const fake = {
    url: '',
    accounts: true,
    secrets: [] as string[],
    asked: [] as FakeZeppelin['asked'],
    sockets: [] as WebSocket[],
    frames: [] as Record<string, unknown>[],
    onSocket: (() => {}) as FakeZeppelin['onSocket'],
    onRequest: (() => {}) as FakeZeppelin['onRequest'],
    forget: () => sessions.clear(),
    replies: {
      'GET /version': (_, response) =>
        json(response, 200, {
          status: 'OK',
          message: 'Zeppelin version',
          body: { version: '0.10.0', 'git-commit-id': '' },
        }),
      'GET /security/ticket': (request, response) => {
        const session = found(request);
        if (!fake.accounts)
          json(response, 200, {
            status: 'OK',
            body: { principal: 'anonymous', ticket: 'anonymous', roles: '[]' },
          });
        else if (session)
          json(response, 200, { status: 'OK', body: { ...session, roles: '["analyst"]' } });
        else toLogin(response);
      },
      'POST /login': (_, response, body) => {
        const form = new URLSearchParams(body.toString());
        const principal = form.get('userName') ?? '';
        if (form.get('password') !== `${principal}-pass`)
          return json(response, 403, { status: 'FORBIDDEN', message: '' });
        const [id, ticket] = [randomUUID(), randomUUID()];
        fake.secrets.push(id, ticket);
        sessions.set(id, { principal, ticket });
        return json(
          response,
          200,
          { status: 'OK', body: { principal, ticket, roles: '["analyst"]' } },
          {
            'Set-Cookie': [
              'rememberMe=deleteMe; Max-Age=0',
              'JSESSIONID=deleteMe; Max-Age=0',
              `JSESSIONID=${id}; Path=/; HttpOnly`,
            ],
          },
        );
      },
      'POST /login/logout': (request, response) => {
        sessions.delete(/JSESSIONID=([^;]+)/.exec(request.headers.cookie ?? '')?.[1] ?? '');
        json(response, 401, { status: 'UNAUTHORIZED', message: '' });
      },
    } as Record<string, Answerer>,
  };
  const http = createServer((request, response) => {
    const call = `${request.method} ${request.url?.replace(/^\/api/, '')}`;
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      fake.onRequest(request, (size += chunk.length));
    });
    fake.onRequest(request, 0);
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      const aborted = new Promise<void>((resolve) =>
        response.once('close', () => response.writableEnded || resolve()),
      );
      fake.asked.push({
        call,
        headers: request.headers,
        rawHeaders: request.rawHeaders,
        body,
        aborted,
      });
      const reply = fake.replies[call];
      if (reply) reply(request, response, body);
      else if (fake.accounts && !found(request)) toLogin(response);
      else json(response, 404, { status: 'NOT_FOUND', message: `nothing at ${call}` });
    });
  });
  http.on('connection', (socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  const server = new WebSocketServer({ server: http, path: '/ws' });
  server.on('connection', (socket, { headers }) => {
    // Zeppelin 0.12.1 and later accept the socket and then close it.
    if (headers.origin !== 'http://localhost') return socket.close();
    fake.sockets.push(socket);
    socket.on('message', (data) =>
      fake.frames.push(JSON.parse(String(data)) as Record<string, unknown>),
    );
    socket.on('error', () => {});
    fake.onSocket(socket);
  });
  await new Promise<void>((resolve) => http.listen(port, '127.0.0.1', resolve));
  fake.url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  return Object.assign(fake, {
    stop: () =>
      new Promise<void>((resolve) => {
        for (const socket of fake.sockets) socket.terminate();
        for (const socket of connections) socket.destroy();
        http.close(() => resolve());
      }),
  });
}
