/** One client edits and many watch: latency of the edits and memory of the server over time. */
import { makeTextPatch } from '../../client/dist/changes.js';
import { quantile } from '../bench/statistics.mjs';
import { openSocket, sleep, textOf } from './sockets.mjs';
import { listenMany } from './wire.mjs';

/** Edits per second: commits and patches in turn. */
const RATE = 10;

/** The mark of the edit in a frame, or `undefined` for other frames. */
function markOf(bytes) {
  if (!/"op": ?"(?:PATCH_PARAGRAPH|PARAGRAPH)"/.test(bytes.toString('latin1', 0, 60)))
    return undefined;
  // The mark is at the end of the typed text and looks alike in texts and patches.
  const end = bytes.lastIndexOf('~') + 1;
  const found = /~(\d+)~$/.exec(bytes.toString('latin1', Math.max(0, end - 12), end));
  return found ? Number(found[1]) : undefined;
}

/** Processor time of the server (from `read`) and of this process while measuring, in ms. */
export function processorTime(read) {
  let [server, own] = [0, 0];
  let since;
  const now = async () => ({ server: await read(), own: process.cpuUsage() });
  return {
    async resume() {
      since = await now();
    },
    /** Stops counting until `resume`. */
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

/** Latencies of edits: when each was sent and how many clients received it. */
export function stopwatch() {
  const sent = new Map();
  const took = [];
  const received = new Map();
  let last;
  return {
    took,
    /** Creates a mark for the text of the next edit. */
    mark() {
      const mark = sent.size;
      sent.set(mark, performance.now());
      return `~${mark}~`;
    },
    receive(bytes) {
      // All clients receive the same bytes; parse them once.
      if (!last?.bytes.equals(bytes)) last = { bytes: Buffer.from(bytes), mark: markOf(bytes) };
      const { mark } = last;
      if (mark === undefined) return;
      took.push(performance.now() - sent.get(mark));
      received.set(mark, (received.get(mark) ?? 0) + 1);
    },
    /** Whether `each` clients have received the last edit. */
    isReceived: (each) => (received.get(sent.size - 1) ?? 0) >= each,
    get edits() {
      return sent.size;
    },
    /** Number of missing messages, if `each` clients should have received every edit. */
    missing: (each) =>
      [...sent.keys()].reduce(
        (sum, mark) => sum + Math.max(0, each - (received.get(mark) ?? 0)),
        0,
      ),
    figures: () => ({
      p50: quantile(took, 0.5),
      p99: quantile(took, 0.99),
      max: took.reduce((most, ms) => Math.max(most, ms), 0),
      receipts: took.length,
    }),
  };
}

/**
 * Edits a paragraph at a steady pace until `until` returns true, and awaits `between` after each
 * edit. Like a page, it makes each edit from the text that it received last, so that it waits if
 * the server is slower. Returns the last text.
 */
export async function edit(
  editor,
  id,
  paragraph,
  watch,
  until,
  { size = 0, patches = true, between = async () => {} } = {},
) {
  const sentence = 'text of a paragraph of usual length, as people write it. ';
  const base = `%md\n${sentence.repeat(Math.max(6, size / 57))}\n`;
  let text = base;
  for (let at = 0; !until(); at += 1) {
    const began = performance.now();
    const before = text;
    text = at % 2 === 0 || !patches ? base + watch.mark() : before + watch.mark();
    if (at % 2 === 0 || !patches)
      await editor.ask('COMMIT_PARAGRAPH', textOf(id, paragraph, text), 'PARAGRAPH');
    else {
      const patch = makeTextPatch(before, text);
      editor.send('PATCH_PARAGRAPH', { id: paragraph, noteId: id, patch });
      // Its author is not sent a patch.
      while (!watch.isReceived(1) && !until()) await sleep(2);
    }
    await sleep(Math.max(0, began + 1000 / RATE - performance.now()));
    await between();
  }
  return text;
}

/** Growth per minute by least squares over `[ms, value]`. */
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
 * @param {{ sockets: number, ms: number, memory: () => Promise<{ rss: number, heap?: number }>,
 * cpu: () => Promise<number> }} options
 * `cpu` returns the server's processor time so far, in ms; `memory` is sampled before, every few
 * seconds and after; one socket per second is replaced
 */
export async function broadcast({ url, identity, id, paragraph }, { sockets, ms, memory, cpu }) {
  const watch = stopwatch();
  const before = await memory();
  const opened = performance.now();
  const watchers = await listenMany(url, identity, id, sockets - 1, watch.receive);
  const openMs = performance.now() - opened;
  const editor = await openSocket(url, identity);
  await editor.ask('GET_NOTE', { id }, 'NOTE');
  const time = processorTime(cpu);
  await time.resume();
  const began = performance.now();
  const over = () => performance.now() - began > ms;
  const points = [];
  const guests = { done: 0 };
  let sampled = 0;
  const sample = async () => {
    if (performance.now() < sampled) return;
    sampled = performance.now() + Math.min(5_000, ms / 12);
    // No edit must be in flight during the garbage collection of the measurement.
    for (let at = 0; at < 100 && !watch.isReceived(sockets - 1); at += 1) await sleep(50);
    await time.pause();
    const { rss, heap } = await memory();
    points.push([performance.now() - began, rss, heap]);
    await time.resume();
  };
  const visiting = (async () => {
    while (!over()) {
      const [guest] = await listenMany(url, identity, id, 1, () => {});
      await sleep(500);
      await guest.close();
      guests.done += 1;
      await sleep(500);
    }
  })();
  await edit(editor, id, paragraph, watch, over, { between: sample });
  await visiting;
  await time.pause();
  await sleep(1_000);
  const during = await memory();
  await Promise.all([...watchers, editor].map((socket) => socket.close()));
  await sleep(500);
  const after = await memory();
  // The first quarter is warm-up.
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
