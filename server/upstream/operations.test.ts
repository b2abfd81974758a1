/** Server options, sign-in and operations, in front of a Zeppelin as without one. */
import { describe, expect, it } from 'vitest';
import { json } from '../../test/support/fake-zeppelin.ts';
import { useGateway } from '../../test/support/gateway.ts';
import { CLIENT, startProvider, Walker } from '../../test/support/oidc.ts';
import { audited, auditOf, login, openSocket, request, sendLogin } from '../../test/support/raw.ts';
import { startMailServer } from '../../test/support/smtp.ts';
import { untilEnd } from '../../test/support/until-end.ts';
import { Users } from '../auth/users.ts';
import { createServer } from '../index.ts';

const gateway = useGateway();
const JSON_TYPE = { 'Content-Type': 'application/json' };

describe('behind a TLS-terminating proxy', () => {
  it('the cookie is bound to this host, and redirects use https', async () => {
    await gateway.start({ publicUrl: 'https://notes.example.org' });
    const signedIn = await sendLogin(gateway.url, 'alice', 'alice-pass', {
      Host: 'notes.example.org',
      Origin: 'https://notes.example.org',
    });
    expect(signedIn.status, signedIn.text).toBe(200);
    expect(signedIn.headers['set-cookie']![0]).toMatch(
      /^__Host-tiding-\d+=[\w-]+;.*HttpOnly; Secure; SameSite=Lax/,
    );
    expect(signedIn.headers['strict-transport-security']).toBe('max-age=31536000');
    const cookie = signedIn.headers['set-cookie']![0]!.split(';')[0]!;
    expect(
      (await request(gateway.url, 'GET', '/api/security/ticket', { headers: { Cookie: cookie } }))
        .status,
    ).toBe(200);
    // A page of the same host that was loaded without TLS is foreign.
    expect(
      await request(gateway.url, 'GET', '/api/version', {
        headers: { Host: 'notes.example.org', Origin: 'http://notes.example.org' },
      }),
    ).toMatchObject({ status: 403 });
  });

  it('only a trusted proxy can set scheme and caller address', async () => {
    await gateway.start({ trustProxy: true });
    const signedIn = await sendLogin(gateway.url, 'alice', 'alice-pass', {
      'X-Forwarded-Proto': 'https',
      'X-Forwarded-For': '203.0.113.9, 198.51.100.7',
    });
    expect(signedIn.headers['set-cookie']![0]).toContain('Secure');
    const address = '198.51.100.7';
    await audited(gateway.data, { event: 'sign-in', principal: 'alice', address });
    await expect(
      openSocket(gateway.url, { headers: { Origin: gateway.url, 'X-Forwarded-Proto': 'https' } }),
    ).rejects.toThrow('403');
  });

  it('forwarded headers are ignored unless the proxy is trusted', async () => {
    await gateway.start();
    const signedIn = await sendLogin(gateway.url, 'alice', 'alice-pass', {
      'X-Forwarded-Proto': 'https',
      'X-Forwarded-For': '198.51.100.7',
    });
    expect(signedIn.headers['set-cookie']![0]).not.toContain('Secure');
    expect(signedIn.headers['strict-transport-security']).toBeUndefined();
    await audited(gateway.data, { event: 'sign-in', address: '127.0.0.1' });
  });
});

it('accepts its own host names and the configured ones', async () => {
  await gateway.start({ allowHosts: ['wiki.example.org'] });
  const as = async (host: string) =>
    (await request(gateway.url, 'GET', '/api/version', { headers: { Host: host } })).status;
  expect([await as('wiki.example.org'), await as('evil.example'), await as('localhost')]).toEqual([
    200, 403, 200,
  ]);
  await expect(openSocket(gateway.url, { headers: { Host: 'evil.example' } })).rejects.toThrow(
    '403',
  );
});

