/**
 * Time from the return of the network to the reloaded note: with the default delays, and when the
 * client is woken.
 */
import { once } from 'node:events';
import { webSocketTransport } from '@tiding/client';
import WebSocket from 'ws';
import { smallNote } from './content.mjs';
import { series } from './statistics.mjs';

/** Duration of the network failure, in ms. */
const AWAY_MS = 2_000;
export const title = `Recovery after ${AWAY_MS / 1_000} s without network`;

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** A transport whose network can fail: connections break, and new ones fail immediately. */
function network() {
  const live = new Set();
  const state = {
    online: true,
    away() {
      state.online = false;
      for (const end of [...live]) end();
    },
    transport(url, events) {
      if (!state.online) {
        setTimeout(() => events.onClose(1006, 'offline'), 1);
        return { send: () => {}, close: () => {} };
      }
      let over = false;
      const close = (code, reason) => {
        if (over) return;
        over = true;
        live.delete(end);
        events.onClose(code, reason);
      };
      const inner = webSocketTransport(url, {
        onOpen: () => over || events.onOpen(),
        onMessage: (text) => over || events.onMessage(text),
        onClose: close,
      });
      const end = () => {
        close(1006, 'offline');
        inner.close(1000);
      };
      live.add(end);
      return inner;
    },
  };
  return state;
}

/** The floor: a socket that opens and reads the note. */
async function bare({ url, client }, noteId) {
  const began = performance.now();
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`);
  await once(socket, 'open');
  const { principal, ticket, roles } = client.session.current;
  socket.send(JSON.stringify({ op: 'GET_NOTE', data: { id: noteId }, principal, ticket, roles }));
  for (;;) if (JSON.parse(String((await once(socket, 'message'))[0])).op === 'NOTE') break;
  socket.terminate();
  return performance.now() - began;
}

/** Measures the section. */
export async function measure(world, repeats) {
  const woken = series('network back, wake() → note ready', 'ms');
  const alone = series('network back → note ready, default delays', 'ms');
  const resyncs = series('reads of the note per recovery', '×');
  const net = network();
  const server = await world.startServer('recovery', { transport: net.transport });
  const { client } = server;
  try {
    const id = await client.notes.importNote(smallNote('Bench/Recovery'));
    const note = await client.open(id);
    let read = 0;
    let onRead = () => {};
    client.on('NOTE', ({ noteId }) => {
      if (noteId !== id) return;
      read += 1;
      onRead();
    });
    const recover = async (wake) => {
      net.away();
      await pause(AWAY_MS);
      read = 0;
      const ready = new Promise((resolve) => (onRead = resolve));
      const began = performance.now();
      net.online = true;
      if (wake) client.wake();
      await ready;
      const time = performance.now() - began;
      await pause(100);
      resyncs.add(read, 1);
      return time;
    };
    for (const _ of repeats()) {
      const least = await bare(server, id);
      woken.add(await recover(true), least);
      alone.add(await recover(false), least);
    }
    note.close();
  } finally {
    client.close();
    await server.stop();
  }
  return [woken, alone, resyncs];
}
