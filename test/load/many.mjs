/**
 * Ten thousand notes: time of a start, a list and a search, and the cost of a changed list with
 * many subscribers.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { quantile } from '../bench/statistics.mjs';
import { generator, openSocket, signIn, sleep, startChild } from './sockets.mjs';

export const NOTES = 10_000;
const words = [
  'sales region product amount customer order month forecast delay airport weather train model',
  'feature matrix cluster index latency report daily weekly select group join window partition',
  'average median deviation import export schedule table chart column',
].flatMap((line) => line.split(' '));

const dates = {
  dateCreated: '2026-01-05 09:00:00.000',
  dateStarted: '2026-01-05 09:00:01.000',
  dateFinished: '2026-01-05 09:00:02.000',
  dateUpdated: '2026-01-05 09:00:02.000',
};

/** Writes the notes into a data folder in the server's format. */
function writeNotes(data, count = NOTES) {
  // The notes are the same each time.
  const next = generator(7);
  const some = (length) =>
    Array.from({ length }, () => words[Math.floor(next() * words.length)]).join(' ');
  const authInfo = {};
  for (let at = 0; at < count; at += 1) {
    const id = `2LOAD${String(at).padStart(4, '0')}`;
    const paragraphs = Array.from({ length: 5 }, (_, place) => ({
      id: `20260105-090000_${at * 10 + place}`,
      title: place === 0 ? some(3) : undefined,
      text:
        `%sql\n-- ${some(8)} word${at % 997}\n` +
        `select ${some(1)}_${at} from ${some(1)} where ${some(6)}`,
      config: { enabled: true, colWidth: 12 },
      settings: { params: {}, forms: {} },
      status: 'FINISHED',
      results: { code: 'SUCCESS', msg: [{ type: 'TEXT', data: `${some(20)}\n` }] },
      user: 'admin',
      ...dates,
    }));
    mkdirSync(join(data, 'notebook', id), { recursive: true });
    writeFileSync(
      join(data, 'notebook', id, 'note.json'),
      JSON.stringify(
        { id, name: `Folder ${at % 40}/${some(2)} ${at}`, paragraphs, config: {}, info: {} },
        null,
        2,
      ),
    );
    authInfo[id] = { owners: ['admin'], writers: [], runners: [], readers: [] };
  }
  writeFileSync(join(data, 'notebook-authorization.json'), JSON.stringify({ authInfo }, null, 2));
  writeFileSync(join(data, 'samples.json'), '{}');
}

async function timesOf(count, act) {
  const took = [];
  for (let at = 0; at < count; at += 1) {
    const began = performance.now();
    await act(at);
    took.push(performance.now() - began);
  }
  return { p50: quantile(took, 0.5), max: Math.max(...took) };
}

/** Runs the measurements. `data` is an empty folder. */
export async function manyNotes(data, cleanup, sockets) {
  mkdirSync(join(data, 'notebook'), { recursive: true });
  writeNotes(data);
  const server = await startChild('server.mjs', [data], cleanup);
  const { identity, call } = await signIn(server.url);
  const memory = await server.ask('after');
  const list = await timesOf(15, async () => {
    const { length } = await call('GET', '/notebook');
    if (length < NOTES) throw new Error(`only ${length} notes`);
  });
  let found = 0;
  const search = async (query) =>
    (found += (await call('GET', `/notebook/search?q=${encodeURIComponent(query)}`)).length);
  // The first search builds the index, while other requests must be served.
  let longest = 0;
  let built = false;
  const others = (async () => {
    while (!built) {
      const began = performance.now();
      await fetch(`${server.url}/healthz`).then((answer) => answer.text());
      longest = Math.max(longest, performance.now() - began);
      await sleep(10);
    }
  })();
  const first = (await timesOf(1, () => search('forecast'))).max;
  built = true;
  await others;
  const kinds = {
    'one word': (at) => `word${at * 31}`,
    'two words': (at) => `${words[at]} word${at * 17}`,
    'a prefix': (at) => words[at].slice(0, 3),
    'a common word': (at) => words[at],
    misspelt: (at) => `${words[at + 3].slice(0, -1)}q${at}`.replace(/\d/g, ''),
    'no match': () => 'zzyzxqqq',
  };
  const searches = {};
  for (const [kind, query] of Object.entries(kinds))
    searches[kind] = await timesOf(8, (at) => search(query(at)));

  // Many clients have the list while one renames notes. Other requests must be answered soon.
  const watchers = await startChild(
    'watchers.mjs',
    [server.url, JSON.stringify(identity), '2LOAD0001', String(sockets)],
    cleanup,
  );
  const editor = await openSocket(server.url, identity);
  const other = await openSocket(server.url, identity);
  let renaming = true;
  const waits = [];
  const asking = (async () => {
    while (renaming) {
      const began = performance.now();
      await other.ask('LIST_CONFIGURATIONS', {}, 'CONFIGURATIONS_INFO');
      waits.push(performance.now() - began);
      await sleep(20);
    }
  })();
  const rename = await timesOf(20, (at) =>
    editor.ask('NOTE_RENAME', { id: `2LOAD0${100 + at}`, name: `renamed ${at}` }, 'NOTES_INFO'),
  );
  await sleep(2_000);
  renaming = false;
  await asking;
  const crowded = await server.ask('now');
  const { lists, megabytes } = await watchers.ask('lists');
  await Promise.all([editor, other].map((socket) => socket.close()));
  await watchers.stop();
  await server.stop();
  return {
    notes: NOTES,
    startMs: server.ms,
    memory: memory.rss,
    list,
    firstSearch: first,
    longestWhileBuilt: longest,
    searches,
    found,
    renames: {
      sockets,
      ...rename,
      lists,
      megabytes,
      other: { p50: quantile(waits, 0.5), max: Math.max(...waits) },
      memory: crowded.rss,
    },
  };
}
