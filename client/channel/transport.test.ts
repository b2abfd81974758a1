import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { Channel } from './channel.ts';
import { type Connection, webSocketTransport } from './transport.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A real server on its own port, and the sockets that connect to it. */
async function listen() {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  closing.push(() => {
    for (const socket of server.clients) socket.terminate();
    server.close();
  });
  await once(server, 'listening');
  const next = async () => ((await once(server, 'connection')) as [WebSocket])[0];
  return { url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/ws`, next };
}

/** A connection with its events, and a way to wait for the next one. */
function connect(url: string) {
  const told: unknown[][] = [];
  let wake = () => {};
  const tell = (...what: unknown[]) => {
    told.push(what);
    wake();
  };
  const connection: Connection = webSocketTransport(url, {
    onOpen: () => tell('open'),
    onMessage: (text) => tell('message', text),
    onClose: (code, reason) => tell('close', code, reason),
  });
  closing.push(() => connection.close());
  const until = async (count: number) => {
    while (told.length < count) await new Promise<void>((resolve) => (wake = resolve));
    return told;
  };
  return { connection, told, until };
}

test('a connection carries text in both directions and reports how it was closed', async () => {
  const { url, next } = await listen();
  const socket = next();
  const { connection, until } = connect(url);
  await until(1);
  const far = await socket;
  connection.send('{"op":"PING"}');
  expect(String(((await once(far, 'message')) as [Buffer])[0])).toBe('{"op":"PING"}');
  far.send('ä');
  far.close(1001, 'Idle Timeout');
  expect(await until(3)).toEqual([['open'], ['message', 'ä'], ['close', 1001, 'Idle Timeout']]);
});

test('a refused connection is closed once and causes no unhandled error', async () => {
  const holder = createServer().listen(0, '127.0.0.1');
  await once(holder, 'listening');
  const { port } = holder.address() as AddressInfo;
  holder.close();
  await once(holder, 'close');
  const { until } = connect(`ws://127.0.0.1:${port}/ws`);
  expect(await until(1)).toEqual([['close', 1006, '']]);
});

test('a connection closed by the client ends immediately and reports it once', async () => {
  const { url, next } = await listen();
  const socket = next();
  const { connection, told, until } = connect(url);
  await until(1);
  const far = await socket;
  connection.close(1000, 'closed');
  expect(told).toEqual([['open'], ['close', 1000, 'closed']]);
  expect(((await once(far, 'close')) as unknown[])[0]).toBe(1000);
  await new Promise((resolve) => setImmediate(resolve));
  expect(told).toHaveLength(2);
});

test('a connection that breaks is closed with 1006', async () => {
  const { url, next } = await listen();
  const socket = next();
  const { until } = connect(url);
  await until(1);
  (await socket).terminate();
  expect(await until(2)).toEqual([['open'], ['close', 1006, '']]);
});

test('a real socket: idempotent requests lost in a break are repeated, others reject', async () => {
  const { url, next } = await listen();
  let waiting = next();
  const channel = new Channel({
    url,
    identity: async () => ({ principal: 'a', ticket: 't', roles: '[]' }),
    backoff: () => 5,
  });
  closing.push(() => channel.close());
  channel.open();
  const list = channel.request('LIST_NOTES', {}, (message) =>
    message.op === 'NOTES_INFO' ? message.data.notes.length : undefined,
  );
  const first = await waiting;
  await once(first, 'message');
  waiting = next();
  first.terminate();
  const second = await waiting;
  expect(JSON.parse(String(((await once(second, 'message')) as [Buffer])[0]))).toMatchObject({
    op: 'LIST_NOTES',
    principal: 'a',
    ticket: 't',
    roles: '[]',
  });
  second.send(
    '{\n  "op": "NOTES_INFO",\n  "data": {\n    "notes": [{"id":"a","path":"/a"}]\n  }\n}',
  );
  expect(await list).toBe(1);

  const heard = once(second, 'message');
  const made = channel.request('NEW_NOTE', {}, () => undefined).catch((error: unknown) => error);
  await heard;
  second.terminate();
  expect(await made).toMatchObject({ code: 'unknown-outcome' });
});
