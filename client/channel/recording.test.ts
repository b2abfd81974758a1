import {
  type Client,
  createClient,
  isTidingError,
  outputText,
  type Transport,
  webSocketTransport,
} from '@tiding/client';
import {
  formatRecording,
  parseRecording,
  REPLAY_ENDED,
  type RecordedEntry,
  recordFetch,
  recordTransport,
  replayFetch,
  replayTransport,
  virtualClock,
} from '@tiding/client/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN_PASSWORD, startEmbedded } from '../../test/support/embedded.ts';
import { line } from '../../test/support/line.ts';

/** Creates a note, edits and runs a paragraph, and runs the note. This is recorded and replayed. */
async function session(
  client: Client,
  settled: <T>(promise: Promise<T>) => Promise<T>,
): Promise<string> {
  await settled(client.session.login('admin', ADMIN_PASSWORD));
  const id = await settled(client.notes.create({ path: 'recorded/note' }));
  const note = await settled(client.open(id));
  const paragraph = note.paragraphs[0]!;
  paragraph.edit('%sh\necho "${greeting=hello} ${password:pin}"; sleep 0.2; echo again');
  await settled(paragraph.commit());
  const run = paragraph.run({ params: { pin: 'hunter2-pin' } });
  expect((await settled(Promise.resolve(run))).status).toBe('FINISHED');
  await settled(note.insert({ text: '%md\n# Second' }));
  await settled(Promise.resolve(note.run()));
  return id;
}

describe('a recording', () => {
  let server: Awaited<ReturnType<typeof startEmbedded>>;
  beforeAll(async () => void (server = await startEmbedded({ shell: true })));
  afterAll(() => server.stop());

  it('of a real session leads a new client to the same state, without secrets', async () => {
    const entries: RecordedEntry[] = [];
    const sink = (entry: RecordedEntry) => void entries.push(entry);
    let ticket = '';
    const listened: Transport = (url, events) => {
      const connection = webSocketTransport(url, events);
      return {
        ...connection,
        send: (text) => (
          (ticket ||= (JSON.parse(text) as { ticket: string }).ticket), connection.send(text)
        ),
      };
    };
    const first = createClient({
      server: server.server.url,
      autosave: 0,
      transport: recordTransport(listened, sink),
      fetch: recordFetch(fetch, sink),
    });
    const id = await session(first, (promise) => promise);
    const before = first.state.open[id]!;
    const notes = first.state.notes;
    const text = formatRecording(entries);

    expect(ticket.length).toBeGreaterThan(16);
    for (const secret of [
      ticket,
      ADMIN_PASSWORD,
      '"pin":"hunter2-pin"',
      `tiding-${new URL(server.server.url).port}`,
    ])
      expect(text).not.toContain(secret);
    expect(text).toContain('"principal":"admin"');
    const tickets = entries.flatMap((entry) =>
      entry.direction === 'send' ? [entry.frame['ticket']] : [],
    );
    expect(new Set(tickets)).toEqual(new Set(['…']));

    const clock = virtualClock();
    const recording = parseRecording(text);
    const transport = replayTransport(recording, { clock });
    const second = createClient({
      server: 'http://replay.test',
      autosave: 0,
      transport,
      fetch: replayFetch(recording),
    });
    expect(await session(second, (promise) => clock.run(promise))).toBe(id);
    await clock.run();
    expect(transport.error).toBeUndefined();
    expect(transport.remaining).toBe(0);
    const plain = (value: unknown) => JSON.parse(JSON.stringify(value)) as unknown;
    expect(plain(second.state.open[id])).toEqual(
      JSON.parse(JSON.stringify(before).replaceAll('"hunter2-pin"', '"…"')),
    );
    expect(plain(second.state.notes)).toEqual(plain(notes));
    expect(outputText(Object.values(second.state.open[id]!.paragraphs)[0]!.outputs[0]!)).toContain(
      'again',
    );
    first.close();
    second.close();
  });
});

const head = '{"tiding":"recording","version":1}';

