import { describe, expect, test, vi } from 'vitest';
import { failure } from '../test/support/failure.ts';
import { scriptedClients, settle } from '../test/support/scripted.ts';
import { createClient, liveAddress } from './client.ts';
import type { RunEvent, RunResult } from './note/paragraph/run.ts';
import type { ClientOptions } from './options.ts';

const setUp = scriptedClients();
const paragraph = (id: string, more: object = {}) => ({
  id,
  text: '%sh\nx',
  status: 'READY',
  ...more,
});

describe('a client', () => {
  test('derives the live address of its server: scheme, port and context path [D78]', () => {
    expect(['http://h:9000', 'https://h/app/', 'https://h'].map(liveAddress)).toEqual([
      'ws://h:9000/ws',
      'wss://h/app/ws',
      'wss://h/ws',
    ]);
  });

  test.each([
    [undefined, "The option 'server' is missing: pass the address of a server"],
    [{}, "The option 'server' is missing"],
    [{ server: '' }, "The option 'server' is missing"],
    [{ server: 'ftp://h' }, "Invalid server address 'ftp://h': it must start with http"],
    [{ server: 'ws://h' }, 'it must start with http:// or https://'],
    [{ server: '/app' }, 'it must start with http:// or https://'],
    [{ server: 'http://h/?x=1' }, 'it may only have a host, a port and a path'],
    [{ server: 'http://a:b@h' }, 'it may only have a host, a port and a path'],
    [{ server: 'http://h', auth: 'tdg_x' }, "The option 'auth' must be 'cookie' or { token }"],
    [{ server: 'http://h', auth: {} }, "The option 'auth' must be"],
    [{ server: 'http://h', timeout: '5' }, "The option 'timeout' must be a number of millisec"],
    [{ server: 'http://h', timeout: Number.NaN }, "The option 'timeout' must be"],
    [{ server: 'http://h', autosave: -1 }, "The option 'autosave' must be"],
    [{ server: 'http://h', live: 'ws' }, "The option 'live' must be 'auto', 'socket' or 'rest'."],
    [{ server: 'http://h', fetch: null }, "The option 'fetch' must be a function."],
    [{ server: 'http://h', journal: {} }, "The option 'journal' must be a journal"],
    [{ server: 'http://h', token: 'x' }, "Unknown option 'token': pass it as auth: { token }."],
    [{ url: 'http://h', timeout: -1 }, "Unknown option 'url'. The option 'timeout' must be"],
  ])('is not created with the options %j', (options, message) => {
    expect(() => createClient(options as ClientOptions)).toThrow(message);
    try {
      createClient(options as ClientOptions);
    } catch (error) {
      expect(error).toMatchObject({ code: 'protocol', operation: 'createClient' });
    }
  });

  test('uses answers that the page has, and requests none of them again', async () => {
    const ticket = { principal: 'ann', ticket: 'ticket-1', roles: '[]' };
    const notes = [{ id: 'a', path: 'A' }];
    const { client, calls, ends, last } = setUp(
      {},
      {
        initial: { version: { version: '0.12.0' }, ticket, config: { productName: 'T' }, notes },
      },
    );
    expect(client.state).toMatchObject({
      session: { phase: 'signed-in', ticket },
      server: { version: '0.12.0', generation: 'B' },
      config: { productName: 'T' },
      notes,
    });
    expect(await client.session.ticket()).toEqual(ticket);
    const list = client.notes.list();
    await vi.waitFor(() => expect(ends).toHaveLength(1), 60_000);
    last().open();
    await settle();
    last().say('NOTES_INFO', { notes: [{ id: 'b', path: '/B' }] });
    expect(await list).toEqual([{ id: 'b', path: 'B' }]);
    expect(calls).toEqual([]);
  });

  test('sends nothing before the first call', async () => {
    const { calls, ends } = setUp();
    await settle();
    expect([calls, ends]).toEqual([[], []]);
  });

  test.each([
    ['0.8.2', 'A'],
    ['0.9.0', 'B'],
    ['0.10.0', 'B'],
    ['1.0', 'B'],
  ])('detects the generation of a server of version %s', async (version, generation) => {
    const { client } = setUp({ 'GET /version': { version, tiding: { version: '0.1.0' } } });
    expect(await client.connect()).toEqual({
      version,
      namesReplies: false,
      generation,
      tiding: '0.1.0',
    });
  });

  test.each([
    [
      'sends an origin to a Zeppelin, which closes channels without one',
      {},
      { origin: 'http://localhost' },
    ],
    ['sends no origin to a Tiding server', { tiding: { version: '1.0.0' } }, {}],
    [
      'sends no origin to a Tiding gateway in front of a Zeppelin',
      { gateway: { version: '1.0.0' } },
      {},
    ],
  ])('%s', async (_, more, given) => {
    const opened: unknown[] = [];
    const { client } = setUp(
      { 'GET /version': { version: '0.12.1', ...more } },
      { transport: (_url, _events, options) => (opened.push(options), { send() {}, close() {} }) },
    );
    void client.notes.list().catch(() => {});
    await expect.poll(() => opened).toEqual([given]);
    client.close();
  });

  test('asks for the version again after a failure', async () => {
    let reachable = false;
    const { client } = setUp({
      'GET /version': () =>
        reachable
          ? Response.json({ status: 'OK', body: { version: '0.10.0' } })
          : Promise.reject(new TypeError('fetch failed')),
    });
    expect(await failure(client.connect())).toMatchObject({ code: 'network' });
    reachable = true;
    expect(await client.connect()).toMatchObject({ version: '0.10.0' });
  });

  test('emits events under their name and as `event`, after updating the state', async () => {
    const { client, open, last } = setUp();
    await open({ id: 'n', paragraphs: [paragraph('p')] });
    const heard: unknown[] = [];
    const off = client.on('PROGRESS', ({ data, noteId }) =>
      heard.push([data.progress, noteId, client.state.open['n']?.paragraphs['p']?.progress]),
    );
    client.on('event', ({ type }) => heard.push(type));
    last().say('PROGRESS', { id: 'p', progress: 5 });
    off();
    last().say('PROGRESS', { id: 'p', progress: 6 });
    last().say('WHAT_IS_THIS', {});
    expect(heard).toEqual([[5, 'n', 5], 'PROGRESS', 'PROGRESS', 'unknown-operation']);
  });

  test('is connected as long as the lobby is; the job channel does not count', async () => {
    const { client, ends } = setUp();
    const lists = client.notes.list();
    await vi.waitUntil(async () => (await settle(), ends.length === 1), 60_000);
    ends.at(-1)!.open();
    ends.at(-1)!.say('NOTES_INFO', { notes: [] });
    await lists;
    const watching = client.jobs.watch();
    await vi.waitUntil(async () => (await settle(), ends.length === 2), 60_000);
    expect([ends.length, client.state.connection]).toEqual([2, 'open']);
    ends.at(-1)!.open();
    ends.at(-1)!.say('LIST_NOTE_JOBS', { noteJobs: { lastResponseUnixTime: 1, jobs: [] } });
    (await watching).stop();
    expect(client.state.connection).toBe('open');
    client.close();
    expect(client.state.connection).toBe('closed');
  });

  test('that only watched jobs is idle afterwards, not disconnected', async () => {
    const { client, ends, last } = setUp();
    const watching = client.jobs.watch();
    await vi.waitUntil(async () => (await settle(), ends.length === 1), 60_000);
    last().open();
    last().say('LIST_NOTE_JOBS', { noteJobs: { lastResponseUnixTime: 1, jobs: [] } });
    const { stop } = await watching;
    expect(client.state.connection).toBe('open');
    stop();
    expect(client.state.connection).toBe('idle');
  });

  test('continues when a listener throws, and reports the exception as uncaught', async () => {
    const { client, open, last } = setUp();
    const note = await open({ id: 'n', paragraphs: [paragraph('p')] });
    const uncaught: (() => void)[] = [];
    const later = vi
      .spyOn(globalThis, 'queueMicrotask')
      .mockImplementation((act) => void uncaught.push(act));
    client.on('PARAGRAPH', () => {
      throw new Error('of the host');
    });
    const heard: string[] = [];
    client.on('PARAGRAPH', () => heard.push('second'));
    note.paragraph('p').edit('y');
    const commit = note.commit();
    last().say('PARAGRAPH', { paragraph: paragraph('p', { text: 'y' }) });
    await commit;
    later.mockRestore();
    expect([heard, uncaught.length]).toEqual([['second'], 1]);
    expect(uncaught[0]).toThrow('of the host');
  });
});

