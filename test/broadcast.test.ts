/**
 * Broadcasts: all receivers get the same frame, of any length. A slow reader is disconnected and
 * can reconnect.
 */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Note, Paragraph } from '@tiding/client/protocol';
import { expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { Frame } from '../server/hub/frame.ts';
import { bodyOf } from './support/people.ts';
import { asPage, login, openSocket, type RawSocket, request, startEmpty } from './support/raw.ts';
import { untilEnd } from './support/until-end.ts';

const embedded = untilEnd(await startEmpty({ logLevel: 'silent', maxSockets: 100 }));
const { url } = embedded.server;
const admin = await login(url);

async function makeNote(text: string): Promise<{ id: string; paragraph: string }> {
  const id = await bodyOf<string>(
    request(url, 'POST', '/api/notebook', {
      headers: asPage(admin),
      body: JSON.stringify({ paragraphs: [{ text }] }),
    }),
  );
  const body = await bodyOf<Note>(
    request(url, 'GET', `/api/notebook/${id}`, { headers: asPage(admin) }),
  );
  return { id, paragraph: body.paragraphs![0]!.id };
}
async function open(id: string): Promise<RawSocket & { text: string }> {
  const socket = await openSocket(url, { identity: admin.identity });
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

it('a text of any length is one valid message', async () => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
  await once(server, 'listening');
  const texts = [0, 1, 124, 125, 126, 127, 65_534, 65_535, 65_536, 65_537, 3_000_000].flatMap(
    (length) => ['x'.repeat(length), `${'x'.repeat(Math.max(0, length - 3))}€`],
  );
  // Interleaved with frames made by the socket itself.
  server.on('connection', (socket, { socket: stream }) =>
    texts.forEach((text) => {
      for (const bytes of new Frame([Buffer.from(text)]).fragments().flat()) stream.write(bytes);
      socket.send('between');
    }),
  );
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const received: string[] = [];
  await new Promise<void>((resolve) =>
    client.on('message', (data, binary) => {
      expect(binary).toBe(false);
      if (received.push(String(data)) === texts.length * 2) resolve();
    }),
  );
  expect(received.filter((_text, at) => at % 2 === 0).every((text, at) => text === texts[at])).toBe(
    true,
  );
  expect(received.filter((_text, at) => at % 2 === 1).every((text) => text === 'between')).toBe(
    true,
  );
  client.terminate();
  server.close();
});

it('all clients receive the same order; only the sender receives its message id', async () => {
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

it('a slow reader is closed with 1013, and finds everything when it reconnects [S50]', async () => {
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
  let sent = 0;
  // The system's socket buffers add to the limit of eight megabytes.
  for (; (await dropped()) === 0; sent += 1) {
    expect(sent).toBeLessThan(100);
    text = `%md\n${sent} ${'x'.repeat(900_000)}`;
    commit(editor, id, paragraph, text);
    expect(textOf(await reader.next('PARAGRAPH'))).toBe(text);
    await editor.next('PARAGRAPH');
  }
  expect(sent).toBeGreaterThan(8);
  laggard.socket.resume();
  expect(await laggard.closed).toEqual({ code: 1013, reason: 'too slow' });
  const back = await open(id);
  expect(back.text).toBe(text);
  commit(editor, id, paragraph, '%md\nsmall again');
  for (const socket of [back, reader, editor])
    expect(textOf(await socket.next('PARAGRAPH'))).toBe('%md\nsmall again');
  expect(await dropped()).toBe(1);
});
