/** The server behind a TLS proxy: what a browser needs to sign in, save and receive messages. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { createServer, request as httpsRequest, type Server } from 'node:https';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ClientOptions, WebSocket } from 'ws';
import { ADMIN_PASSWORD } from './support/embedded.ts';
import { startEmpty } from './support/raw.ts';
import { temporaryFolder, untilEnd } from './support/until-end.ts';

const HOST = 'notes.acme.org';
const hasOpenssl = (() => {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

describe.skipIf(!hasOpenssl)('behind a proxy', () => {
  let folder: string;
  let embedded: Awaited<ReturnType<typeof startEmpty>>;
  let proxy: Server;
  let port = 0;
  let cert: Buffer;

  beforeAll(async () => {
    folder = temporaryFolder();
    const [key, pem] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    execFileSync(
      'openssl',
      [
        'req',
        '-x509',
        '-newkey',
        'rsa:2048',
        '-nodes',
        '-days',
        '1',
        '-keyout',
        key,
        '-out',
        pem,
        '-subj',
        `/CN=${HOST}`,
        '-addext',
        `subjectAltName=DNS:${HOST}`,
      ],
      { stdio: 'ignore' },
    );
    cert = readFileSync(pem);
    embedded = untilEnd(await startEmpty({ publicUrl: `https://${HOST}` }));
    const own = embedded.server.port;
    // Like the documented configuration: the Host header is kept, and upgrades are forwarded.
    proxy = createServer({ key: readFileSync(key), cert }, (incoming, response) => {
      const onward = httpRequest(
        {
          host: '127.0.0.1',
          port: own,
          method: incoming.method,
          path: incoming.url,
          headers: { ...incoming.headers, 'x-forwarded-for': '192.0.2.1' },
        },
        (answer) => {
          response.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(response);
        },
      );
      incoming.pipe(onward);
    });
    proxy.on('upgrade', (incoming, socket, head: Buffer) => {
      const onward = connect(own, '127.0.0.1', () => {
        const headers = Object.entries(incoming.headers)
          .map(([name, value]) => `${name}: ${String(value)}`)
          .join('\r\n');
        onward.write(`${incoming.method} ${incoming.url} HTTP/1.1\r\n${headers}\r\n\r\n`);
        onward.write(head);
        onward.pipe(socket).pipe(onward);
      });
      for (const each of [onward, socket]) each.on('error', () => each.destroy());
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    ({ port } = proxy.address() as { port: number });
  });
  afterAll(async () => {
    proxy?.closeAllConnections();
    await new Promise((resolve) => (proxy ? proxy.close(resolve) : resolve(undefined)));
  });

  const tls = () => ({ host: '127.0.0.1', port, servername: HOST, ca: cert });
  const call = (
    method: string,
    path: string,
    headers: Record<string, string> = {},
    body?: string,
  ) =>
    new Promise<{ status: number; cookie: string; text: string }>((resolve, reject) => {
      const outgoing = httpsRequest(
        {
          ...tls(),
          method,
          path,
          headers: {
            Host: HOST,
            Origin: `https://${HOST}`,
            'Sec-Fetch-Site': 'same-origin',
            ...headers,
          },
        },
        (answer) => {
          let text = '';
          answer
            .on('data', (chunk: Buffer) => (text += chunk))
            .on('end', () =>
              resolve({
                status: answer.statusCode ?? 0,
                cookie: answer.headers['set-cookie']?.[0] ?? '',
                text,
              }),
            );
        },
      );
      outgoing.on('error', reject).end(body);
    });
  const connectSocket = (origin: string, cookie: string) =>
    new Promise<WebSocket | number>((resolve, reject) => {
      const options: ClientOptions & { servername: string } = {
        servername: HOST,
        ca: cert,
        headers: { Host: HOST, Cookie: cookie },
        origin,
      };
      const socket = new WebSocket(`wss://127.0.0.1:${port}/ws`, options);
      socket
        .once('open', () => resolve(socket))
        .once('unexpected-response', (_, answer) => resolve(answer.statusCode ?? 0))
        .once('error', reject);
    });

  it('signs in with a secure cookie, saves, and receives messages', async () => {
    const signedIn = await call(
      'POST',
      '/api/login',
      { 'Content-Type': 'application/x-www-form-urlencoded' },
      new URLSearchParams({ userName: 'admin', password: ADMIN_PASSWORD }).toString(),
    );
    expect(signedIn.status, signedIn.text).toBe(200);
    for (const part of ['Secure', 'HttpOnly', 'SameSite=Lax'])
      expect(signedIn.cookie).toContain(part);
    const cookie = signedIn.cookie.split(';')[0]!;
    const { ticket, principal, roles } = (
      JSON.parse(signedIn.text) as { body: Record<string, string> }
    ).body;
    const made = await call(
      'POST',
      '/api/notebook',
      { Cookie: cookie, 'X-Requested-With': 'XMLHttpRequest', 'Content-Type': 'application/json' },
      '{"name":"behind"}',
    );
    expect(made.status, made.text).toBe(200);
    const socket = await connectSocket(`https://${HOST}`, cookie);
    expect(socket).toBeInstanceOf(WebSocket);
    const received = new Promise<string>((resolve) =>
      (socket as WebSocket).on('message', (data) => resolve(String(data))),
    );
    (socket as WebSocket).send(
      JSON.stringify({ op: 'LIST_NOTES', data: {}, principal, ticket, roles }),
    );
    expect(await received).toContain('behind');
    (socket as WebSocket).close();
    expect(await connectSocket('https://evil.example', cookie)).toBe(403);
    expect(
      await call('GET', '/api/security/ticket', {
        Cookie: cookie,
        Origin: 'https://evil.example',
      }),
    ).toMatchObject({ status: 403 });
    expect((await call('GET', '/', { Host: 'evil.example' })).status).toBe(403);
  });
});
