/**
 * How much one server can do: edits and runs per second, and memory of interpreter processes. Edits
 * are sent as fast as they are answered, so that the processor is the limit.
 */
import { readFileSync } from 'node:fs';
import { createClient } from '../../client/dist/index.js';
import { quantile } from '../bench/statistics.mjs';
import { openSocket, PASSWORD, sleep, textOf } from './sockets.mjs';

/** Duration of each measurement, in ms. */
const MEASURE_MS = 10_000;
/** Notes that are edited, or in which code runs, at the same time. */
const NOTES = 8;
/** Notes whose processes are measured; twice as many are less than a user may have. */
const MEASURED = 4;
/** Number of paragraphs that a user may run at the same time. */
const AT_ONCE = 4;
const RUNS = {
  '%md': '# A title\n\nsome *text*',
  '%sql': 'select 1 as one',
  '%js': 'console.log(1)',
  '%python': 'print(1)',
};

/** Proportional memory of a process without what it shares with others, in MB. */
function memoryOf(pid) {
  try {
    const [, kilobytes] = /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'));
    return Number(kilobytes) / 1024;
  } catch {
    return 0;
  }
}

/** Returns the ids of all processes below a process. */
export function processesBelow(pid) {
  let children = [];
  try {
    children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ');
  } catch {
    // The process has ended.
  }
  return children
    .filter(Boolean)
    .map(Number)
    .flatMap((child) => [child, ...processesBelow(child)]);
}

const memoryBelow = (pid) => processesBelow(pid).reduce((sum, each) => sum + memoryOf(each), 0);

/** Edits per second of several authors, each in a note with one other viewer. */
async function edits({ url, identity }, notes) {
  const took = [];
  const until = performance.now() + MEASURE_MS;
  await Promise.all(
    notes.map(async ({ id, paragraphs }) => {
      const [author, viewer] = [await openSocket(url, identity), await openSocket(url, identity)];
      for (const each of [author, viewer]) await each.ask('GET_NOTE', { id }, 'NOTE');
      for (let at = 0; performance.now() < until; at += 1) {
        const began = performance.now();
        const text = `%md\n${'text of a paragraph of usual length. '.repeat(10)}${at}`;
        await author.ask('COMMIT_PARAGRAPH', textOf(id, paragraphs[0], text), 'PARAGRAPH');
        took.push(performance.now() - began);
      }
      await Promise.all([author.close(), viewer.close()]);
    }),
  );
  return { perSecond: (took.length * 1_000) / MEASURE_MS, p99: quantile(took, 0.99) };
}

/** Runs per second in several notes at the same time, after a first one that starts processes. */
async function runs(url, notes, magic) {
  const client = createClient({ server: url, timeout: 60_000 });
  await client.session.login('admin', PASSWORD);
  const took = [];
  const open = await Promise.all(notes.map(({ id }) => client.open(id)));
  const paragraphs = open.map((note) => note.paragraphs[1]);
  const some = paragraphs.slice(0, AT_ONCE);
  for (const each of some) {
    each.edit(`${magic}\n${RUNS[magic]}`);
    const { status, error } = await each.run({ timeout: 60_000 });
    if (status !== 'FINISHED') throw new Error(`${magic}: ${status} ${error}`);
  }
  const until = performance.now() + MEASURE_MS;
  await Promise.all(
    some.map(async (each) => {
      while (performance.now() < until) {
        const began = performance.now();
        await each.run({ timeout: 60_000 });
        took.push(performance.now() - began);
      }
    }),
  );
  client.close();
  return { perSecond: (took.length * 1_000) / MEASURE_MS, p50: quantile(took, 0.5) };
}

/** Mean memory of the processes that a run of this magic starts in each note, in MB. */
async function memoryPerNote(url, server, notes, magic) {
  const client = createClient({ server: url, timeout: 60_000 });
  await client.session.login('admin', PASSWORD);
  const before = memoryBelow(server.pid);
  for (const { id } of notes) {
    const note = await client.open(id);
    note.paragraphs[1].edit(`${magic}\n${RUNS[magic]}`);
    await note.paragraphs[1].run({ timeout: 60_000 });
  }
  await sleep(1_000);
  const after = memoryBelow(server.pid);
  client.close();
  return (after - before) / notes.length;
}

/** Measures a server that was just started. */
export async function capacity({ server, call, place }) {
  const make = async (name) => {
    const id = await call('POST', '/notebook', {
      name,
      paragraphs: [{ text: '%md\ntext' }, { text: '%md\nmore' }],
    });
    const { paragraphs } = await call('GET', `/notebook/${id}`);
    return { id, paragraphs: paragraphs.map(({ id: paragraph }) => paragraph) };
  };
  const set = (name, length) =>
    Promise.all(Array.from({ length }, (_each, at) => make(`${name}/${at}`)));
  const [fresh, scripts, notes] = [
    await set('python', MEASURED),
    await set('js', MEASURED),
    await set('capacity', NOTES),
  ];
  const report = {
    memory: {
      python: await memoryPerNote(place.url, server, fresh, '%python'),
      js: await memoryPerNote(place.url, server, scripts, '%js'),
    },
    edits: await edits(place, notes),
    runs: {},
  };
  for (const magic of Object.keys(RUNS)) report.runs[magic] = await runs(place.url, notes, magic);
  return report;
}
