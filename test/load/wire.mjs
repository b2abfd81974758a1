/**
 * Sockets that only listen, at the lowest processor cost: one buffer for all, frames cut from it,
 * nothing decoded. Otherwise the cost of many clients would distort the server's times.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { createAsk, openSome } from './sockets.mjs';

/** Interval of pings, in ms; the server closes connections that are silent for minutes. */
const PING_MS = 60_000;
const shared = Buffer.alloc(65_536);

const [TEXT, CLOSE, PING, PONG] = [1, 8, 9, 10];

/** Encodes a client frame with a zero mask. */
function masked(body, opcode = TEXT) {
  if (body.length >= 65_536) throw new Error('the message is too long for a listening socket');
  const head =
    body.length < 126
      ? [0x80 | opcode, 0x80 | body.length]
      : [0x80 | opcode, 0xfe, body.length >> 8, body.length & 255];
  return Buffer.concat([Buffer.from([...head, 0, 0, 0, 0]), body]);
}

/**
 * Cuts a stream into payloads. A payload may be a view of the shared buffer, so copy it to keep it.
 * Of a message in fragments, only the first and the last are passed on.
 */
function cutter(onPayload, onPing, onClose) {
  /** The received bytes of an incomplete frame. */
  let rest;
  let filled = 0;
  let wanted = 0;
  /** The first fragment of an incomplete message. */
  let start;
  const onFrame = (first, payload) => {
    const isLast = first >= 128;
    const opcode = first & 15;
    if (opcode === CLOSE) onClose(payload.length >= 2 ? payload.readUInt16BE(0) : 1005);
    else if (opcode === PING) onPing(payload);
    else if (isLast && !start) onPayload(payload);
    else if (isLast) {
      onPayload(Buffer.concat([start, payload]));
      start = undefined;
    } else start ??= Buffer.from(payload);
  };
  return (chunk) => {
    let bytes = chunk;
    while (bytes.length > 0) {
      if (rest) {
        const part = bytes.subarray(0, wanted - filled);
        if (filled + part.length > rest.length) rest = Buffer.concat([rest], wanted);
        part.copy(rest, filled);
        filled += part.length;
        bytes = bytes.subarray(part.length);
        if (filled < wanted) return;
      }
      const whole = rest ? rest.subarray(0, filled) : bytes;
      const size = frameSize(whole);
      if (whole.length < size.total) {
        if (!rest) {
          rest = Buffer.allocUnsafeSlow(size.total);
          filled = bytes.copy(rest);
          bytes = bytes.subarray(filled);
        }
        wanted = size.total;
        continue;
      }
      const payload = whole.subarray(size.start, size.total);
      onFrame(whole[0], payload);
      if (rest) rest = undefined;
      else bytes = bytes.subarray(size.total);
    }
  };
}

/** Start of a frame's payload and length of the frame, as far as the first bytes tell. */
function frameSize(bytes) {
  if (bytes.length < 2) return { start: 2, total: 2 + (bytes.length === 0 ? 0 : 1) };
  const short = bytes[1] & 127;
  const start = short < 126 ? 2 : short === 126 ? 4 : 10;
  if (bytes.length < start) return { start, total: start + 1 };
  return {
    start,
    total:
      start +
      (short < 126
        ? short
        : short === 126
          ? bytes.readUInt16BE(2)
          : Number(bytes.readBigUInt64BE(2))),
  };
}

/** Opens a listening socket. `onFrame` receives the payload of each frame and must not keep it. */
export async function listen(url, identity, onFrame) {
  const { hostname, port } = new URL(url);
  let code;
  let first;
  const listeners = new Set([onFrame]);
  const cut = cutter(
    (payload) => listeners.forEach((each) => each(payload)),
    // The server remembers the texts that are not known to have arrived.
    (payload) => socket.write(masked(payload, PONG)),
    (received) => (code = received),
  );
  let head = '';
  let upgraded;
  const ready = new Promise((resolve, reject) => (upgraded = { resolve, reject }));
  const socket = connect({
    host: hostname,
    port: Number(port),
    noDelay: true,
    onread: {
      buffer: shared,
      callback(length) {
        if (first) return cut(shared.subarray(0, length)), true;
        head += shared.latin1Slice(0, length);
        const end = head.indexOf('\r\n\r\n');
        if (end < 0) return true;
        if (!head.startsWith('HTTP/1.1 101'))
          return (
            upgraded.reject(new Error(`the connection was refused: ${head.slice(0, 60)}`)), true
          );
        first = true;
        cut(Buffer.from(head.slice(end + 4), 'latin1'));
        upgraded.resolve();
        return true;
      },
    },
  });
  const closed = new Promise((resolve) => socket.once('close', () => resolve(code ?? 1006)));
  socket.on('error', () => {});
  void closed.then(() => upgraded.reject(new Error('the connection was refused')));
  ready.catch(() => {});
  await Promise.race([once(socket, 'connect'), ready]);
  socket.write(
    [
      'GET /ws HTTP/1.1',
      `Host: ${hostname}:${port}`,
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
      '\r\n',
    ].join('\r\n'),
  );
  await ready;
  const send = (op, data, msgId) =>
    socket.write(
      masked(Buffer.from(JSON.stringify({ op, data, ...identity, ...(msgId ? { msgId } : {}) }))),
    );
  const pinging = setInterval(() => send('PING', {}), PING_MS).unref();
  void closed.then(() => clearInterval(pinging));
  return {
    socket,
    closed,
    send,
    ask: createAsk(listeners, send, Buffer.from),
    async close() {
      socket.write(Buffer.from([0x88, 0x80, 0, 0, 0, 0]));
      socket.end();
      await closed;
    },
  };
}

/** Opens `count` listening sockets; with an `id`, they open that note. */
export const listenMany = (url, identity, id, count, onFrame) =>
  openSome(count, async () => {
    const each = await listen(url, identity, onFrame);
    if (id !== undefined) await each.ask('GET_NOTE', { id }, 'NOTE');
    return each;
  });
