/** Makes the HTTP server, binds its port and derives the URL to print. */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { getRequestListener } from '@hono/node-server';
import type { ServerOptions } from '../base/options.ts';
import { basePath } from '../base/sso-options.ts';

/** The port and URL that a server listens on. */
interface Listening {
  /** The port; with `port: 0` the free port that was chosen. */
  readonly port: number;
  /** Base URL of the server's pages as seen from this machine, without a trailing slash. */
  readonly url: string;
}

/**
 * Makes the HTTP server. If the public URL has a path, requests may come with or without it,
 * because some proxies remove it.
 */
export function httpServer(
  options: ServerOptions,
  fetch: Parameters<typeof getRequestListener>[0],
  upgrade: (request: IncomingMessage, ...rest: [Duplex, Buffer]) => void,
): Server {
  const base = basePath(options);
  const withoutBase = (request: IncomingMessage): IncomingMessage => {
    if (base !== '' && request.url?.startsWith(`${base}/`))
      request.url = request.url.slice(base.length);
    return request;
  };
  const answer = getRequestListener(fetch);
  const http = createServer((request, response) => {
    // Without the slash at its end, links of the page would lead out of the path.
    if (base !== '' && request.url?.split('?')[0] === base)
      response.writeHead(302, { Location: `${base}/${request.url.slice(base.length)}` }).end();
    else void answer(withoutBase(request), response);
  });
  http.on('upgrade', (request, ...rest) => upgrade(withoutBase(request), ...rest));
  return http;
}

/**
 * Starts listening. Rejects with a user-readable message if the port is in use or needs more
 * privileges.
 */
export async function listen(
  http: Server,
  { port: wanted, host }: Pick<ServerOptions, 'port' | 'host'>,
): Promise<Listening> {
  const problems: Readonly<Record<string, string>> = {
    EADDRINUSE: `Port ${wanted} is in use. Choose another with --port, or --port 0 for a free one.`,
    EACCES: `Port ${wanted} needs administrator rights. Choose one above 1023 with --port.`,
  };
  await new Promise<void>((resolve, reject) => {
    http.once('error', ({ code = '', message }: NodeJS.ErrnoException) =>
      reject(new Error(problems[code] ?? `Cannot listen on ${host}:${wanted}: ${message}`)),
    );
    http.listen(wanted, host, resolve);
  });
  const { port } = http.address() as { port: number };
  const name =
    host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return { port, url: `http://${name}:${port}` };
}
