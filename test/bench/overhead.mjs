/** Overhead of the client: a run with it, and with a bare socket that sends the same frames. */
import { once } from 'node:events';
import WebSocket from 'ws';
import { runNote } from './content.mjs';
import { quantile, series } from './statistics.mjs';

export const title = 'Overhead of the client: a run compared to a bare socket with the same frames';
/** Alternating runs per repeat; the median counts. */
const RUNS = 15;

const kinds = {
  md: { place: 1, code: (n) => `%md\nrun ${n}` },
  js: { place: 0, code: (n) => `%js\nconsole.log(${n})` },
};

async function openBare({ url, client }, noteId) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`);
  await once(socket, 'open');
  const { principal, ticket, roles } = client.session.current;
  const send = (op, data) => socket.send(JSON.stringify({ op, data, principal, ticket, roles }));
  let onMessage = () => {};
  socket.on('message', (raw) => onMessage(JSON.parse(String(raw))));
  const until = (found) =>
    new Promise((resolve) => (onMessage = (message) => found(message) && resolve(message)));
  const read = until(({ op }) => op === 'NOTE');
  send('GET_NOTE', { id: noteId });
  const {
    data: { note },
  } = await read;
  return {
    async run(place, text) {
      const { id, title: name = '', config = {}, settings } = note.paragraphs[place];
      let started = false;
      const done = until(({ op, data }) => {
        if (op === 'ERROR_INFO' || op === 'AUTH_INFO') throw new Error(data.info);
        if (op !== 'PARAGRAPH' || data.paragraph.id !== id) return false;
        started ||= ['PENDING', 'RUNNING'].includes(data.paragraph.status);
        return started && data.paragraph.status === 'FINISHED';
      });
      send('RUN_PARAGRAPH', {
        id,
        noteId,
        title: name,
        paragraph: text,
        config,
        params: settings?.params ?? {},
      });
      await done;
    },
    close: () => socket.terminate(),
  };
}

const timeOf = async (act) => {
  const began = performance.now();
  await act();
  return performance.now() - began;
};

/** Measures the section. */
export async function measure({ server }, repeats) {
  const rows = {
    md: series('run() → settled, %md', 'ms'),
    js: series('run() → settled, %js', 'ms'),
  };
  const [ours, least] = await Promise.all(
    ['Client', 'Bare'].map((name) =>
      server.client.notes.importNote(runNote(`Bench/Overhead ${name}`)),
    ),
  );
  const note = await server.client.open(ours);
  const bare = await openBare(server, least);
  const byClient = async (place, text) => {
    note.paragraphs[place].edit(text);
    const { status } = await note.paragraphs[place].run();
    if (status !== 'FINISHED') throw new Error(`a run ended as ${status}`);
  };
  try {
    let number = 0;
    // Warm up: the first runs start processes.
    for (const { place, code } of Object.values(kinds)) {
      await byClient(place, code('0'));
      await bare.run(place, code('0'));
    }
    for (const _ of repeats()) {
      for (const [kind, { place, code }] of Object.entries(kinds)) {
        const times = { ours: [], least: [] };
        for (let at = 0; at < RUNS; at += 1) {
          number += 1;
          times.least.push(await timeOf(() => bare.run(place, code(number))));
          times.ours.push(await timeOf(() => byClient(place, code(number))));
        }
        rows[kind].add(quantile(times.ours, 0.5), quantile(times.least, 0.5));
      }
    }
  } finally {
    bare.close();
    note.close();
  }
  return Object.values(rows);
}
