/** A client whose WebSockets are blocked continues over REST. Runs against the real server. */

import {
  type Client,
  type ClientOptions,
  createClient,
  isTidingError,
  outputText,
  type Transport,
  webSocketTransport,
} from '@tiding/client';
import { describe, expect, it } from 'vitest';
import { Users } from '../../server/auth/users.ts';
import { ADMIN_PASSWORD, startEmbedded } from '../../test/support/embedded.ts';
import { onlyFor } from '../../test/support/raw.ts';
import { untilEnd, whenDone } from '../../test/support/until-end.ts';

const embedded = untilEnd(await startEmbedded({ shell: true }));
await new Users(embedded.data).set('bob', { password: 'bobs-password', roles: [] });

/** A transport that fails like a WebSocket behind a blocking proxy. */
function blocking(): { transport: Transport; tried: number } {
  const state = {
    tried: 0,
    transport: ((_url, events) => {
      state.tried += 1;
      const timer = setTimeout(() => events.onClose(1006, ''), 1);
      return { send() {}, close: () => clearTimeout(timer) };
    }) as Transport,
  };
  return state;
}

async function connect(
  options: Partial<ClientOptions> = {},
  user = 'admin',
  password = ADMIN_PASSWORD,
): Promise<Client> {
  const client = createClient({
    server: embedded.server.url,
    autosave: 0,
    backoff: () => 5,
    ...options,
  });
  whenDone(() => client.close());
  await client.session.login(user, password);
  return client;
}

