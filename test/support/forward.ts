/** Makes a server of Node a proxy, like the documented configurations. */
import { type Server as HttpServer, type OutgoingHttpHeaders, request } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import { connect } from 'node:net';

/**
 * Passes all requests and upgrades on to a port of this machine. The Host header is kept;
 * `headers` are added to requests, and `pathOf` returns the path that is asked for.
 */
export function forwardTo(
  port: number,
  proxy: HttpServer | HttpsServer,
  headers: OutgoingHttpHeaders = {},
  pathOf = (path: string) => path,
): void {
  proxy.on('request', (incoming, response) => {
    const onward = request(
      {
        host: '127.0.0.1',
        port,
        method: incoming.method,
        path: pathOf(incoming.url ?? '/'),
        headers: { ...incoming.headers, ...headers },
      },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    incoming.pipe(onward);
  });
  proxy.on('upgrade', (incoming, socket, head: Buffer) => {
    const onward = connect(port, '127.0.0.1', () => {
      const lines = Object.entries(incoming.headers)
        .map(([name, value]) => `${name}: ${String(value)}`)
        .join('\r\n');
      onward.write(
        `${incoming.method} ${pathOf(incoming.url ?? '/')} HTTP/1.1\r\n${lines}\r\n\r\n`,
      );
      onward.write(head);
      onward.pipe(socket).pipe(onward);
    });
    for (const each of [onward, socket]) each.on('error', () => each.destroy());
  });
}