describe('parseRecording', () => {
  it.each([
    ['', 'line 1: not a recording: its first line is not JSON'],
    ['{"a":1}', 'line 1: not a recording: it must start with'],
    ['{"tiding":"recording","version":7}', 'line 1: version 7 is not supported, only version 1'],
    [`${head}\n{`, 'line 2: not JSON'],
    [
      `${head}\n\n{"ms":1,"direction":"up"}`,
      "line 3: 'direction' must be open, send, recv, close or rest",
    ],
    [`${head}\n{"ms":1,"direction":"send","channel":0}`, 'line 2: frame: '],
    [`${head}\n{"ms":-1,"direction":"open","channel":0}`, 'line 2: ms: '],
    [`${head}\n{"ms":1,"direction":"rest","method":"GET","status":200}`, 'line 2: path: '],
  ])('refuses %j', (text, message) => {
    let error: unknown;
    try {
      parseRecording(text);
    } catch (caught) {
      error = caught;
    }
    expect(isTidingError(error, 'protocol')).toBe(true);
    expect((error as Error).message).toContain(message);
  });

  it('parses the output of formatRecording', () => {
    const entries: RecordedEntry[] = [
      { ms: 0, direction: 'open', channel: 0 },
      { ms: 2, direction: 'send', channel: 0, frame: { op: 'PING' } },
      { ms: 3, direction: 'recv', channel: 0, frame: 'not JSON' },
      { ms: 4, direction: 'close', channel: 0, code: 1006, reason: '', by: 'server' },
      {
        ms: 5,
        direction: 'rest',
        method: 'GET',
        path: '/api/version',
        status: 200,
        type: 'application/json',
        body: {},
      },
    ];
    expect(parseRecording(formatRecording(entries)).entries).toEqual(entries);
  });
});

describe('recorded traffic', () => {
  const recorded = (
    act: (say: (op: string, data: unknown) => void, send: (frame: object) => void) => void,
  ) => {
    const entries: RecordedEntry[] = [];
    const { transport, last } = line();
    const connection = recordTransport(transport, (entry) => entries.push(entry))(
      'ws://server/ws',
      { onOpen() {}, onMessage() {}, onClose() {} },
    );
    last().open();
    act(
      (op, data) => last().say(op, data),
      (frame) => connection.send(JSON.stringify(frame)),
    );
    connection.close();
    return entries;
  };

  it('contains no value of a secret key at any depth, and no ticket that was seen before', () => {
    const entries = recorded((say, send) => {
      send({ op: 'LIST_NOTES', data: {}, principal: 'ann', ticket: 'abcdefgh-1234', msgId: '1' });
      say('CONFIGURATIONS_INFO', {
        configurations: {
          'x.password': 'pw',
          nested: [{ apiToken: { value: 17 } }],
          echo: 'your abcdefgh-1234',
          kept: 'yes',
          tokenOn: true,
          list: [
            { name: 'db.password', value: 'named-pw' },
            { name: 'plain', value: 'plain value' },
          ],
        },
      });
      send({
        op: 'RUN_ALL_PARAGRAPHS',
        data: { noteId: 'n', paragraphs: '[{"id":"p","params":{"secretKey":"s1"}}]' },
        ticket: 'abcdefgh-1234',
      });
    });
    const text = JSON.stringify(entries);
    for (const secret of ['abcdefgh', 'pw', '17', 's1', 'named-pw'])
      expect(text).not.toContain(`"${secret}`);
    expect(text).not.toContain('abcdefgh');
    expect(text).toContain('plain value');
    expect(text).toContain('"principal":"ann"');
    expect(text).toContain('"kept":"yes"');
    expect(text).toContain('"tokenOn":true');
    expect(entries.map(({ direction }) => direction)).toEqual([
      'open',
      'send',
      'recv',
      'send',
      'close',
    ]);
    expect(entries.at(-1)).toMatchObject({ by: 'client', code: 1000 });
  });

  it('of REST calls contains no credentials in headers, bodies and addresses', async () => {
    const entries: RecordedEntry[] = [];
    const inner: typeof fetch = async () =>
      new Response('{"status":"OK","body":{"principal":"ann","ticket":"the-ticket-of-ann"}}', {
        headers: { 'Content-Type': 'application/json', 'Set-Cookie': 'session=cookie-value' },
      });
    const recording = recordFetch(inner, (entry) => entries.push(entry));
    const answer = await recording('http://server/api/login?token=in-query', {
      method: 'POST',
      body: new URLSearchParams({ userName: 'ann', password: 'a-password' }),
      headers: { Authorization: 'Bearer b-token', Cookie: 'session=c' },
    });
    expect(((await answer.json()) as { body: { ticket: string } }).body.ticket).toBe(
      'the-ticket-of-ann',
    );
    await recording('http://server/api/magpie/password-reset/reset-value', {
      method: 'PUT',
      body: '{"newPassword":"n-password"}',
    });
    await expect.poll(() => entries).toHaveLength(2);
    const text = JSON.stringify(entries);
    for (const secret of [
      'in-query',
      'a-password',
      'b-token',
      'session=',
      'the-ticket',
      'reset-value',
      'n-password',
    ])
      expect(text).not.toContain(secret);
    expect(text).toContain('"principal":"ann"');

    const played = replayFetch(parseRecording(formatRecording(entries)));
    expect(
      await played('http://other/api/magpie/password-reset/another-value', {
        method: 'PUT',
        body: '{}',
      }),
    ).toMatchObject({ status: 200 });
    const missing = await played('http://other/api/version');
    expect([missing.status, await missing.json()]).toEqual([
      404,
      { status: 'NOT_FOUND', message: 'Replay: GET /api/version was not recorded' },
    ]);
  });
});