describe('a client whose sockets are blocked', () => {
  it('switches to REST after three attempts and can open, edit, run and cancel', async () => {
    const proxy = blocking();
    const client = await connect({ transport: proxy.transport });
    const told: string[] = [];
    client.on('live-blocked', ({ type }) => told.push(type));
    const id = await client.notes.create({ path: 'blocked/one' });
    expect(told).toEqual(['live-blocked']);
    const { tried } = proxy;
    expect(tried).toBeGreaterThanOrEqual(3);
    const note = await client.open(id);
    expect(proxy.tried).toBe(tried);
    expect(client.state.notes).toContainEqual({ id, path: 'blocked/one' });

    const paragraph = note.paragraphs[0]!;
    paragraph.edit('%sh\necho "${word=one}"; sleep 1.2; echo two');
    await paragraph.commit();
    expect(note.dirty).toBe(false);
    const pieces: string[] = [];
    const statuses: string[] = [];
    const run = paragraph.run({ params: { word: 'uno' } });
    for await (const event of run) {
      if (event.type === 'status') statuses.push(event.status);
      if ((event.type === 'output' || event.type === 'append') && event.data !== '')
        pieces.push(event.data);
    }
    expect((await run).status).toBe('FINISHED');
    expect(outputText(paragraph.outputs[0]!)).toBe('uno\ntwo\n');
    expect([...new Set(statuses)]).toEqual(['PENDING', 'RUNNING', 'FINISHED']);
    expect(pieces[0]).toBe('uno\n');
    // As after a run over the socket: an empty paragraph below, with the same magic.
    await expect.poll(() => note.paragraphs.map(({ text }) => text)[1]).toBe('%sh\n');

    paragraph.edit('%sh\necho begun; sleep 60');
    const long = paragraph.run();
    await expect.poll(() => paragraph.outputs.map(outputText).join('')).toContain('begun');
    await paragraph.cancel();
    expect((await long).status).toBe('ABORT');

    paragraph.edit('%sh\necho first');
    note.paragraphs[1]!.edit('%sh\necho second; exit 3');
    await note.insert({ text: '%sh\necho third', title: 'Third' });
    const sequential: boolean[] = [];
    client.on('NOTE_RUNNING_STATUS', ({ data }) => sequential.push(data.status));
    const results = await note.run();
    expect(results.map(({ status }) => status)).toEqual(['FINISHED', 'ERROR']);
    expect(results.map(({ outputs }) => outputText(outputs[0]!))).toEqual(['first\n', 'second\n']);
    expect(sequential).toEqual([true, false]);
    // Runs again within the same second.
    expect((await note.run()).map(({ status }) => status)).toEqual(['FINISHED', 'ERROR']);
    expect(note.paragraphs[2]).toMatchObject({ title: 'Third', outputs: [] });
  });

  it('changes a note over REST, and refuses operations that need a socket', async () => {
    const client = await connect({ live: 'rest' });
    const note = await client.open(await client.notes.create({ path: 'blocked/two' }));
    const second = await note.insert({ text: '%sh\necho x' });
    await second.move(0);
    expect(note.paragraphs[0]!.id).toBe(second.id);
    const copy = await second.copy();
    expect([copy.index, copy.text]).toEqual([1, '%sh\necho x']);
    await copy.remove();
    await second.configure({ colWidth: 6 });
    await second.run();
    await note.clear();
    expect(second.outputs).toEqual([]);
    await note.rename('blocked/renamed');
    expect(note.path).toBe('blocked/renamed');
    const clone = await client.notes.clone(note.id, 'blocked/clone');
    await client.notes.remove(clone);
    note.channel.send('GET_INTERPRETER_BINDINGS', { noteId: note.id });
    await expect.poll(() => note.state.bindings?.length).toBeGreaterThan(0);
    await expect(second.clear()).rejects.toThrow('needs the live channel, which is blocked');
    await expect(note.setParams({ a: 1 })).rejects.toSatisfy((error) =>
      isTidingError(error, 'server'),
    );

    const again = await connect();
    const there = await again.open(note.id);
    expect(
      there.paragraphs.map(({ text, state }) => [text, state.server.config?.colWidth]),
    ).toEqual([
      ['%sh\necho x', 6],
      ['', undefined],
    ]);
  });

  it('puts edits in order with changes by others', async () => {
    const [socket, client] = [await connect(), await connect({ live: 'rest' })];
    const id = await socket.notes.create({ path: 'blocked/three' });
    const there = (await socket.open(id)).paragraphs[0]!;
    there.edit('%sh\na\nb\nc');
    await there.commit();
    const here = (await client.open(id)).paragraphs[0]!;
    there.edit('%sh\na\nb\nc theirs');
    await there.commit();
    here.edit('%sh\na mine\nb\nc');
    await here.commit();
    expect(here.text).toBe('%sh\na mine\nb\nc theirs');
    await expect.poll(() => there.text).toBe('%sh\na mine\nb\nc theirs');
    there.edit('%sh\nA\nb\nc theirs');
    await there.commit();
    here.edit('%sh\nB\nb\nc theirs');
    await here.commit();
    expect([here.text, here.state.conflict]).toEqual(['%sh\nBA\nb\nc theirs', undefined]);
    await expect.poll(() => there.text).toBe('%sh\nBA\nb\nc theirs');

    // Changes by others arrive without a request, exactly once.
    const heard: string[] = [];
    client.on('event', ({ type }) => /^[A-Z]/.test(type) && heard.push(type));
    here.edit('%sh\nBA\nb mine\nc theirs');
    there.edit('%sh\nBA\nb\nc theirs\nd');
    await there.commit();
    await expect.poll(() => here.text).toBe('%sh\nBA\nb mine\nc theirs\nd');
    expect(heard).toEqual(['PARAGRAPH']);
    await here.commit();
    await expect.poll(() => there.text).toBe('%sh\nBA\nb mine\nc theirs\nd');
  });

  it('distinguishes a missing permission from a missing note', async () => {
    const [admin, bob] = [await connect(), await connect({ live: 'rest' }, 'bob', 'bobs-password')];
    const note = await admin.open(await admin.notes.create({ path: 'blocked/four' }));
    await note.setPermissions({ ...onlyFor('admin'), readers: ['admin', 'bob'] });
    const there = await bob.open(note.id);
    there.paragraphs[0]!.edit('not mine');
    await expect(there.paragraphs[0]!.commit()).rejects.toSatisfy((error) =>
      isTidingError(error, 'forbidden'),
    );
    expect(there.paragraphs[0]!.text).toBe('not mine');
    await note.setPermissions(onlyFor('admin'));
    there.close();
    await expect(bob.open(note.id)).rejects.toSatisfy((error) => isTidingError(error, 'forbidden'));
    await expect(bob.open('2NOSUCHID')).rejects.toSatisfy((error) =>
      isTidingError(error, 'not-found'),
    );
  });

  it('keeps using sockets if one has opened before or the server is silent', async () => {
    let up = true;
    let tried = 0;
    const proxy = blocking();
    const client = await connect({
      transport: (url, events) => (
        (tried += 1), up ? webSocketTransport(url, events) : proxy.transport(url, events)
      ),
    });
    const told: string[] = [];
    client.on('live-blocked', ({ type }) => told.push(type));
    const note = await client.open(await client.notes.create({ path: 'blocked/five' }));
    up = false;
    note.channel.reconnect();
    await expect.poll(() => proxy.tried).toBeGreaterThan(4);
    up = true;
    await expect.poll(() => note.state.connection).toBe('open');
    expect(told).toEqual([]);
    expect(tried).toBeGreaterThan(6);

    const away = blocking();
    let reachable = true;
    const lost = createClient({
      server: embedded.server.url,
      backoff: () => 5,
      transport: away.transport,
      fetch: (input, init) =>
        reachable ? fetch(input, init) : Promise.reject(new TypeError('fetch failed')),
    });
    whenDone(() => lost.close());
    lost.on('live-blocked', ({ type }) => told.push(type));
    await lost.session.login('admin', ADMIN_PASSWORD);
    await lost.connect();
    reachable = false;
    const opening = lost.open(note.id, { timeout: 500 });
    await expect(opening).rejects.toSatisfy((error) => isTidingError(error, 'timeout'));
    expect(away.tried).toBeGreaterThan(4);
    expect(told).toEqual([]);
  });
});
