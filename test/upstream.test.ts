/** This server in front of a real Zeppelin, as a browser and a script meet it: nothing of upstream's sessions is ever on their side. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createClient, outputText, webSocketTransport, type Client, type Transport } from 'tiding/client';
import { parseUpstream } from '../app/server/upstream/address.ts';
import { createLog } from '../app/server/log.ts';
import { Zeppelin } from '../app/server/upstream/zeppelin.ts';
import { startEmbedded } from './support/embedded.ts';
import { asPage, login, openSocket, request } from './support/raw.ts';
import { startZeppelin, inFrontMissing } from './support/zeppelin.ts';

const PORT = 18_484;
const missing = inFrontMissing();
if (missing !== undefined) console.log(`Skipped: in front of a real Zeppelin (${missing}).`);

describe.skipIf(missing !== undefined)('in front of a real Zeppelin with accounts', () => {
  let zeppelin: Awaited<ReturnType<typeof startZeppelin>>;
  let gateway: Awaited<ReturnType<typeof startEmbedded>>;
  let url: string;
  const clients: Client[] = [];
  /** All that came from the gateway, and all that went there: headers, bodies, frames. */
  const wire: string[] = [];
  const tapped: Transport = (address, events) => {
    const connection = webSocketTransport(address, { ...events, onMessage(text) {
      wire.push(String(text));
      events.onMessage(text);
    } });
    return { ...connection, send(text) {
      wire.push(text);
      connection.send(text);
    } };
  };
  const tappedFetch: typeof fetch = async (input, init) => {
    const asked = new Request(input, init);
    wire.push(`${asked.url} ${JSON.stringify([...asked.headers])} ${await asked.clone().text()}`);
    const response = await fetch(asked);
    wire.push(`${response.status} ${JSON.stringify([...response.headers])} ${await response.clone().text()}`);
    return response;
  };
  const connect = async (name: string) => {
    const client = createClient({ server: url, autosave: 0, transport: tapped, fetch: tappedFetch, backoff: () => 200 });
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
  /** What upstream knows somebody by: the ticket is one for all sessions of a user. */
  const ticketOf = async (name: string) => {
    const direct = new Zeppelin(parseUpstream(zeppelin.url), createLog('silent'), 10_000);
    const identity = (await direct.login(name, `${name}-pass`))!;
    direct.close();
    return identity.ticket;
  };

  beforeAll(async () => {
    zeppelin = await startZeppelin(['--auth'], PORT);
    gateway = await startEmbedded({ upstream: zeppelin.url, adminPassword: undefined });
    ({ url } = gateway.server);
  }, 120_000);
  afterEach(() => {
    for (const client of clients.splice(0)) client.close();
  });
  afterAll(async () => {
    await gateway?.stop();
    await zeppelin?.stop();
  }, 60_000);

  it('tells its version, and that it is in between', async () => {
    expect((await request(url, 'GET', '/api/version')).json).toMatchObject({ body: { version: '0.10.0', gateway: { version: expect.any(String) as unknown } } });
    expect(gateway.server.hasPassword).toBe(true);
    const client = await connect('alice');
    expect(await client.connect()).toMatchObject({ version: '0.10.0', generation: 'B', tiding: undefined });
  });

  it('signs in and out, runs, and never shows the ticket or the session of upstream', async () => {
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

    expect(wire.length).toBeGreaterThan(20);
    const all = wire.join('\n');
    expect(all).not.toContain(ticket);
    expect(all).not.toMatch(/JSESSIONID|rememberMe/i);
    expect(all).not.toMatch(/"set-cookie","(?!tiding-)/);
    // Upstream has forgotten it too: somebody who signs in there has another one.
    expect(await ticketOf('alice')).not.toBe(ticket);
  });

  it('refuses wrong passwords, wrong tickets and foreign pages', async () => {
    const form = { headers: { 'Content-Type': 'application/x-www-form-urlencoded' } };
    expect((await request(url, 'POST', '/api/login', { ...form, body: 'userName=alice&password=wrong' })).status).toBe(403);
    const alice = await login(url, 'alice', 'alice-pass');
    const bob = await login(url, 'bob', 'bob-pass');
    const socket = await openSocket(url);
    for (const identity of [
      { principal: 'alice', ticket: 'x', roles: '[]' }, { principal: 'alice', ticket: bob.identity.ticket, roles: '[]' },
      // That of upstream is worth nothing here.
      { principal: 'alice', ticket: await ticketOf('alice'), roles: '[]' },
    ]) {
      socket.send({ op: 'LIST_NOTES', ...identity });
      await socket.next('SESSION_LOGOUT');
    }
    socket.send({ op: 'LIST_NOTES', ...alice.identity });
    await socket.next('NOTES_INFO');
    socket.socket.close();
    await expect(openSocket(url, { headers: { Origin: 'https://evil.example' } })).rejects.toThrow('403');
    const evil = await request(url, 'GET', '/api/notebook', { headers: { ...asPage(alice), Origin: 'https://evil.example' } });
    expect(evil.status).toBe(403);
    expect((await request(url, 'POST', '/api/notebook', { headers: { 'Cookie': alice.cookie, 'Content-Type': 'application/json' }, body: '{"name":"forged"}' })).status).toBe(403);
    // What only an administrator may is refused by upstream, in its own words.
    expect((await request(url, 'GET', '/api/configurations/all', { headers: asPage(alice) })).status).toBe(401);
    expect((await request(url, 'GET', '/api/notebook', { headers: asPage(alice) })).status).toBe(200);
  });

  it('keeps two people apart, and two browsers of one of them', async () => {
    const [alice, again, bob] = [await connect('alice'), await connect('alice'), await connect('bob')];
    const { note } = await run(alice, '%sh\necho mine');
    await note.setPermissions({ owners: ['alice'], writers: ['alice'], runners: ['alice'], readers: ['alice'] });
    await expect(bob.open(note.id)).rejects.toThrow();
    expect((await bob.notes.list()).some(({ id }) => id === note.id)).toBe(false);
    const there = await again.open(note.id);
    // The roles of a frame are nobody's wish.
    const raw = await openSocket(url, { identity: { ...bob.session.current!, roles: '["admin","alice"]' } as never });
    raw.send({ op: 'GET_NOTE', data: { id: note.id } });
    expect((await raw.next('AUTH_INFO', 'ERROR_INFO', 'NOTE')).op).toBe('AUTH_INFO');
    raw.socket.close();
    // Upstream ends all sessions of a user with one; here it ends his own alone.
    await alice.session.logout();
    there.paragraphs[0]!.edit('%sh\necho still here');
    expect((await there.paragraphs[0]!.run()).status).toBe('FINISHED');
    expect(again.state.session.phase).toBe('signed-in');
    expect((await run(bob, '%sh\necho bob')).output).toBe('bob');
  });

  it('survives the end of upstream and its return', async () => {
    const client = await connect('alice');
    await run(client, '%sh\necho before');
    await zeppelin.stop();
    await expect.poll(async () => (await request(url, 'GET', '/healthz')).status, { timeout: 10_000 }).toBe(503);
    expect((await request(url, 'GET', '/api/version')).json).toMatchObject({ status: 'BAD_GATEWAY', message: expect.stringContaining('cannot be reached') as unknown });
    expect((await request(url, 'POST', '/api/login', { headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, body: 'userName=alice&password=alice-pass' })).status).toBe(502);
    zeppelin = await startZeppelin(['--auth'], PORT);
    await expect.poll(async () => (await request(url, 'GET', '/healthz')).status, { timeout: 10_000 }).toBe(200);
    // It has forgotten everybody: so does this one, and the client is told instead of left waiting.
    await expect.poll(() => client.state.session.phase, { timeout: 20_000 }).toBe('signed-out');
    await client.session.login('alice', 'alice-pass');
    expect((await run(client, '%sh\necho after')).output).toBe('after');
  }, 120_000);
});