it('limits the number of messages per socket', async () => {
  await gateway.start();
  const alice = await login(gateway.url, 'alice', 'alice-pass');
  const socket = await openSocket(gateway.url, { identity: alice.identity });
  for (let n = 0; n < 5_000; n += 1) socket.send({ op: 'PING' });
  expect(await socket.closed).toEqual({ code: 1008, reason: 'too many messages' });
});

describe('single sign-on', () => {
  const sso = async () => {
    const provider = untilEnd(await startProvider(() => gateway.url));
    provider.accounts.set('ann', { email: 'ann@acme.org', email_verified: true, groups: [] });
    await gateway.start({
      logLevel: 'silent',
      oidc: { issuer: provider.issuer, clientId: CLIENT.id, clientSecret: CLIENT.secret } as never,
    });
    return new Walker();
  };

  it('admits local users if the Zeppelin has no accounts', async () => {
    gateway.zeppelin.accounts = false;
    const browser = await sso();
    expect(await browser.walk(`${gateway.url}/api/login/sso?ref=/x`)).toBe(`${gateway.url}/#/x`);
    expect((await browser.get(`${gateway.url}/api/security/ticket`)).json).toMatchObject({
      body: { principal: 'anonymous', ticket: expect.stringMatching(/^[\w-]{43}$/) as unknown },
    });
  });

  it('is not offered if users sign in at the Zeppelin', async () => {
    const browser = await sso();
    expect(await browser.walk(`${gateway.url}/api/login/sso?ref=/x`)).toBe(
      `${gateway.url}/#/sso/error`,
    );
    expect(await browser.walk(`${gateway.url}/api/login/sso/callback?code=x&state=y`)).toBe(
      `${gateway.url}/#/sso/error`,
    );
    expect((await request(gateway.url, 'GET', '/api/login')).status).toBe(404);
    expect((await request(gateway.url, 'GET', '/api/magpie/config')).json).toMatchObject({
      loginMode: 'Password',
    });
  });
});

describe('forgotten password', () => {
  it('sends an e-mail with a link to the public URL that works once', async () => {
    gateway.zeppelin.accounts = false;
    const mail = untilEnd(await startMailServer());
    await gateway.start({
      publicUrl: 'https://notes.example.org',
      smtpUrl: mail.url,
      mailFrom: 'Notes <notes@example.org>',
    });
    await new Users(gateway.data).set('ann@example.org', { password: 'the one before this' });
    expect(
      await request(gateway.url, 'POST', '/api/magpie/password-reset', {
        headers: JSON_TYPE,
        body: '{"username":"ann@example.org"}',
      }),
    ).toMatchObject({ status: 202 });
    await expect.poll(() => mail.letters.length).toBe(1);
    expect(mail.letters[0]).toMatchObject({ from: 'notes@example.org', to: ['ann@example.org'] });
    const [, token] = /https:\/\/notes\.example\.org\/#\/password-reset\/(tdr_[\w-]+)/.exec(
      mail.letters[0]!.text,
    )!;
    const set = () =>
      request(gateway.url, 'PUT', `/api/magpie/password-reset/${token}`, {
        headers: JSON_TYPE,
        body: '{"newPassword":"a heron on the lake"}',
      });
    expect((await set()).status).toBe(200);
    expect((await set()).status).toBe(410);
    expect(
      (await login(gateway.url, 'ann@example.org', 'a heron on the lake')).identity.principal,
    ).toBe('anonymous');
  });

  it('is limited to twenty requests per address, as reported by a trusted proxy', async () => {
    gateway.zeppelin.accounts = false;
    await gateway.start({ trustProxy: true });
    const ask = async (address: string, n: number) =>
      (
        await request(gateway.url, 'POST', '/api/magpie/password-reset', {
          headers: { ...JSON_TYPE, 'X-Forwarded-For': address },
          body: `{"username":"u${n}"}`,
        })
      ).status;
    const statuses = await Promise.all(Array.from({ length: 21 }, (_, n) => ask('203.0.113.1', n)));
    expect(statuses.filter((status) => status === 202)).toHaveLength(20);
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
    expect(await ask('203.0.113.2', 99)).toBe(202);
  });

  it('rejects invalid mail settings at startup', async () => {
    await expect(
      createServer({
        port: 0,
        upstream: gateway.zeppelin.url,
        data: '/tmp/tiding-never-made',
        smtpUrl: 'gopher://x',
        mailFrom: 'a@b.c',
      }),
    ).rejects.toThrow('TIDING_SMTP_URL');
  });
});

