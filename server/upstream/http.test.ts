/**
 * Behaviour that a real Zeppelin does not show: odd headers, hanging responses, huge bodies, slow
 * readers. Sockets are tested in `live.test.ts`.
 */
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { describe, expect, it } from 'vitest';
import { json } from '../../test/support/fake-zeppelin.ts';
import { useGateway } from '../../test/support/gateway.ts';
import {
  asPage,
  type Login,
  login,
  openSocket,
  request,
  sendLogin,
} from '../../test/support/raw.ts';
import { createServer } from '../index.ts';

const gateway = useGateway();
const { start, call, asked } = gateway;

describe('call', () => {
  it("forwards Zeppelin's cookie, but not Tiding's, connection headers or the origin", async () => {
    await start();
    const alice = await login(gateway.url, 'alice', 'alice-pass');
    gateway.zeppelin.replies['GET /notebook'] = (_, response) =>
      json(
        response,
        200,
        { status: 'OK', body: [] },
        {
          'Set-Cookie': 'JSESSIONID=another',
          Location: 'http://inside/',
          Server: 'inside',
          'Keep-Alive': 'timeout=99',
          'Proxy-Authenticate': 'Basic',
          Trailer: 'X',
          'X-Inside': 'yes',
          'Access-Control-Allow-Origin': '*',
          ETag: '"1"',
          'Content-Type': 'application/json;charset=utf-8',
          'WWW-Authenticate': 'Basic',
        },
      );
    const answer = await call(alice, 'GET', '/notebook', undefined, {
      Origin: gateway.url,
      Referer: `${gateway.url}/x`,
      TE: 'trailers',
      'X-Forwarded-For': '1.2.3.4',
      'Proxy-Authorization': 'Basic x',
      'If-None-Match': '"0"',
      'Upgrade-Insecure-Requests': '1',
    });
    expect(answer.status).toBe(200);
    const there = asked('GET /notebook')[0]!.headers;
    expect(Object.keys(there).sort()).toEqual(
      'accept connection content-type cookie host if-none-match x-requested-with'.split(' '),
    );
    expect(there.cookie).toBe(
      `JSESSIONID=${gateway.zeppelin.secrets.find((secret) => there.cookie!.includes(secret))}`,
    );
    expect(there.accept).toBe('application/json');
    expect(there.host).toBe(new URL(gateway.zeppelin.url).host);
    for (const gone of (
      'set-cookie location server proxy-authenticate trailer x-inside ' +
      'access-control-allow-origin www-authenticate'
    ).split(' '))
      expect(answer.headers[gone]).toBeUndefined();
    expect(answer.headers['keep-alive']).not.toBe('timeout=99');
    expect(answer.headers).toMatchObject({
      etag: '"1"',
      'content-type': 'application/json;charset=utf-8',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
    expect(answer.headers['content-security-policy']).toContain('sandbox');
  });

  it("never exposes Zeppelin's ticket and cookie, also if a response has them [S62]", async () => {
    await start();
    const alice = await login(gateway.url, 'alice', 'alice-pass');
    gateway.zeppelin.replies['GET /notebook/2A'] = (_, response) =>
      json(response, 200, { status: 'OK', body: { said: gateway.zeppelin.secrets } });
    const { text, headers } = await call(alice, 'GET', '/notebook/2A');
    expect(text).toContain('said');
    // Those of this session, not of everybody who asked before signing in.
    for (const secret of gateway.zeppelin.secrets.slice(-2)) expect(text).not.toContain(secret);
    expect(Buffer.byteLength(text)).toBe(
      Number(headers['content-length'] ?? Buffer.byteLength(text)),
    );
  });

  it("can't reach the ticket by another spelling of the path", async () => {
    await start();
    const alice = await login(gateway.url, 'alice', 'alice-pass');
    const before = asked('GET /security/ticket').length;
    for (const path of (
      '/notebook/..%2Fsecurity%2Fticket /notebook/%2e%2e%2fsecurity%2fticket ' +
      '/notebook/..;%2Fsecurity //security/ticket /security/ticket/ ' +
      '/security/ticket;x /./security/ticket /notebook/../security/ticket'
    ).split(' ')) {
      const { text } = await call(alice, 'GET', path);
      for (const secret of gateway.zeppelin.secrets) expect(text, path).not.toContain(secret);
    }
    expect(gateway.zeppelin.asked.filter(({ call: each }) => /%2e|\.\.|;/i.test(each))).toEqual([]);
    expect(asked('GET /security/ticket').length).toBeLessThanOrEqual(before + 8);
  });

  it('is rejected without session, from a foreign page, and if too large', async () => {
    await start({ maxBodyBytes: 1_000, maxImportBytes: 100_000 });
    const alice = await login(gateway.url, 'alice', 'alice-pass');
    const before = gateway.zeppelin.asked.length;
    expect((await request(gateway.url, 'GET', '/api/notebook')).status).toBe(401);
    expect(
      await request(gateway.url, 'GET', '/api/notebook', {
        headers: { Cookie: `JSESSIONID=${gateway.zeppelin.secrets.at(-2)}` },
      }),
    ).toMatchObject({ status: 401 });
    expect(
      (await call(alice, 'GET', '/notebook', undefined, { Origin: 'https://evil.example' })).status,
    ).toBe(403);
    expect(
      (await call(alice, 'GET', '/notebook', undefined, { Host: 'evil.example' })).status,
    ).toBe(403);
    expect(
      await request(gateway.url, 'POST', '/api/notebook', {
        headers: { Cookie: alice.cookie, Origin: 'null', 'Content-Type': 'application/json' },
        body: '{}',
      }),
    ).toMatchObject({ status: 403 });
    expect(
      (await call(alice, 'POST', '/notebook', '{}', { 'Sec-Fetch-Site': 'cross-site' })).status,
    ).toBe(403);
    expect((await call(alice, 'POST', '/notebook/import', 'x'.repeat(100_001))).status).toBe(413);
    expect((await call(alice, 'GET', '/nothing/of/the/kind')).status).toBe(404);
    expect((await call(alice, 'GET', '/magpie/revision-control')).json).toMatchObject({
      status: 'NOT_FOUND',
      message: expect.stringContaining('works only on notes') as unknown,
    });
    expect((await call(alice, 'GET', '/magpie/access-token')).json).toMatchObject({
      message: expect.stringContaining('Access tokens are not available') as unknown,
    });
    expect(
      (
        await request(gateway.url, 'GET', '/api/notebook', {
          headers: { Authorization: 'Bearer tdg_x' },
        })
      ).json,
    ).toMatchObject({
      status: 'UNAUTHORIZED',
      message: expect.stringContaining('Access tokens are not available') as unknown,
    });
    expect(gateway.zeppelin.asked.length).toBe(before);
  });

  it('forwards body and query byte for byte, and streams a large response', async () => {
    await start();
    const alice = await login(gateway.url, 'alice', 'alice-pass');
    const body = Buffer.from(
      JSON.stringify({
        name: 'ä\u2028',
        big: 12345678901234567890n.toString(),
        text: 'x'.repeat(3_000_000),
      }),
    );
    gateway.zeppelin.replies['POST /notebook/import?notePath=a%2Fb'] = (_, response) =>
      json(response, 200, { status: 'OK', body: 'id' });
    expect((await call(alice, 'POST', '/notebook/import?notePath=a%2Fb', body)).json).toEqual({
      status: 'OK',
      body: 'id',
    });
    expect(asked('POST /notebook/import?notePath=a%2Fb')[0]!.body.equals(body)).toBe(true);

    let proceed = () => {};
    gateway.zeppelin.replies['GET /notebook/2B'] = (_, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.write('"first'.padEnd(100_000));
      proceed = () => response.end('last"');
    };
    const reading = httpRequest(`${gateway.url}/api/notebook/2B`, { headers: asPage(alice) }).end();
    const [response] = (await once(reading, 'response')) as [import('node:http').IncomingMessage];
    let text = '';
    response.on('data', (chunk: Buffer) => (text += String(chunk)));
    await expect.poll(() => text.length).toBeGreaterThan(90_000);
    expect(text).not.toContain('last');
    proceed();
    await once(response, 'end');
    expect(text.endsWith('last"')).toBe(true);
  });

  it('reads from Zeppelin no faster than the client reads', async () => {
    await start();
    const alice = await login(gateway.url, 'alice', 'alice-pass');
    let written = 0;
    gateway.zeppelin.replies['GET /notebook/2C'] = (_, response) => {
      response.writeHead(200, { 'Content-Type': 'application/octet-stream' });
      const piece = Buffer.alloc(2 ** 20, 'x');
      const more = () => {
        while (written < 300) {
          written += 1;
          if (!response.write(piece)) return void response.once('drain', more);
        }
        response.end();
      };
      more();
    };
    const reading = httpRequest(`${gateway.url}/api/notebook/2C`, { headers: asPage(alice) }).end();
    const [response] = (await once(reading, 'response')) as [import('node:http').IncomingMessage];
    response.pause();
    let before = -1;
    await expect
      .poll(
        () => {
          const still = written === before;
          before = written;
          return still;
        },
        { interval: 300 },
      )
      .toBe(true);
    expect(written).toBeLessThan(100);
    let size = 0;
    for await (const chunk of response) size += (chunk as Buffer).length;
    expect(size).toBe(300 * 2 ** 20);
  });

  it('times out if Zeppelin hangs, and is cancelled there if the caller disconnects', async () => {
    await start({ upstreamTimeoutMs: 500 });
    const alice = await login(gateway.url, 'alice', 'alice-pass');
    gateway.zeppelin.replies['GET /notebook/2D'] = () => {};
    expect((await call(alice, 'GET', '/notebook/2D')).json).toMatchObject({
      status: 'GATEWAY_TIMEOUT',
      message: expect.stringContaining('in time') as unknown,
    });
    await asked('GET /notebook/2D')[0]!.aborted;
    // A call that waits for a run may take longer.
    gateway.zeppelin.replies['POST /notebook/run/2D/p'] = (_, response) =>
      void setTimeout(
        () => json(response, 200, { status: 'OK', body: { code: 'SUCCESS' } }),
        1_000,
      );
    expect((await call(alice, 'POST', '/notebook/run/2D/p', {})).json).toMatchObject({
      body: { code: 'SUCCESS' },
    });
    gateway.zeppelin.replies['POST /notebook/run/2D/q'] = () => {};
    const going = httpRequest(`${gateway.url}/api/notebook/run/2D/q`, {
      method: 'POST',
      headers: asPage(alice),
    });
    going.on('error', () => {});
    going.end('{}');
    await expect.poll(() => asked('POST /notebook/run/2D/q').length).toBe(1);
    going.destroy();
    await asked('POST /notebook/run/2D/q')[0]!.aborted;
  });

  it("is aborted if Zeppelin's response is", async () => {
    await start();
    const alice = await login(gateway.url, 'alice', 'alice-pass');
    gateway.zeppelin.replies['GET /notebook/2E'] = (_, response) => {
      response.writeHead(200, { 'Content-Length': '1000' });
      response.write('half');
      setTimeout(() => response.destroy(), 50);
    };
    await expect(call(alice, 'GET', '/notebook/2E')).rejects.toThrow();
    expect((await call(alice, 'GET', '/version')).status).toBe(200);
  });

  it('treats 405 as an unknown call in a valid session, otherwise as its end', async () => {
    await start();
    const alice = await login(gateway.url, 'alice', 'alice-pass');
    gateway.zeppelin.replies['GET /notebook/2F'] = (_, response) =>
      json(response, 405, { status: 'METHOD_NOT_ALLOWED' });
    expect((await call(alice, 'GET', '/notebook/2F')).status).toBe(404);
    gateway.zeppelin.replies['GET /notebook/2G'] = (_, response) =>
      void response.writeHead(301, { Location: 'http://elsewhere/' }).end();
    expect((await call(alice, 'GET', '/notebook/2G')).status).toBe(502);
    gateway.zeppelin.forget();
    const answer = await call(alice, 'GET', '/notebook/2F');
    expect([answer.status, answer.headers['set-cookie']?.[0]]).toEqual([
      401,
      expect.stringContaining('Max-Age=0'),
    ]);
    expect((await call(alice, 'GET', '/notebook/2G')).status).toBe(401);
  });

  it('ends the session if Zeppelin asks for a sign-in', async () => {
    await start();
    const alice = await login(gateway.url, 'alice', 'alice-pass');
    gateway.zeppelin.forget();
    expect((await call(alice, 'GET', '/notebook')).status).toBe(401);
    gateway.zeppelin.replies['GET /notebook'] = (_, response) => json(response, 200, {});
    expect((await call(alice, 'GET', '/notebook')).status).toBe(401);
  });

  it('returns 502 while Zeppelin is down, and works again afterwards', async () => {
    await start();
    const alice = await login(gateway.url, 'alice', 'alice-pass');
    await gateway.zeppelin.stop();
    expect((await call(alice, 'GET', '/notebook')).json).toMatchObject({
      status: 'BAD_GATEWAY',
      message: expect.stringContaining('ECONNREFUSED') as unknown,
    });
    expect((await request(gateway.url, 'GET', '/api/version')).status).toBe(502);
    expect((await request(gateway.url, 'GET', '/healthz')).status).toBe(503);
    expect((await request(gateway.url, 'GET', '/')).status).not.toBe(502);
    await expect(openSocket(gateway.url)).rejects.toThrow('502');
    await gateway.restart();
    await expect.poll(async () => (await request(gateway.url, 'GET', '/healthz')).status).toBe(200);
    expect((await request(gateway.url, 'GET', '/api/version')).json).toMatchObject({
      body: { version: '0.10.0', gateway: { version: expect.any(String) as unknown } },
    });
    await login(gateway.url, 'alice', 'alice-pass');
  });

  it('starts without a running Zeppelin and says so', async () => {
    await gateway.zeppelin.stop();
    const server = await start();
    expect(server.notice).toMatch(
      /cannot be used yet \(.*ECONNREFUSED.*\)\. The server keeps trying/,
    );
    expect((await sendLogin(gateway.url)).status).toBe(502);
    await expect(
      createServer({
        port: 0,
        host: '0.0.0.0',
        upstream: gateway.zeppelin.url,
        data: `${gateway.data}-other`,
      }),
    ).rejects.toThrow('without a password');
  });
});

describe('signing in', () => {
  it("sets Zeppelin's cookie for programs, which pages can't use", async () => {
    await start();
    const { headers } = await sendLogin(gateway.url, 'alice', 'alice-pass');
    const [own, program] = headers['set-cookie']!;
    const value = /^JSESSIONID=([\w-]{43});.*HttpOnly; SameSite=Lax/.exec(program!)![1]!;
    expect(own).toContain(`=${value};`);
    expect(gateway.zeppelin.secrets).not.toContain(value);
    gateway.zeppelin.replies['GET /notebook'] = (_, response) =>
      json(response, 200, { status: 'OK', body: [] });
    const list = (more: Record<string, string> = {}) =>
      request(gateway.url, 'GET', '/api/notebook', {
        headers: { Cookie: `JSESSIONID=${value}`, ...more },
      });
    expect((await list()).status).toBe(200);
    expect(asked('GET /notebook')[0]!.headers.cookie).not.toContain(value);
    expect((await list({ 'Sec-Fetch-Site': 'same-origin' })).status).toBe(401);
    expect((await list({ Origin: gateway.url })).status).toBe(401);
  });

  it('is blocked for a while after ten failures', async () => {
    await start();
    const attempt = async (password: string) =>
      (await sendLogin(gateway.url, 'alice', password)).status;
    expect(await Promise.all(Array.from({ length: 11 }, () => attempt('wrong')))).toEqual([
      ...Array<number>(10).fill(403),
      429,
    ]);
    expect(await attempt('alice-pass')).toBe(429);
    expect(asked('POST /login').length).toBe(10);
  });

  it('sends plain text with a content type that newer Zeppelins accept', async () => {
    await start();
    const alice = await login(gateway.url, 'alice', 'alice-pass');
    gateway.zeppelin.replies['POST /helium/enable/p'] = (_, response) =>
      json(response, 200, { status: 'OK' });
    const sent = await call(alice, 'POST', '/helium/enable/p', 'p@1.0.0', {
      'Content-Type': 'text/plain',
    });
    expect(sent.status).toBe(200);
    expect(
      asked('POST /helium/enable/p').map(({ headers, body }) => [
        headers['content-type'],
        body.toString(),
      ]),
    ).toEqual([['application/json', 'p@1.0.0']]);
  });

  it('uses local users (link, password, token) if Zeppelin has no accounts', async () => {
    gateway.zeppelin.accounts = false;
    const server = await start();
    expect(server.hasPassword).toBe(false);
    const token = /login=([\w-]+)$/.exec(server.loginLink())![1];
    const once = await request(gateway.url, 'POST', '/api/login/once', {
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ token }),
    });
    const { body } = once.json as { body: Login['identity'] };
    expect(body.principal).toBe('anonymous');
    expect(body.ticket).not.toBe('anonymous');
    const admin: Login = { cookie: once.headers['set-cookie']![0]!.split(';')[0]!, identity: body };
    gateway.zeppelin.replies['GET /notebook'] = (_, response) =>
      json(response, 200, { status: 'OK', body: [] });
    expect((await request(gateway.url, 'GET', '/api/notebook')).status).toBe(401);
    expect((await call(admin, 'GET', '/notebook')).status).toBe(200);
    expect(asked('GET /notebook')[0]!.headers.cookie).toBeUndefined();
    expect((await call(admin, 'GET', '/security/ticket')).json).toMatchObject({
      body: { principal: 'anonymous', ticket: body.ticket },
    });
    const made = (await call(admin, 'POST', '/magpie/access-token', {})).json as { token: string };
    expect(
      await request(gateway.url, 'GET', '/api/notebook', {
        headers: { Authorization: `Bearer ${made.token}` },
      }),
    ).toMatchObject({ status: 200 });
    expect((await call(admin, 'POST', '/login/logout')).status).toBe(401);
    expect((await call(admin, 'GET', '/notebook')).status).toBe(401);
  });

  it('ends the previous session, also at Zeppelin', async () => {
    await start();
    const first = await login(gateway.url, 'alice', 'alice-pass');
    const form = 'application/x-www-form-urlencoded';
    const headers = { ...asPage(first), 'Content-Type': form };
    const second = await sendLogin(gateway.url, 'bob', 'bob-pass', headers);
    expect(second.status).toBe(200);
    expect((await call(first, 'GET', '/security/ticket')).status).toBe(401);
    expect(asked('POST /login/logout').length).toBe(1);
  });
});
