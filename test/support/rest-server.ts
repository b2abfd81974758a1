/**
 * A small real HTTP server for tests of the client: it answers from a table and records requests.
 */
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

/** A received request. */
export interface Asked {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** An answer: a body (wrapped as Zeppelin does), or a function that writes the response. */
export type Reply = object | string | ((asked: Asked, response: ServerResponse) => void);

/** The running server and its recorded requests. */
export interface RestServer {
  readonly url: string;
  /**
   * The function clients should use instead of the platform's `fetch`; needed where tests run
   * without Node, and thus without a server.
   */
  readonly fetch?: typeof fetch | undefined;
  readonly asked: Asked[];
  /** Requests as `METHOD /path`. */
  readonly calls: string[];
  /** Answers by `METHOD /path` below `/api`. */
  readonly replies: Record<string, Reply>;
  stop(): Promise<void>;
}

/** Sends a status, a body and headers. */
export function answer(
  response: ServerResponse,
  status: number,
  body: string | object = '',
  headers: Record<string, string | string[]> = {},
): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  response
    .writeHead(status, {
      'Content-Type': typeof body === 'string' ? 'text/html' : 'application/json',
      ...headers,
    })
    .end(text);
}

async function read(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}

/** Starts a server on a free port. */
export async function restServer(replies: Record<string, Reply> = {}): Promise<RestServer> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    void read(request).then((body) => {
      const { method = '', url = '', headers } = request;
      const one = { method, url, headers, body };
      asked.push(one);
      const reply = replies[`${method} ${url.replace(/^\/api/, '').split('?')[0]}`];
      if (typeof reply === 'function') reply(one, response);
      else if (reply === undefined) answer(response, 404, { status: 'NOT_FOUND' });
      else answer(response, 200, { status: 'OK', message: '', body: reply });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    replies,
    get calls() {
      return asked.map(({ method, url }) => `${method} ${url.replace(/^\/api/, '')}`);
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
