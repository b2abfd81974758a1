/** The server behind a TLS proxy: what a browser needs to sign in, save and receive messages. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, request as httpsRequest, type ServerOptions } from 'node:https';
import { connect } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { type ClientOptions, WebSocket } from 'ws';
import { ADMIN_PASSWORD } from './support/embedded.ts';
import { forwardTo } from './support/forward.ts';
import { freePort } from './support/free-port.ts';
import { startEmpty } from './support/raw.ts';
import { root } from './support/sources.ts';
import { temporaryFolder, untilEnd } from './support/until-end.ts';

const reachable = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true));
    socket.on('error', () => resolve(false)).on('connect', () => socket.destroy());
  });
const HOST = 'notes.example.org';
const runs = (program: string, flag: string): boolean =>
  spawnSync(program, [flag], { stdio: 'ignore' }).status === 0;
const guide = readFileSync(join(root, 'docs/operate/proxy.md'), 'utf8');
const sample = (language: string) =>
  new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(guide)![1]!;

/** What a proxy needs: where it listens, the server's port, and a folder with its certificate. */
interface Place {
  readonly port: number;
  readonly server: number;
  readonly folder: string;
}

/** The proxies of the guide, and a small one that is always there. */
const proxies = {
  node({ port, server, folder }: Place) {
    const [key, cert] = ['key.pem', 'cert.pem'].map((name) => readFileSync(join(folder, name)));
    const proxy = createServer({ key, cert } as ServerOptions);
    forwardTo(server, proxy, { 'x-forwarded-for': '192.0.2.1' });
    proxy.listen(port, '127.0.0.1');
    untilEnd({ close: () => void proxy.close(() => {}).closeAllConnections() });
  },
  nginx({ port, server, folder }: Place) {
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
    const site = sample('nginx')
      .replace('listen 443', `listen 127.0.0.1:${port}`)
      .replace('127.0.0.1:8080', `127.0.0.1:${server}`)
      .replace('/etc/ssl/notes.pem', join(folder, 'cert.pem'))
      .replace('/etc/ssl/notes.key', join(folder, 'key.pem'));
    const file = join(folder, 'nginx.conf');
    writeFileSync(
      file,
      `pid ${folder}/pid; error_log stderr; events {}\nhttp { access_log off;\n` +
        `${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n')}\n${site}}`,
    );
    return ['nginx', '-c', file, '-e', 'stderr', '-g', 'daemon off;'];
  },
  caddy({ port, server, folder }: Place) {
    const file = join(folder, 'Caddyfile');
    const site = sample('caddyfile')
      .replace(`${HOST} {`, `https://${HOST}:${port} {\n  tls ${folder}/cert.pem ${folder}/key.pem`)
      .replace('127.0.0.1:8080', `127.0.0.1:${server}`);
    writeFileSync(file, `{\n  admin off\n  auto_https off\n}\n${site}`);
    return ['caddy', 'run', '--config', file];
  },
};
const missing = { node: false, nginx: !runs('nginx', '-v'), caddy: !runs('caddy', 'version') };

describe.for(Object.keys(proxies) as (keyof typeof proxies)[])('behind %s', (name) => {
  let port = 0;
  let cert: Buffer;

  beforeAll(async () => {
    if (missing[name] || !runs('openssl', 'version')) return;
    const folder = temporaryFolder();
    execFileSync(
      'openssl',
      [
        ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', `/CN=${HOST}`],
        ...['-keyout', 'key.pem', '-out', 'cert.pem', '-addext', `subjectAltName=DNS:${HOST}`],
      ],
      { cwd: folder, stdio: 'ignore' },
    );
    cert = readFileSync(join(folder, 'cert.pem'));
    const { server } = untilEnd(await startEmpty({ publicUrl: `https://${HOST}` }));
    port = await freePort();
    const command = proxies[name]({ port, server: server.port, folder });
    if (!command) return;
    const env = { ...process.env, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
    const proxy = spawn(command[0]!, command.slice(1), { env, stdio: 'ignore' });
    untilEnd({ close: () => void proxy.kill() });
    await vi.waitUntil(() => reachable(port), { timeout: 30_000 });
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

  it.skipIf(missing[name] || !runs('openssl', 'version'))(
    'signs in with a secure cookie, saves, and receives messages',
    async () => {
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
        {
          Cookie: cookie,
          'X-Requested-With': 'XMLHttpRequest',
          'Content-Type': 'application/json',
        },
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
        (
          await call('GET', '/api/security/ticket', {
            Cookie: cookie,
            Origin: 'https://evil.example',
          })
        ).status,
      ).toBe(403);
      const { status, text } = await call('GET', '/', { Host: 'evil.example' });
      // Caddy answers for hosts that it does not know with an empty page.
      expect(name === 'caddy' ? text : status).toBe(name === 'caddy' ? '' : 403);
    },
  );
});
