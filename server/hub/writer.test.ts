/** Which connections the limits of waiting bytes end, with clients that read nothing. */
import { Writable } from 'node:stream';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Embed } from '../auth/embed-access.ts';
import type { NotePermissions } from '../auth/permissions.ts';
import type { NoteRepository } from '../notes/repository.ts';
import type { LiveConnection } from './connection.ts';
import { encodeMessage } from './frame.ts';
import { Hub } from './hub.ts';
import { jsonParts } from './output-parts.ts';
import { ConnectionWriter, type QueueLimits } from './writer.ts';

const NONE: QueueLimits = {
  maxQueuedBytes: 1e9,
  maxUserQueuedBytes: 1e9,
  maxEmbedQueuedBytes: 1e9,
  maxServerQueuedBytes: 1e9,
};
const SIZE = 10_000;
const message = () =>
  encodeMessage('PARAGRAPH_APPEND_OUTPUT', {
    noteId: 'n',
    paragraphId: 'p',
    index: 0,
    data: 'x'.repeat(SIZE),
  });
const page = (jti: string, issuer: string, scope: Embed['scope'] = 'results'): Embed => ({
  jti,
  issuer: { principal: issuer, roles: [] },
  noteId: 'n',
  scope,
  alias: 'embed:x',
});

let ended: string[];
beforeEach(() => {
  ended = [];
  // After some time, a busy machine would write the rest in the next turn.
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => void vi.useRealTimers());
/** A connection whose client reads nothing; `taken` are the buffers that it was given. */
function connect(name: string, who: string | Embed) {
  const taken: Buffer[] = [];
  const stream = new Writable({
    highWaterMark: 1,
    decodeStrings: false,
    write: (buffer: Buffer) => void taken.push(buffer),
    writev: (chunks) => taken.push(...chunks.map(({ chunk }) => chunk as Buffer)),
  });
  const end = (state: string) => () => {
    ended.push(`${name} ${state}`);
    socket.readyState = 3;
  };
  const socket = { OPEN: 1, readyState: 1, terminate: end('cut'), close: end('closed') };
  const connection = {
    socket,
    stream,
    address: '127.0.0.1',
    person:
      typeof who === 'string'
        ? { principal: who, roles: [] }
        : { principal: `embed:${who.issuer.principal}`, roles: [], embed: who },
    noteId: undefined,
  } as unknown as LiveConnection;
  return { connection, taken };
}

it.each<[string, Partial<QueueLimits>, (string | Embed)[], string[]]>([
  ['a user', { maxUserQueuedBytes: 25_000 }, ['ann', 'bob', 'ann', 'ann'], ['0 cut']],
  [
    'an embed token',
    { maxUserQueuedBytes: 25_000 },
    [page('1', 'ann'), page('2', 'ann'), page('1', 'ann'), page('1', 'ann'), 'ann'],
    ['0 cut'],
  ],
  [
    'the embed tokens of a user',
    { maxEmbedQueuedBytes: 25_000 },
    ['ann', page('1', 'ann'), page('2', 'bob'), page('3', 'ann'), page('4', 'ann')],
    ['1 cut'],
  ],
  [
    'the server, by the user with most of them',
    { maxServerQueuedBytes: 45_000 },
    ['bob', 'ann', 'ann', page('1', 'carol'), 'dan', 'eve'],
    ['1 cut', '0 cut'],
  ],
])('waiting bytes of %s are limited [S51]', (_name, limits, clients, expected) => {
  const writer = new ConnectionWriter({ ...NONE, ...limits }, () => {});
  clients.forEach((who, at) => {
    writer.write(connect(String(at), who).connection, message());
  });
  expect(ended).toEqual(expected);
});

it('a message that several clients wait for counts once [S51]', () => {
  const writer = new ConnectionWriter({ ...NONE, maxServerQueuedBytes: 45_000 }, () => {});
  const shared = message();
  for (let at = 0; at < 50; at += 1)
    writer.write(connect(String(at), `user ${at}`).connection, shared);
  expect(ended).toEqual([]);
});

it('a message that is larger than a limit is sent if nothing waits, and others after it', () => {
  const limit = SIZE / 2;
  const writer = new ConnectionWriter(
    { ...NONE, maxUserQueuedBytes: limit, maxServerQueuedBytes: limit },
    () => {},
  );
  const [first, second] = [connect('first', 'ann'), connect('second', 'ann')];
  const small = encodeMessage('NOTE_RUNNING_STATUS', { status: true });
  for (const frame of [message(), small]) writer.write(first.connection, frame);
  expect([ended, Buffer.concat(first.taken).length > SIZE]).toEqual([[], true]);
  writer.write(second.connection, message());
  expect(ended).toEqual(['first cut']);
});

it('answers that wait for their turn are unread [S51]', async () => {
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 2));
  const writer = new ConnectionWriter(NONE, () => {});
  const { connection } = connect('0', 'ann');
  for (let n = 0; n < 9; n += 1) writer.write(connection, message(), { isAnswer: true });
  clock.mockRestore();
  const read = writer.answersRead(connection);
  expect(read).toBeDefined();
  connection.socket.terminate();
  writer.forget(connection);
  await read;
  expect(writer.answersRead(connection)).toBeUndefined();
});

