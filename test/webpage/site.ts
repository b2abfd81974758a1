/** Serves the web pages of a folder or a `.war`, and proxies `/api` and `/ws` to a server. */
import { readFileSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { unzipSync } from 'fflate';

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
  '.ttf': 'font/ttf',
  '.eot': 'application/vnd.ms-fontobject',
};

/** Reads files from a folder or a `.war`; returns `undefined` for missing files. */
export function filesOf(source: string): (path: string) => Uint8Array | undefined {
  if (statSync(source).isDirectory()) {
    return (path) => {
      const file = join(source, normalize(`/${path}`));
      return statSync(file, { throwIfNoEntry: false })?.isFile() ? readFileSync(file) : undefined;
    };
  }
  const files = unzipSync(readFileSync(source));
  return (path) => files[path.replace(/^\//, '')];
}

/** Detects the kind of web client from its page. */
export function generationOf(source: string): 'classic' | 'angular' {
  const page = filesOf(source)('index.html');
  if (!page) throw new Error(`${source} has no index.html`);
  return /<zeppelin-root/.test(new TextDecoder().decode(page)) ? 'angular' : 'classic';
}

interface ProxiedCall {
  method: string;
  path: string;
  status: number;
}

/** Serves the files and proxies calls to `target`; `calls` lists them. */
export async function serveSite(
  source: string,
  target: string,
): Promise<{ url: string; calls: ProxiedCall[]; stop: () => Promise<void> }> {
  const files = filesOf(source);
  const { hostname: host, port } = new URL(target);
  const calls: ProxiedCall[] = [];
  const isCall = ({ url = '' }: IncomingMessage) => /^\/(api|ws)(\/|\?|$)/.test(url);
  const http = createServer((incoming, outgoing) => {
    const { method = 'GET', url = '/', headers } = incoming;
    if (isCall(incoming)) {
      const passed = request({ host, port, method, path: url, headers }, (answer) => {
        calls.push({ method, path: url, status: answer.statusCode ?? 0 });
        outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
        answer.pipe(outgoing);
      });
      passed.on('error', () => outgoing.destroy());
      incoming.pipe(passed);
      return;
    }
    const path = decodeURIComponent(url.split('?', 1)[0]!);
    const found = files(path === '/' ? 'index.html' : path);
    outgoing.writeHead(found ? 200 : 404, {
      'Content-Type':
        types[extname(path === '/' ? 'index.html' : path)] ?? 'application/octet-stream',
    });
    outgoing.end(found);
  });
  http.on('upgrade', (incoming, socket, head) => {
    const other = connect(Number(port), host, () => {
      const { rawHeaders } = incoming;
      const lines = rawHeaders.flatMap((name, at) =>
        at % 2 === 0 ? [`${name}: ${rawHeaders[at + 1]}`] : [],
      );
      other.write(`GET ${incoming.url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
      other.write(head);
      socket.pipe(other).pipe(socket);
    });
    for (const each of [socket, other])
      each.on('error', () => {
        socket.destroy();
        other.destroy();
      });
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    calls,
    stop: async () => {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}
