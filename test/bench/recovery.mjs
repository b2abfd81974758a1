/** From the network's return to the note that is read anew: by the default delays alone, and when the client is woken. */
import { once } from 'node:events';
import { webSocketTransport } from 'tiding/client';
import WebSocket from 'ws';
import { smallNote } from './content.mjs';
import { series } from './statistics.mjs';

/** How long the network is away, ms. */
const AWAY_MS = 2_000;
export const title = `Recovery after ${AWAY_MS / 1_000} s without network`;
export const weight = 6;

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** The platform's socket over a network that can be taken away: connections break, and new ones fail at once. */
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
        close(1006, 'away');
        inner.close(1000);
      };
      live.add(end);
      return inner;
    },
  };
  return state;
}

/** The least: a socket that opens and reads the note. */
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
  const resyncs = series('readings of the note a recovery', '×');
  const net = network();
  const server = await world.startServer('recovery', { transport: net.transport });
  const { client } = server;
  try {
    const id = await client.notes.importNote(smallNote('Bench/Recovery'));
    const note = await client.open(id);
    let read = 0;
    let heard = () => {};
    client.on('NOTE', ({ noteId }) => {
      if (noteId !== id) return;
      read += 1;
      heard();
    });
    const recover = async (wake) => {
      net.away();
      await pause(AWAY_MS);
      read = 0;
      const ready = new Promise((resolve) => (heard = resolve));
      const began = performance.now();
      net.online = true;
      if (wake) client.wake();
      await ready;
      const time = performance.now() - began;
      await pause(100);
      resyncs.add(read, 1);
      return time;
    };
    for await (const _ of repeats()) {
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