describe('operations', () => {
  it('the audit log records sign-ins, runs, changes and rejections, without secrets', async () => {
    await gateway.start();
    const { zeppelin } = gateway;
    await sendLogin(gateway.url, 'alice', 'not-her-password');
    const alice = await login(gateway.url, 'alice', 'alice-pass');
    for (const what of [
      'DELETE /notebook/2A',
      'POST /notebook/job/2A/p1',
      'PUT /notebook/2A/permissions',
    ])
      zeppelin.replies[what] = (_, response) => json(response, 200, { status: 'OK' });
    zeppelin.replies['DELETE /notebook/2B'] = (_, response) =>
      json(response, 403, { status: 'FORBIDDEN', message: 'Insufficient privileges' });
    for (const [method, path] of [
      ['DELETE', '/notebook/2A'],
      ['POST', '/notebook/job/2A/p1'],
      ['PUT', '/notebook/2A/permissions'],
      ['DELETE', '/notebook/2B'],
    ] as const)
      await gateway.call(alice, method, path, {});
    const socket = await openSocket(gateway.url, { identity: alice.identity });
    zeppelin.onSocket = (there) =>
      there.on(
        'message',
        (data) =>
          String(data).includes('RUN_PARAGRAPH') &&
          there.send('{"op":"AUTH_INFO","data":{"info":"no"}}'),
      );
    socket.send({
      op: 'RUN_PARAGRAPH',
      data: {
        id: 'p1',
        paragraph: '%sh\necho of nobody else',
        title: '',
        config: {},
        params: { key: 'value-of-a-form' },
      },
    });
    await socket.next('AUTH_INFO');
    await gateway.call(alice, 'POST', '/login/logout');
    const common = { principal: 'alice', address: expect.stringContaining('127.0.0.1') as unknown };
    await expect.poll(async () => (await auditOf(gateway.data)).at(-1)?.['event']).toBe('sign-out');
    const all = await auditOf(gateway.data);
    for (const wanted of [
      { event: 'sign-in-failed', principal: 'unknown', outcome: '403' },
      { ...common, event: 'sign-in', outcome: 'ok' },
      { ...common, event: 'note-deleted', note: '2A', outcome: 'ok' },
      {
        ...common,
        event: 'run',
        note: '2A',
        paragraph: 'p1',
        command: 'startParagraph',
        outcome: 'sent',
      },
      { ...common, event: 'permissions-changed', note: '2A', outcome: 'ok' },
      { ...common, event: 'note-deleted-failed', note: '2B', outcome: '403' },
      {
        ...common,
        event: 'run',
        command: 'RUN_PARAGRAPH',
        paragraph: 'p1',
        outcome: 'sent',
        code: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown,
      },
      { ...common, event: 'refused', outcome: '403' },
    ])
      expect(all).toContainEqual(expect.objectContaining(wanted));
    expect(JSON.stringify(all)).not.toMatch(
      /not-her-password|alice-pass|nobody else|value-of-a-form/,
    );
  });

  it('metrics are available to this machine or with an administrator token', async () => {
    gateway.zeppelin.accounts = false;
    await gateway.start();
    const admin = await gateway.admin();
    gateway.zeppelin.replies['GET /notebook'] = (_, response) =>
      json(response, 200, { status: 'OK', body: [] });
    await gateway.call(admin, 'GET', '/notebook');
    const socket = await openSocket(gateway.url, { identity: admin.identity });
    socket.send({ op: 'LIST_NOTES' });
    await expect
      .poll(() => gateway.zeppelin.frames.some(({ op }) => op === 'LIST_NOTES'))
      .toBe(true);
    const { text } = await request(gateway.url, 'GET', '/metrics');
    for (const line of [
      'tiding_upstream_up 1',
      'tiding_sockets 1',
      'tiding_rest_requests_total{route="listNotes",status="200"} 1',
      'tiding_messages_total{op="LIST_NOTES"} 1',
    ])
      expect(text).toContain(line);
    expect(text).not.toContain('tiding_interpreters');
    const far = (headers = {}) =>
      request(gateway.url, 'GET', '/metrics', {
        headers: { 'X-Forwarded-For': '203.0.113.1', ...headers },
      });
    expect((await far()).status).toBe(401);
    const { token } = (await gateway.call(admin, 'POST', '/magpie/access-token', {})).json as {
      token: string;
    };
    expect((await far({ Authorization: `Bearer ${token}` })).status).toBe(200);
    await gateway.zeppelin.stop();
    await gateway.call(admin, 'GET', '/notebook');
    expect((await request(gateway.url, 'GET', '/metrics')).text).toContain('tiding_upstream_up 0');
  });

  it('/healthz reports whether Zeppelin responds, not just whether it can be reached', async () => {
    await gateway.start({ upstreamTimeoutMs: 1_000 });
    expect((await request(gateway.url, 'GET', '/healthz')).json).toEqual({
      status: 'ok',
      disk: 'ok',
      upstream: 'ok',
    });
    gateway.zeppelin.replies['GET /version'] = () => {};
    const mute = await request(gateway.url, 'GET', '/healthz');
    expect([mute.status, mute.json]).toEqual([
      503,
      {
        status: 'degraded',
        disk: 'ok',
        upstream: expect.stringMatching(
          /^it cannot be reached \((it does not answer|.*in time)/,
        ) as unknown,
      },
    ]);
    await gateway.restart();
    await expect.poll(async () => (await request(gateway.url, 'GET', '/healthz')).status).toBe(200);
    await gateway.zeppelin.stop();
    expect((await request(gateway.url, 'GET', '/healthz')).json).toMatchObject({
      status: 'degraded',
      upstream: 'it cannot be reached (ECONNREFUSED)',
    });
  });
});

describe('shutdown', () => {
  it('answers pending calls and forwards received messages', async () => {
    const server = await gateway.start();
    const alice = await login(gateway.url, 'alice', 'alice-pass');
    const socket = await openSocket(gateway.url, { identity: alice.identity });
    socket.send({ op: 'LIST_NOTES' });
    await expect
      .poll(() => gateway.zeppelin.frames.some(({ op }) => op === 'LIST_NOTES'))
      .toBe(true);
    let proceed = () => {};
    gateway.zeppelin.replies['GET /notebook/2A'] = (_, response) => {
      proceed = () => json(response, 200, { status: 'OK', body: { id: '2A' } });
    };
    const answer = gateway.call(alice, 'GET', '/notebook/2A');
    await expect.poll(() => gateway.asked('GET /notebook/2A').length).toBe(1);
    for (let n = 0; n < 50; n += 1)
      socket.send({ op: 'COMMIT_PARAGRAPH', data: { id: 'p', paragraph: String(n) } });
    // The server has them once it answers a later call.
    await new Promise<void>((resolve) => {
      socket.socket.once('pong', () => resolve());
      socket.socket.ping();
    });
    const closing = server.close();
    proceed();
    expect((await answer).json).toEqual({ status: 'OK', body: { id: '2A' } });
    expect(await socket.closed).toEqual({ code: 1001, reason: 'the server is shutting down' });
    await closing;
    expect(gateway.zeppelin.frames.filter(({ op }) => op === 'COMMIT_PARAGRAPH')).toHaveLength(50);
    await expect(request(gateway.url, 'GET', '/healthz')).rejects.toThrow('ECONNREFUSED');
    expect((await auditOf(gateway.data)).some(({ event }) => event === 'sign-in')).toBe(true);
  });
});
