/**
 * The gateway to a real Zeppelin, used by a browser and a script: upstream's sessions are never
 * exposed to them.
 */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Client,
  createClient,
  outputText,
  type Transport,
  webSocketTransport,
} from '@tiding/client';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createLog } from '../server/logging/log.ts';
import { parseUpstream } from '../server/upstream/address.ts';
import { ZeppelinClient } from '../server/upstream/zeppelin.ts';
import { startEmbedded } from './support/embedded.ts';
import { bodyOf } from './support/people.ts';
import { asPage, login, onlyFor, openSocket, request, sendLogin } from './support/raw.ts';
import { untilEnd } from './support/until-end.ts';
import { startZeppelin, zeppelinMissing } from './support/zeppelin.ts';

const PORT = 18_484;
// The test stops and restarts it.
const missing = process.env['ZEPPELIN_ACCOUNTS']
  ? 'a running Zeppelin is not stopped'
  : zeppelinMissing(true);
if (missing !== undefined) console.log(`Skipped: in front of a real Zeppelin (${missing}).`);

describe.skipIf(missing !== undefined)('the gateway to a real Zeppelin with accounts', () => {
  let zeppelin: Awaited<ReturnType<typeof startZeppelin>>;
  let gateway: Awaited<ReturnType<typeof startEmbedded>>;
  let url: string;
  const clients: Client[] = [];
  /** Everything sent to and from the gateway: headers, bodies, frames. */
  const wire: string[] = [];
  const tapped: Transport = (address, events) => {
    const connection = webSocketTransport(address, {
      ...events,
      onMessage(text) {
        wire.push(String(text));
        events.onMessage(text);
      },
    });
    return {
      ...connection,
      send(text) {
        wire.push(text);
        connection.send(text);
      },
    };
  };
  const tappedFetch: typeof fetch = async (input, init) => {
    const asked = new Request(input, init);
    wire.push(`${asked.url} ${JSON.stringify([...asked.headers])} ${await asked.clone().text()}`);
    const response = await fetch(asked);
    wire.push(
      `${response.status} ${JSON.stringify([...response.headers])} ` +
        (await response.clone().text()),
    );
    return response;
  };
  const connect = async (name: string) => {
    const client = createClient({
      server: url,
      autosave: 0,
      transport: tapped,
      fetch: tappedFetch,
      backoff: () => 200,
    });
    clients.push(client);
    await client.session.login(name, `${name}-pass`);
    return client;
  };
  const run = async (client: Client, text: string) => {
    const note = await client.open(await client.notes.create({ path: `upstream/${randomUUID()}` }));
    note.paragraphs[0]!.edit(text);
    const result = await note.paragraphs[0]!.run();
    return { note, status: result.status, output: result.outputs.map(outputText).join('').trim() };
  };
  /** Upstream's ticket of a user, which is the same for all their sessions. */
  const ticketOf = async (name: string) => {
    const direct = new ZeppelinClient(parseUpstream(zeppelin.url), createLog('silent'), 10_000);
    const identity = (await direct.login(name, `${name}-pass`))!;
    direct.close();
    return identity.ticket;
  };

  beforeAll(async () => {
    zeppelin = await startZeppelin(['--auth'], PORT);
    gateway = untilEnd(await startEmbedded({ upstream: zeppelin.url, adminPassword: undefined }));
    ({ url } = gateway.server);
  });
  afterEach(() => {
    for (const client of clients.splice(0)) client.close();
  });
  afterAll(() => zeppelin?.stop());

  it('reports its version and that it is a gateway', async () => {
    expect((await request(url, 'GET', '/api/version')).json).toMatchObject({
      body: { version: '0.10.0', gateway: { version: expect.any(String) as unknown } },
    });
    expect(gateway.server.hasPassword).toBe(true);
    const client = await connect('alice');
    expect(await client.connect()).toMatchObject({
      version: '0.10.0',
      generation: 'B',
      tiding: undefined,
    });
  });

  it("signs in and out, runs, and never exposes upstream's ticket or session", async () => {
    wire.length = 0;
    const ticket = await ticketOf('alice');
    const client = await connect('alice');
    expect(client.session.current).toMatchObject({ principal: 'alice', roles: '["analyst"]' });
    expect((await run(client, '%sh\necho through')).output).toBe('through');
    await client.notes.list();
    await client.people.find('a');
    await client.jobs.list();
    await client.notes.configurations();
    await client.interpreters.list().catch(() => {});
    await client.session.renew();
    expect(await ticketOf('alice')).toBe(ticket);
    await client.session.logout();
    expect(client.state.session.phase).toBe('signed-out');
    for (const path of ['/metrics', '/healthz']) wire.push((await request(url, 'GET', path)).text);
    wire.push(await readFile(join(gateway.data, 'audit.log'), 'utf8'));

    expect(wire.length).toBeGreaterThan(20);
    const all = wire.join('\n');
    expect(all).not.toContain(ticket);
    expect(all).not.toMatch(/rememberMe/i);
    expect(all).not.toMatch(/"set-cookie","(?!tiding-|JSESSIONID)/);
    // Programs get the session of the gateway under the name of Zeppelin's cookie.
    for (const [, value = ''] of all.matchAll(/JSESSIONID=([^;"]*)/g))
      expect(all).toMatch(new RegExp(`tiding-\\d+=${value}`));
    // Upstream has ended the session too: the user's next sign-in gets another ticket.
    expect(await ticketOf('alice')).not.toBe(ticket);
  });

  it('refuses wrong passwords, wrong tickets and foreign pages', async () => {
    expect((await sendLogin(url, 'alice', 'wrong')).status).toBe(403);
    const alice = await login(url, 'alice', 'alice-pass');
    const bob = await login(url, 'bob', 'bob-pass');
    const socket = await openSocket(url);
    for (const identity of [
      { principal: 'alice', ticket: 'x', roles: '[]' },
      { principal: 'alice', ticket: bob.identity.ticket, roles: '[]' },
      // Upstream's ticket is invalid here.
      { principal: 'alice', ticket: await ticketOf('alice'), roles: '[]' },
    ]) {
      socket.send({ op: 'LIST_NOTES', ...identity });
      await socket.next('SESSION_LOGOUT');
    }
    socket.send({ op: 'LIST_NOTES', ...alice.identity });
    await socket.next('NOTES_INFO');
    socket.socket.close();
    await expect(openSocket(url, { headers: { Origin: 'https://evil.example' } })).rejects.toThrow(
      '403',
    );
    const evil = await request(url, 'GET', '/api/notebook', {
      headers: { ...asPage(alice), Origin: 'https://evil.example' },
    });
    expect(evil.status).toBe(403);
    expect(
      await request(url, 'POST', '/api/notebook', {
        headers: { Cookie: alice.cookie, Origin: 'null', 'Content-Type': 'application/json' },
        body: '{"name":"forged"}',
      }),
    ).toMatchObject({ status: 403 });
    // Calls for administrators are refused by upstream, with its message.
    expect(
      (await request(url, 'GET', '/api/configurations/all', { headers: asPage(alice) })).status,
    ).toBe(401);
    expect((await request(url, 'GET', '/api/notebook', { headers: asPage(alice) })).status).toBe(
      200,
    );
  });

  it('separates two users, and two browsers of one user', async () => {
    const [alice, again, bob] = [
      await connect('alice'),
      await connect('alice'),
      await connect('bob'),
    ];
    const { note } = await run(alice, '%sh\necho mine');
    await note.setPermissions(onlyFor('alice'));
    await expect(bob.open(note.id)).rejects.toThrow();
    expect((await bob.notes.list()).some(({ id }) => id === note.id)).toBe(false);
    const there = await again.open(note.id);
    // Roles in a frame are ignored.
    const raw = await openSocket(url, {
      identity: { ...bob.session.current!, roles: '["admin","alice"]' } as never,
    });
    raw.send({ op: 'GET_NOTE', data: { id: note.id } });
    expect((await raw.next('AUTH_INFO', 'ERROR_INFO', 'NOTE')).op).toBe('AUTH_INFO');
    raw.socket.close();
    // Upstream ends all sessions of a user together; the gateway ends only this one.
    await alice.session.logout();
    there.paragraphs[0]!.edit('%sh\necho still here');
    expect((await there.paragraphs[0]!.run()).status).toBe('FINISHED');
    expect(again.state.session.phase).toBe('signed-in');
    expect((await run(bob, '%sh\necho bob')).output).toBe('bob');
  });

  it('lets a page without an account see and run a paragraph, by its token', async () => {
    const client = await connect('alice');
    const { note } = await run(client, "%sh\nprintf '%%table name\\tvalue\\nä\\t1\\n'");
    await note.setPermissions(onlyFor('alice'));
    const [alice, bob] = [
      await login(url, 'alice', 'alice-pass'),
      await login(url, 'bob', 'bob-pass'),
    ];
    const paragraphId = note.paragraphs[0]!.id;
    const make = (who: typeof alice, scope: string) =>
      request(url, 'POST', '/api/magpie/embed-token', {
        headers: asPage(who),
        body: JSON.stringify({ noteId: note.id, paragraphId, scope }),
      });
    expect((await make(bob, 'view')).status).toBe(403);
    const tokenTo = async (scope: string) =>
      ((await make(alice, scope)).json as { token: string }).token;
    const page = async (scope: string) => {
      const bearer = { headers: { Authorization: `Bearer ${await tokenTo(scope)}` } };
      const identity = await bodyOf<typeof alice.identity>(
        request(url, 'GET', '/api/security/ticket', bearer),
      );
      return { bearer, socket: await openSocket(url, { identity }) };
    };
    const view = await page('view');
    const shown = await request(url, 'GET', `/api/notebook/${note.id}`, view.bearer);
    expect(shown.json).toMatchObject({
      body: { id: note.id, name: note.id, paragraphs: [{ id: paragraphId, status: 'FINISHED' }] },
    });
    expect(shown.text).not.toContain('alice');
    expect((await request(url, 'GET', '/api/notebook', view.bearer)).status).toBe(403);
    const table = `/api/magpie/result/${note.id}.${paragraphId}.0?format=csv`;
    const csv = await request(url, 'GET', table, view.bearer);
    expect(csv.text).toBe('name,value\r\nä,1\r\n');
    view.socket.send({ op: 'GET_NOTE', data: { id: note.id } });
    expect((await view.socket.next('NOTE')).data).toMatchObject({ note: { id: note.id } });
    const message = {
      op: 'RUN_PARAGRAPH',
      data: {
        id: paragraphId,
        title: '',
        paragraph: '%sh\necho of the page',
        config: {},
        params: {},
      },
    };
    view.socket.send(message);
    await view.socket.next('AUTH_INFO');
    const runner = await page('run');
    runner.socket.send({ op: 'GET_NOTE', data: { id: note.id } });
    await runner.socket.next('NOTE');
    runner.socket.send(message);
    for (let status = ''; status !== 'FINISHED'; )
      ({ status } = (await runner.socket.next('PARAGRAPH')).data['paragraph'] as {
        status: string;
      });
    expect(
      (await request(url, 'GET', `/api/notebook/${note.id}`, { headers: asPage(alice) })).text,
    ).toContain('printf');
    // Viewers have been notified too.
    await view.socket.next('PARAGRAPH');
    for (const { socket } of [view, runner]) socket.socket.close();
  });

  it('has revisions over REST, which upstream lacks, and accepts chunked bodies', async () => {
    const client = await connect('alice');
    const { note } = await run(client, '%sh\necho first');
    await note.setPermissions(onlyFor('alice'));
    const [alice, bob] = [
      await login(url, 'alice', 'alice-pass'),
      await login(url, 'bob', 'bob-pass'),
    ];
    const revisions = (method: string, rest = '', body?: object, who = alice) =>
      request(url, method, `/api/notebook/${note.id}/revision${rest}`, {
        headers: asPage(who),
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
    const made = await revisions('POST', '', { commitMessage: 'one' });
    expect(made.json).toMatchObject({
      status: 'OK',
      body: { message: 'one', id: expect.any(String) as unknown },
    });
    const { id } = (made.json as { body: { id: string } }).body;
    expect((await revisions('GET')).json).toMatchObject({ body: [{ id, message: 'one' }] });
    expect((await revisions('POST', '', { commitMessage: 'again' })).status).toBe(409);
    expect((await revisions('GET', `/${id}`)).json).toMatchObject({
      body: {
        paragraphs: expect.arrayContaining([
          expect.objectContaining({ text: '%sh\necho first' }),
        ]) as unknown,
      },
    });
    expect((await revisions('PUT', `/${id}`)).status).toBe(200);
    expect((await revisions('GET', '', undefined, bob)).status).toBe(403);

    const text = JSON.stringify({
      name: `upstream/${randomUUID()}`,
      paragraphs: [{ text: `%md\n${'ä'.repeat(500_000)}`, config: {} }],
    });
    const pieces = new ReadableStream({
      start(controller) {
        for (let at = 0; at < text.length; at += 50_000)
          controller.enqueue(new TextEncoder().encode(text.slice(at, at + 50_000)));
        controller.close();
      },
    });
    const imported = await fetch(`${url}/api/notebook/import`, {
      method: 'POST',
      headers: asPage(alice) as Record<string, string>,
      body: pieces,
      duplex: 'half',
    } as RequestInit);
    expect(imported.status).toBe(200);
    const { body: importedId } = (await imported.json()) as { body: string };
    expect((await client.open(importedId)).paragraphs[0]!.text).toBe(`%md\n${'ä'.repeat(500_000)}`);
  });

  it('survives a restart of upstream', async () => {
    const client = await connect('alice');
    await run(client, '%sh\necho before');
    await zeppelin.stop();
    await expect.poll(async () => (await request(url, 'GET', '/healthz')).status).toBe(503);
    expect((await request(url, 'GET', '/api/version')).json).toMatchObject({
      status: 'BAD_GATEWAY',
      message: expect.stringContaining('cannot be reached') as unknown,
    });
    expect((await sendLogin(url, 'alice', 'alice-pass')).status).toBe(502);
    zeppelin = await startZeppelin(['--auth'], PORT);
    await expect.poll(async () => (await request(url, 'GET', '/healthz')).status).toBe(200);
    // Upstream has forgotten all sessions: the gateway ends them too and notifies the client.
    await expect.poll(() => client.state.session.phase).toBe('signed-out');
    await client.session.login('alice', 'alice-pass');
    expect((await run(client, '%sh\necho after')).output).toBe('after');
  });
});