describe('an open note', () => {
  test('shares one channel among all who open it and closes with the last of them', async () => {
    const { client, open, ends } = setUp();
    const first = await open({ id: 'n', paragraphs: [] });
    const second = await client.open('n');
    expect([second, ends.length]).toEqual([first, 1]);
    first.close();
    expect(client.state.open['n']).toBeDefined();
    second.close();
    expect([client.state.open['n'], ends[0]!.closed?.code]).toEqual([undefined, 1000]);
    expect(() => second.state).toThrow(expect.objectContaining({ code: 'closed' }));
  });

  test.each([
    ['ERROR_INFO', { info: 'HTTP 404 Not Found' }, 'not-found', 'HTTP 404 Not Found'],
    ['AUTH_INFO', { info: 'Insufficient privileges' }, 'forbidden', 'Insufficient privileges'],
    ['NOTE', {}, 'not-found', 'There is no such note.'],
  ])(
    'that does not exist (%s %j) rejects and leaves nothing open',
    async (op, data, code, message) => {
      const { client, ends, last } = setUp();
      const opening = failure(client.open('2ABCDEFGH'));
      await vi.waitUntil(async () => (await settle(), ends.length > 0), 60_000);
      last().open();
      last().say(op, data);
      expect(await opening).toMatchObject({ code, message, operation: 'GET_NOTE' });
      expect([client.state.open, last().closed?.code]).toEqual([{}, 1000]);
    },
  );

  test('that does not fit the protocol rejects at once and names the field', async () => {
    const { client, ends, last } = setUp();
    const opening = failure(client.open('n'));
    await vi.waitUntil(async () => (await settle(), ends.length > 0), 60_000);
    last().open();
    last().say('NOTE', { note: { id: 'n', paragraphs: [], config: { cron: 5 } } });
    expect(await opening).toMatchObject({
      code: 'protocol',
      message: expect.stringContaining('NOTE does not match the protocol: note.config.cron: '),
    });
    expect(client.state.open).toEqual({});
  });

  test('shows a paragraph with a wrong type as damaged, and the others as they are', async () => {
    const { open } = setUp();
    const raw = { id: 'bad', text: '%md hello', config: { title: 1 } };
    const note = await open({ id: 'n', paragraphs: [paragraph('p'), raw, paragraph('q')] });
    expect(note.state.order).toEqual(['p', 'bad', 'q']);
    const { text, state } = note.paragraph('bad');
    expect(JSON.parse(text)).toEqual(raw);
    expect(state.server).toMatchObject({ status: 'ERROR', config: { enabled: false } });
    expect(state.server.errorMessage).toBe(
      'This paragraph is damaged: config.title has the wrong type. ' +
        'Its stored content is shown as it is.',
    );
    expect(note.paragraph('q').state.server.status).toBe(paragraph('q').status);
  });

  test('is reloaded after each reconnect [W55]', async () => {
    const { open, last } = setUp();
    const note = await open({ id: 'n', paragraphs: [paragraph('p')] });
    last().drop();
    await vi.advanceTimersByTimeAsync(1_000);
    last().open();
    expect(last().ops).toEqual(['GET_NOTE']);
    last().say('NOTE', {
      note: { id: 'n', path: '/renamed', paragraphs: [paragraph('p'), paragraph('q')] },
    });
    expect([note.path, note.state.order]).toEqual(['renamed', ['p', 'q']]);
  });

  test("can't be opened by a closed client", async () => {
    const { client } = setUp();
    client.close();
    expect(await failure(client.open('n'))).toMatchObject({ code: 'closed' });
    expect(client.state.open).toEqual({});
  });
});

