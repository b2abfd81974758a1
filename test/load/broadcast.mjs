/** One edits, many watch: how long an edit takes to each of them, and what it costs the server in memory over time. */
import { makeTextPatch } from '../../dist/lib/model.js';
import { quantile } from '../bench/statistics.mjs';
import { openSocket, sleep } from './sockets.mjs';
import { listenMany } from './wire.mjs';

/** Edits a second: commits and patches in turn. */
const RATE = 10;

/** The mark of the edit that a frame tells of; `undefined` where it tells of something else. */
function markOf(bytes) {
  if (!/"op": ?"(?:PATCH_PARAGRAPH|PARAGRAPH)"/.test(bytes.latin1Slice(0, 60))) return undefined;
  // The mark stands at the end of what was typed, and is written alike in texts and patches.
  const end = bytes.lastIndexOf('~') + 1;
  const found = /~(\d+)~$/.exec(bytes.latin1Slice(Math.max(0, end - 12), end));
  return found ? Number(found[1]) : undefined;
}

/** What a server and those who measure it take of the processor while it is measured, ms. `read` asks the server. */
export function processorTime(read) {
  let [server, own] = [0, 0];
  let since;
  const now = async () => ({ server: await read(), own: process.cpuUsage() });
  return {
    async go() {
      since = await now();
    },
    /** Until it goes on, what is done is not counted. */
    async pause() {
      if (!since) return;
      const at = await now();
      server += at.server - since.server;
      own += (at.own.user + at.own.system - since.own.user - since.own.system) / 1000;
      since = undefined;
    },
    each: (edits) => ({ cpu: server / edits, ownCpu: own / edits }),
  };
}

/** Latencies of edits: who sent which when, and who has it. */
export function stopwatch() {
  const sent = new Map();
  const took = [];
  const heard = new Map();
  let last;
  return {
    took,
    /** A mark for the text of the next edit. */
    mark() {
      const mark = sent.size;
      sent.set(mark, performance.now());
      return `~${mark}~`;
    },
    hear(bytes) {
      // All are told the same: it is read once.
      if (!last?.bytes.equals(bytes)) last = { bytes: Buffer.from(bytes), mark: markOf(bytes) };
      const { mark } = last;
      if (mark === undefined) return;
      took.push(performance.now() - sent.get(mark));
      heard.set(mark, (heard.get(mark) ?? 0) + 1);
    },
    /** Whether all of `each` have the last edit. */
    isHeard: (each) => (heard.get(sent.size - 1) ?? 0) >= each,
    get edits() {
      return sent.size;
    },
    /** How many receipts are missing of `each` for every edit. */
    missing: (each) =>
      [...sent.keys()].reduce((sum, mark) => sum + Math.max(0, each - (heard.get(mark) ?? 0)), 0),
    figures: () => ({
      p50: quantile(took, 0.5),
      p99: quantile(took, 0.99),
      max: took.reduce((most, ms) => Math.max(most, ms), 0),
      receipts: took.length,
    }),
  };
}

/** Edits a paragraph at a steady pace until `until` says so, and waits for `between` after each. Answers the last text. */
export async function edit(
  editor,
  id,
  paragraph,
  watch,
  until,
  { size = 0, patches = true, between = async () => {} } = {},
) {
  const base = `%md\n${'text of a paragraph of usual length, as people write it. '.repeat(Math.max(6, size / 57))}\n`;
  let text = base;
  for (let at = 0; !until(); at += 1) {
    const began = performance.now();
    const before = text;
    text = at % 2 === 0 || !patches ? base + watch.mark() : before + watch.mark();
    if (at % 2 === 0 || !patches)
      editor.send('COMMIT_PARAGRAPH', {
        id: paragraph,
        noteId: id,
        title: '',
        paragraph: text,
        config: {},
        params: {},
      });
    else
      editor.send('PATCH_PARAGRAPH', {
        id: paragraph,
        noteId: id,
        patch: makeTextPatch(before, text),
      });
    await sleep(Math.max(0, began + 1000 / RATE - performance.now()));
    await between();
  }
  return text;
}

/** What a value grows in a minute, by least squares over `[ms, value]`. */
export function slope(points) {
  const mean = (at) => points.reduce((sum, point) => sum + point[at], 0) / points.length;
  const [x, y] = [mean(0), mean(1)];
  return (
    (points.reduce((sum, [ms, value]) => sum + (ms - x) * (value - y), 0) /
      points.reduce((sum, [ms]) => sum + (ms - x) ** 2, 0)) *
    60_000
  );
}

/**
 * @param {object} place `{ url, identity, id, paragraph }`
 * @param {{ sockets: number, ms: number, memory: () => Promise<{ rss: number, heap?: number }>, cpu: () => Promise<number>, churn: boolean, beside?: ((over: () => boolean) => Promise<void>)[], quiet?: () => boolean }} options
 *   `cpu` answers the server's time on the processor so far, ms; `memory` is asked before, every few seconds and after; `churn`: one socket a second leaves, and another comes; `beside` is done
 *   meanwhile, and no memory is measured where it is not `quiet`
 */
export async function broadcast(
  { url, identity, id, paragraph },
  { sockets, ms, memory, cpu, churn, beside = [], quiet = () => true },
) {
  const watch = stopwatch();
  const before = await memory();
  const opened = performance.now();
  const watchers = await listenMany(url, identity, id, sockets - 1, watch.hear);
  const openMs = performance.now() - opened;
  const editor = await openSocket(url, identity);
  await editor.ask('GET_NOTE', { id }, 'NOTE');
  const time = processorTime(cpu);
  await time.go();
  const began = performance.now();
  const over = () => performance.now() - began > ms;
  const points = [];
  const guests = { done: 0 };
  let sampled = 0;
  const sample = async () => {
    if (performance.now() < sampled || !quiet()) return;
    sampled = performance.now() + Math.min(5_000, ms / 12);
    // No edit is on its way while rubbish is collected for the measurement.
    for (let at = 0; at < 100 && !watch.isHeard(sockets - 1); at += 1) await sleep(50);
    await time.pause();
    const { rss, heap } = await memory();
    points.push([performance.now() - began, rss, heap]);
    await time.go();
  };
  const visiting = (async () => {
    while (churn && !over()) {
      const [guest] = await listenMany(url, identity, id, 1, () => {});
      await sleep(500);
      await guest.close();
      guests.done += 1;
      await sleep(500);
    }
  })();
  const others = Promise.all(beside.map((act) => act(over)));
  await Promise.all([edit(editor, id, paragraph, watch, over, { between: sample }), others]);
  await visiting;
  await time.pause();
  await sleep(1_000);
  const during = await memory();
  await Promise.all([...watchers, editor].map((socket) => socket.close()));
  await sleep(500);
  const after = await memory();
  // The first quarter is for warming up.
  const settled = points.filter(([at]) => at > ms / 4);
  return {
    sockets,
    seconds: ms / 1000,
    edits: watch.edits,
    missing: watch.missing(sockets - 1),
    openMs,
    guests: guests.done,
    ...watch.figures(),
    ...time.each(watch.edits),
    points,
    memory: {
      before,
      during,
      after,
      rssSlope: slope(settled.map(([at, rss]) => [at, rss])),
      ...(settled[0]?.[2] === undefined
        ? {}
        : { heapSlope: slope(settled.map(([at, , heap]) => [at, heap])) }),
    },
  };
}
