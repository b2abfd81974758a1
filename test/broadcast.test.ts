/** What many are told: one frame for all, whatever its length; who does not read is dropped and comes back. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Note, Paragraph } from 'tiding/protocol';
import { framed } from '../app/server/hub.ts';
import { ADMIN_PASSWORD } from './support/embedded.ts';
import {
  asPage,
  login,
  openSocket,
  request,
  startEmpty,
  type Login,
  type RawSocket,
} from './support/raw.ts';

let embedded: Awaited<ReturnType<typeof startEmpty>>;
let url: string;
let admin: Login;
const sockets: RawSocket[] = [];
beforeAll(async () => {
  embedded = await startEmpty({ logLevel: 'silent', maxSockets: 100 });
  ({ url } = embedded.server);
  admin = await login(url, 'admin', ADMIN_PASSWORD);
});
afterAll(async () => {
  for (const { socket } of sockets) socket.terminate();
  await embedded.stop();
});

async function makeNote(text: string): Promise<{ id: string; paragraph: string }> {
  const { body: id } = (
    await request(url, 'POST', '/api/notebook', {
      headers: asPage(admin),
      body: JSON.stringify({ paragraphs: [{ text }] }),
    })
  ).json as { body: string };
  const { body } = (await request(url, 'GET', `/api/notebook/${id}`, { headers: asPage(admin) }))
    .json as { body: Note };
  return { id, paragraph: body.paragraphs![0]!.id };
}
async function open(id: string): Promise<RawSocket & { text: string }> {
  const socket = await openSocket(url, { identity: admin.identity });
  sockets.push(socket);
  socket.send({ op: 'GET_NOTE', data: { id } });
  const { note } = (await socket.next('NOTE')).data as { note: Note };
  return { ...socket, text: note.paragraphs![0]!.text! };
}
const commit = (editor: RawSocket, noteId: string, id: string, paragraph: string, msgId?: string) =>
  editor.send({
    op: 'COMMIT_PARAGRAPH',
    data: { id, noteId, title: '', paragraph, config: {}, params: {} },
    ...(msgId ? { msgId } : {}),
  });
const textOf = ({ data }: { data: Record<string, unknown> }) =>
  (data['paragraph'] as Paragraph).text;

it('a text of any length is one good frame', async () => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
  await once(server, 'listening');
  const texts = [0, 1, 124, 125, 126, 127, 65_534, 65_535, 65_536, 65_537, 3_000_000].flatMap(
    (length) => ['x'.repeat(length), `${'x'.repeat(Math.max(0, length - 3))}€`],
  );
  // Among frames that the socket has made itself.
  server.on('connection', (socket, { socket: stream }) =>
    texts.forEach((text) => {
      stream.write(framed(text));
      socket.send('between');
    }),
  );
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const heard: string[] = [];
  await new Promise<void>((resolve) =>
    client.on('message', (data, binary) => {
      expect(binary).toBe(false);
      if (heard.push(String(data)) === texts.length * 2) resolve();
    }),
  );
  expect(heard.filter((_text, at) => at % 2 === 0).every((text, at) => text === texts[at])).toBe(
    true,
  );
  expect(heard.filter((_text, at) => at % 2 === 1).every((text) => text === 'between')).toBe(true);
  client.terminate();
  server.close();
});

it('all hear the same in the same order, and only who asked hears the id of his message', async () => {
  const { id, paragraph } = await makeNote('%md\n');
  const [editor, ...others] = [await open(id), await open(id), await open(id)];
  const texts = Array.from({ length: 30 }, (_each, at) => `%md\n${'é'.repeat(at * at * 60)}${at}`);
  texts.forEach((text, at) => commit(editor!, id, paragraph, text, `mine-${at}`));
  for (const [at, text] of texts.entries()) {
    const mine = await editor!.next('PARAGRAPH');
    expect([textOf(mine), mine.msgId]).toEqual([text, `mine-${at}`]);
    for (const other of others) expect(textOf(await other.next('PARAGRAPH'))).toBe(text);
  }
});

it('who does not read is dropped with 1013 once too much waits for him; the others hear everything, and he finds it when he comes back', async () => {
  const { id, paragraph } = await makeNote('%md\n');
  const [editor, reader, laggard] = [await open(id), await open(id), await open(id)];
  laggard.socket.pause();
  const dropped = async () =>
    Number(
      /^tiding_slow_readers_dropped_total (\d+)$/m.exec(
        (await request(url, 'GET', '/metrics')).text,
      )![1],
    );
  let text = '';
  let told = 0;
  // What the system buffers comes on top of the eight megabytes.
  for (; (await dropped()) === 0; told += 1) {
    expect(told).toBeLessThan(100);
    text = `%md\n${told} ${'x'.repeat(900_000)}`;
    commit(editor, id, paragraph, text);
    expect(textOf(await reader.next('PARAGRAPH'))).toBe(text);
    await editor.next('PARAGRAPH');
  }
  expect(told).toBeGreaterThan(8);
  laggard.socket.resume();
  expect(await laggard.closed).toEqual({ code: 1013, reason: 'too slow' });
  const back = await open(id);
  expect(back.text).toBe(text);
  commit(editor, id, paragraph, '%md\nsmall again');
  for (const socket of [back, reader, editor])
    expect(textOf(await socket.next('PARAGRAPH'))).toBe('%md\nsmall again');
  expect(await dropped()).toBe(1);
});