describe('a run of a whole note', () => {
  const running = async () => {
    const all = setUp();
    const note = await all.open({ id: 'n', paragraphs: [paragraph('p'), paragraph('q')] });
    const run = note.run();
    const state: { results?: RunResult[]; error?: unknown } = {};
    run.then(
      (results) => (state.results = results),
      (error: unknown) => (state.error = error),
    );
    const events: RunEvent[] = [];
    void (async () => {
      for await (const event of run) events.push(event);
    })().catch(() => {});
    await settle();
    const say = (id: string, status: string, results?: object) =>
      all.last().say('PARAGRAPH', {
        paragraph: paragraph(id, { status, ...(results ? { results } : {}) }),
      });
    return { ...all, note, run, state, events, say };
  };
  const printed = { code: 'SUCCESS', msg: [{ type: 'TEXT', data: 'x\n' }] };

  test('ends when the server reports it, with a result for each paragraph that ran', async () => {
    const { last, say, state, events } = await running();
    expect(JSON.parse(last().frames.at(-1)!.data['paragraphs'] as string)).toMatchObject([
      { id: 'p', paragraph: '%sh\nx' },
      { id: 'q' },
    ]);
    last().say('NOTE_RUNNING_STATUS', { status: true });
    say('p', 'PENDING');
    say('p', 'FINISHED', printed);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(state.results).toBeUndefined();
    say('q', 'PENDING');
    say('q', 'ERROR', { code: 'ERROR', msg: [{ type: 'TEXT', data: 'no' }] });
    last().say('NOTE_RUNNING_STATUS', { status: false });
    await settle();
    expect(
      state.results?.map(({ paragraphId, status, error }) => [paragraphId, status, error]),
    ).toEqual([
      ['p', 'FINISHED', undefined],
      ['q', 'ERROR', 'no'],
    ]);
    // Nothing was streamed, so the results are emitted as output before the end.
    expect(events.map(({ type }) => type)).toEqual(
      'status output status result status output status result'.split(' '),
    );
  });

  test('ends when nothing has run for a while, on a server that does not report it', async () => {
    const { say, state } = await running();
    say('p', 'PENDING');
    say('p', 'FINISHED', printed);
    await vi.advanceTimersByTimeAsync(1_000);
    say('q', 'PENDING');
    await vi.advanceTimersByTimeAsync(60_000);
    say('q', 'FINISHED', printed);
    expect(state.results).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1_500);
    expect(state.results).toHaveLength(2);
  });

  test("continues through a reconnect, although the note precedes the run's status", async () => {
    const { last, say, state } = await running();
    last().say('NOTE_RUNNING_STATUS', { status: true });
    say('p', 'PENDING');
    last().drop();
    await vi.advanceTimersByTimeAsync(1_000);
    last().open();
    last().say('NOTE', {
      note: {
        id: 'n',
        path: '/n',
        paragraphs: [paragraph('p', { status: 'FINISHED', results: printed }), paragraph('q')],
      },
    });
    last().say('NOTE_RUNNING_STATUS', { status: true });
    await vi.advanceTimersByTimeAsync(5_000);
    expect(state.results).toBeUndefined();
    say('q', 'PENDING');
    say('q', 'FINISHED', printed);
    last().say('NOTE_RUNNING_STATUS', { status: false });
    await settle();
    expect(state.results?.map(({ paragraphId }) => paragraphId)).toEqual(['p', 'q']);
  });

  test('whose end was missed ends some time after the note was reloaded', async () => {
    const { last, say, state, note } = await running();
    last().say('NOTE_RUNNING_STATUS', { status: true });
    say('p', 'PENDING');
    last().drop();
    await vi.advanceTimersByTimeAsync(1_000);
    last().open();
    last().say('NOTE', {
      note: {
        id: 'n',
        path: '/n',
        paragraphs: [
          paragraph('p', { status: 'FINISHED', results: printed }),
          paragraph('q', { status: 'FINISHED', results: printed }),
        ],
      },
    });
    await vi.advanceTimersByTimeAsync(1_500);
    expect([state.results?.length, note.state.sequential]).toEqual([1, false]);
  });

  test.each([
    ['ERROR_INFO', 'server'],
    ['AUTH_INFO', 'forbidden'],
  ])('that is refused by %s rejects', async (op, code) => {
    const { last, state } = await running();
    last().say(op, { info: 'no', op: 'RUN_PARAGRAPH' });
    await settle();
    expect(state.error).toBeUndefined();
    last().say(op, { info: 'no' });
    await settle();
    expect(state.error).toMatchObject({ code, operation: 'RUN_ALL_PARAGRAPHS' });
  });
});