describe('a replay', () => {
  const recording = parseRecording(
    formatRecording([
      { ms: 0, direction: 'open', channel: 0 },
      {
        ms: 10,
        direction: 'send',
        channel: 0,
        frame: { op: 'GET_NOTE', data: { id: 'n' }, msgId: 'old-1' },
      },
      { ms: 40, direction: 'recv', channel: 0, frame: { op: 'NOTE', data: {}, msgId: 'old-1' } },
      {
        ms: 60,
        direction: 'send',
        channel: 0,
        frame: { op: 'PARAGRAPH_REMOVE', data: { id: 'p' }, msgId: 'old-2' },
      },
      {
        ms: 65,
        direction: 'recv',
        channel: 0,
        frame: { op: 'PARAGRAPH_REMOVED', data: { id: 'p' } },
      },
      { ms: 90, direction: 'close', channel: 0, code: 1001, reason: 'idle', by: 'server' },
    ]),
  );
  const play = () => {
    const clock = virtualClock();
    const heard: string[] = [];
    const transport = replayTransport(recording, { clock });
    const connection = transport('ws://x/ws', {
      onOpen: () => heard.push('open'),
      onMessage: (text) => heard.push(String(text)),
      onClose: (code, reason) => heard.push(`${code} ${reason}`),
    });
    const send = (op: string, data: object, msgId = 'new') =>
      connection.send(JSON.stringify({ op, data, msgId, ticket: 't' }));
    return { clock, heard, transport, send };
  };

  it('sends the recorded frames with the recorded delays and the current message ids', async () => {
    const { clock, heard, send, transport } = play();
    await clock.advance(1_000);
    expect(heard).toEqual(['open']);
    send('PING', {});
    send('GET_NOTE', { id: 'n' });
    await clock.advance(29);
    expect(heard).toHaveLength(1);
    await clock.advance(1);
    expect(heard[1]).toBe('{"op":"NOTE","data":{},"msgId":"new"}');
    await clock.advance(10_000);
    expect(heard).toHaveLength(2);
    send('PARAGRAPH_REMOVE', { id: 'p' });
    await clock.run();
    expect(heard.slice(2)).toEqual(['{"op":"PARAGRAPH_REMOVED","data":{"id":"p"}}', '1001 idle']);
    expect(transport.error).toBeUndefined();
    expect(transport.remaining).toBe(0);
  });

  it.each([
    [
      'another operation',
      'RUN_PARAGRAPH',
      { id: 'p' },
      'Replay: RUN_PARAGRAPH was sent, but PARAGRAPH_REMOVE was recorded',
    ],
    [
      'other data',
      'PARAGRAPH_REMOVE',
      { id: 'q' },
      'Replay: PARAGRAPH_REMOVE was sent with {"id":"q"}, but {"id":"p"} was recorded',
    ],
  ])(
    'ends with an error that says what was sent and what was recorded: %s',
    async (_, op, data, why) => {
      const { clock, heard, send, transport } = play();
      await clock.run();
      send('GET_NOTE', { id: 'n' });
      await clock.run();
      send(op, data);
      expect(heard.at(-1)).toBe(`${REPLAY_ENDED} ${why}`);
      expect(transport.error?.message).toBe(why);
      // It does not start again for a client that reconnects.
      transport('ws://x/ws', {
        onOpen: () => heard.push('again'),
        onMessage() {},
        onClose: (code) => heard.push(`${code}`),
      });
      await clock.run();
      expect(heard.at(-1)).toBe(String(REPLAY_ENDED));
    },
  );

  it('refuses a connection that was not recorded', async () => {
    const { clock, heard, send } = play();
    await clock.run();
    send('LIST_NOTES', {});
    expect(heard.at(-1)).toBe(
      `${REPLAY_ENDED} Replay: no recorded connection starts with LIST_NOTES {}`,
    );
  });
});
