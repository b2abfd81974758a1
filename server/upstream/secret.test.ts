/**
 * Zeppelin's ticket and cookie stay on the server: they never appear in what a browser, log or
 * metrics reader sees, whatever Zeppelin sends.
 */

import fs from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { json } from '../../test/support/fake-zeppelin.ts';
import { useGateway } from '../../test/support/gateway.ts';
import {
  type Answer,
  asPage,
  login,
  openSocket,
  request,
  sendLogin,
} from '../../test/support/raw.ts';

const gateway = useGateway();
afterEach(() => void vi.restoreAllMocks());

it('is in no frame, header, body, log line or metric', async () => {
  const logged: string[] = [];
  const write = fs.writeSync.bind(fs);
  vi.spyOn(fs, 'writeSync').mockImplementation(((fd: number, text: string, ...rest: never[]) => {
    if (fd !== 2) return (write as (...all: unknown[]) => number)(fd, text, ...rest);
    logged.push(String(text));
    return Buffer.byteLength(text);
  }) as typeof fs.writeSync);
  await gateway.start({ logLevel: 'trace', upstreamTimeoutMs: 2_000 });
  const { zeppelin } = gateway;
  const seen: string[] = [];
  const take = (answer: Answer) => {
    seen.push(`${answer.status} ${JSON.stringify(answer.headers)} ${answer.text}`);
    return answer;
  };
  const alice = await login(gateway.url, 'alice', 'alice-pass');
  // The secrets issued at sign-in.
  const hers = zeppelin.secrets.slice(-2);
  const bob = await login(gateway.url, 'bob', 'bob-pass');
  const all = hers.join(' ');
  const { replies } = zeppelin;
  const note = {
    id: 'n1',
    name: all,
    paragraphs: [
      {
        id: 'p1',
        title: all,
        text: all,
        status: 'FINISHED',
        results: { code: 'SUCCESS', msg: [{ type: 'TABLE', data: `a\n${all}` }] },
      },
    ],
    config: {},
    info: {},
  };
  replies['GET /notebook/n1'] = (_, response) =>
    json(
      response,
      200,
      { status: 'OK', body: note },
      {
        ETag: `"${hers[0]}"`,
        'Content-Disposition': `inline; filename="${hers[1]}"`,
        'X-Ticket': all,
        'Set-Cookie': `JSESSIONID=${hers[0]}`,
      },
    );
  replies['GET /notebook/n1/paragraph/p1'] = (_, response) =>
    json(response, 200, { status: 'OK', body: note.paragraphs[0] });
  replies['GET /notebook/n1/permissions'] = (_, response) =>
    json(response, 200, {
      status: 'OK',
      body: { owners: ['alice'], writers: [], readers: [], runners: [] },
    });
  replies['GET /notebook/n2'] = (_, response) =>
    json(response, 403, { status: 'FORBIDDEN', message: all });
  replies['GET /notebook/n3'] = (_, response) =>
    json(response, 500, { status: 'INTERNAL_SERVER_ERROR', message: all });
  replies['GET /notebook/n4'] = (_, response) =>
    void response.writeHead(302, { Location: `http://elsewhere/;JSESSIONID=${hers[0]}` }).end();
  replies['GET /notebook/n5'] = (_, response) =>
    json(response, 200, { status: 'OK', body: all }, { 'Content-Encoding': 'deflate' });
  replies['GET /notebook/n6'] = (_, response) =>
    void response.writeHead(500, { 'Content-Type': 'text/html' }).end(`<p>${all}</p>`);
  // Chunks that split a secret in two.
  replies['GET /notebook/n7'] = (_, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.write(`{"said":"${hers[1]!.slice(0, 20)}`);
    setTimeout(() => response.end(`${hers[1]!.slice(20)}"}`), 50);
  };
  zeppelin.onSocket = (there) =>
    there.on('message', (data) => {
      const { op } = JSON.parse(String(data)) as { op: string };
      if (op === 'LIST_REVISION_HISTORY')
        return there.send(JSON.stringify({ op: 'ERROR_INFO', data: { info: all } }));
      if (op !== 'LIST_NOTES') return undefined;
      there.send(
        JSON.stringify({
          op: 'NOTE',
          data: { note },
          principal: 'alice',
          ticket: hers[1],
          roles: all,
        }),
      );
      there.send(JSON.stringify({ op: 'AUTH_INFO', data: { info: all } }));
      there.send(`not json ${all}`);
      there.send(Buffer.from(all));
      there.send(
        JSON.stringify({
          op: 'PARAGRAPH',
          data: { paragraph: { id: 'p1', text: `${'x'.repeat(70_000)} ${all}` } },
        }),
      );
      return there.close(4000, hers[1]);
    });

  for (const id of ['n1', 'n2', 'n3', 'n4', 'n5', 'n6', 'n7', 'n1/revision'])
    take(await gateway.call(alice, 'GET', `/notebook/${id}`));
  for (const path of (
    '/security/ticket /magpie/config /magpie/result/n1.p1.0 /magpie/access-token ' +
    '/notebook/..%2Fsecurity%2Fticket /version'
  ).split(' '))
    take(await gateway.call(alice, 'GET', path));
  const made = take(
    await gateway.call(alice, 'POST', '/magpie/embed-token', { noteId: 'n1', scope: 'view' }),
  );
  const { token } = made.json as { token: string };
  const page = { headers: { Authorization: `Bearer ${token}` } };
  const { body: identity } = take(await request(gateway.url, 'GET', '/api/security/ticket', page))
    .json as { body: typeof alice.identity };
  for (const path of [
    '/api/notebook/n1',
    '/api/notebook/n1/paragraph/p1',
    '/api/magpie/result/n1.p1.0',
  ])
    expect(take(await request(gateway.url, 'GET', path, page)).status).toBe(200);

  for (const who of [alice.identity, identity]) {
    const socket = await openSocket(gateway.url, { identity: who });
    socket.socket.on('message', (data) => seen.push(String(data)));
    socket.send({
      op: who === identity ? 'GET_NOTE' : 'LIST_NOTES',
      data: who === identity ? { id: 'n1' } : {},
    });
    if (who === identity) {
      await expect.poll(() => zeppelin.frames.some(({ op }) => op === 'GET_NOTE')).toBe(true);
      zeppelin.sockets
        .at(-1)!
        .send(JSON.stringify({ op: 'NOTE', data: { note }, ticket: hers[1] }));
      await socket.next('NOTE');
      socket.socket.close();
    } else seen.push(JSON.stringify(await socket.closed));
  }
  for (const path of ['/metrics', '/healthz', '/']) take(await request(gateway.url, 'GET', path));
  take(await sendLogin(gateway.url, 'alice', 'wrong'));
  take(await request(gateway.url, 'POST', '/api/login/logout', { headers: asPage(bob) }));
  take(await gateway.call(alice, 'POST', '/login/logout'));
  await zeppelin.stop();
  take(await request(gateway.url, 'GET', '/api/version'));
  await gateway.server.close();

  const kept = await Promise.all(
    ['audit.log', 'sessions.json', 'users.json'].map((name) =>
      readFile(join(gateway.data, name), 'utf8').catch(() => ''),
    ),
  );
  // Make sure that the check covered something.
  expect(seen.length).toBeGreaterThan(25);
  expect(logged.length).toBeGreaterThan(2);
  expect(kept[0]).toContain('"sign-in"');
  expect(seen.join('\n')).toContain('*'.repeat(36));
  for (const [where, text] of Object.entries({
    seen: seen.join('\n'),
    logged: logged.join('\n'),
    kept: kept.join('\n'),
  })) {
    for (const secret of hers) {
      expect(text.includes(secret), where).toBe(false);
      expect(text.includes(secret.slice(0, 30)), where).toBe(false);
    }
    // Only this server's own session, under the name that programs look for.
    for (const [, value] of text.matchAll(/JSESSIONID=([^;"]*)/gi))
      expect(text, where).toMatch(new RegExp(`tiding-\\d+=${value}`));
  }
});