it('a connection is closed if a message is unread for a second and more wait behind it', () => {
  const dropped = vi.fn();
  const writer = new ConnectionWriter({ ...NONE, maxQueuedBytes: 25_000 }, dropped);
  const { connection } = connect('a', 'ann');
  for (let count = 0; count < 5; count += 1) writer.write(connection, message());
  expect(ended).toEqual([]);
  vi.advanceTimersByTime(1_001);
  writer.write(connection, message());
  expect([ended, dropped.mock.calls.length]).toEqual([['a closed'], 1]);
});

it('outputs of notes are encoded on their own, as JSON encodes them', () => {
  const data = ['"\\\ud800\n', 'ä😀'].map((text) => text.repeat(3_000));
  const note = {
    paragraphs: data.map((each) => ({ id: 'p', results: { msg: [{ data: each }] } })),
  };
  const parts = jsonParts(note);
  expect([parts.length, String(Buffer.concat(parts))]).toEqual([5, JSON.stringify(note)]);
});

it('viewers who may see the same part of a message get the same bytes', async () => {
  const hub = new Hub({} as NotePermissions, {} as NoteRepository);
  const clients = [
    connect('user', 'ann'),
    connect('1', page('1', 'ann')),
    connect('2', page('2', 'ann')),
    connect('3', page('3', 'bob', 'view')),
    connect('4', { ...page('4', 'ann'), paragraphId: 'p' }),
    connect('5', { ...page('5', 'ann'), paragraphId: 'other' }),
  ];
  for (const { connection } of clients) {
    hub.connections.add(connection);
    hub.join(connection, 'n');
  }
  for (const { taken } of clients) taken.length = 0;
  const data = 'x'.repeat(20_000);
  const paragraph = { id: 'p', text: 'code', results: { msg: [{ type: 'TEXT', data }] } };
  hub.broadcastToNote('n', 'PARAGRAPH', { paragraph } as never);
  // Writing may continue in a later turn of the event loop.
  await expect.poll(() => clients.filter(({ taken }) => taken.length > 0)).toHaveLength(5);
  const [user, first, second, view, own, other] = clients.map(({ taken }) => taken);
  // A header, the text before the output, the output, and the rest.
  for (const taken of [user, first, second, view, own]) expect(taken).toHaveLength(4);
  expect(other).toEqual([]);
  for (const at of [0, 1, 2, 3]) expect(second![at]).toBe(first![at]);
  for (const taken of [user, view, own]) expect(taken![2]!.buffer).toBe(first![2]!.buffer);
  expect(String(first![1])).not.toContain('code');
  expect(String(user![1])).toContain('code');
});
