/** One edits, many watch: how long an edit takes to each of them, and what it costs the server in memory over time. */
import { makeTextPatch } from '../../dist/lib/model.js';
import { quantile } from '../bench/statistics.mjs';
import { openMany, openSocket, sleep } from './sockets.mjs';

/** Edits a second: commits and patches in turn. */
const RATE = 10;

/** Latencies of edits: who sent which when, and who has it. */
export function stopwatch() {
  const sent = new Map();
  const took = [];
  const heard = new Map();
  return {
    took,
    /** A mark for the text of the next edit. */
    mark() {
      const mark = sent.size;
      sent.set(mark, performance.now());
      return `~${mark}~`;
    },
    hear(bytes) {
      if (!/"op": ?"(?:PATCH_PARAGRAPH|PARAGRAPH)"/.test(bytes.latin1Slice(0, Math.min(60, bytes.length)))) return;
      // The mark stands at the end of what was typed, and is written alike in texts and patches.
      const end = bytes.lastIndexOf('~') + 1;
      const found = /~(\d+)~$/.exec(bytes.latin1Slice(Math.max(0, end - 12), end));
      if (!found) return;
      const mark = Number(found[1]);
      took.push(performance.now() - sent.get(mark));
      heard.set(mark, (heard.get(mark) ?? 0) + 1);
    },
    get edits() {
      return sent.size;
    },
    /** How many receipts are missing of `each` for every edit. */
    missing: (each) => [...sent.keys()].reduce((sum, mark) => sum + Math.max(0, each - (heard.get(mark) ?? 0)), 0),
    figures: () => ({ p50: quantile(took, 0.5), p99: quantile(took, 0.99), max: took.reduce((most, ms) => Math.max(most, ms), 0), receipts: took.length }),
  };
}

/** Edits a paragraph at a steady pace until `until` says so, and waits for `between` after each. */
export async function edit(editor, id, paragraph, watch, until, { size = 0, patches = true, between = async () => {} } = {}) {
  const base = `%md\n${'text of a paragraph of usual length, as people write it. '.repeat(Math.max(6, size / 57))}\n`;
  let text = base;
  for (let at = 0; !until(); at += 1) {
    const began = performance.now();
    const before = text;
    text = at % 2 === 0 || !patches ? base + watch.mark() : before + watch.mark();
    if (at % 2 === 0 || !patches) editor.send('COMMIT_PARAGRAPH', { id: paragraph, noteId: id, title: '', paragraph: text, config: {}, params: {} });
    else editor.send('PATCH_PARAGRAPH', { id: paragraph, noteId: id, patch: makeTextPatch(before, text) });
    await sleep(Math.max(0, began + 1000 / RATE - performance.now()));
    await between();
  }
}

/** What a value grows in a minute, by least squares over `[ms, value]`. */
function slope(points) {
  const mean = (at) => points.reduce((sum, point) => sum + point[at], 0) / points.length;
  const [x, y] = [mean(0), mean(1)];
  return (points.reduce((sum, [ms, value]) => sum + (ms - x) * (value - y), 0) / points.reduce((sum, [ms]) => sum + (ms - x) ** 2, 0)) * 60_000;
}

/**
 * @param {object} place `{ url, identity, id, paragraph }`
 * @param {{ sockets: number, ms: number, memory: () => Promise<{ rss: number, heap?: number }>, churn: boolean }} options
 *   `memory` is asked before, every few seconds and after; `churn`: one socket a second leaves, and another comes
 */
export async function broadcast({ url, identity, id, paragraph }, { sockets, ms, memory, churn }) {
  const watch = stopwatch();
  const before = await memory();
  const opened = performance.now();
  const watchers = await openMany(url, identity, id, sockets - 1, watch.hear);
  const openMs = performance.now() - opened;
  const editor = await openSocket(url, identity);
  await editor.ask('GET_NOTE', { id }, 'NOTE');
  const began = performance.now();
  const over = () => performance.now() - began > ms;
  const points = [];
  const guests = { done: 0 };
  let sampled = 0;
  const sample = async () => {
    if (performance.now() < sampled) return;
    sampled = performance.now() + Math.min(5_000, ms / 12);
    // No edit is on its way while rubbish is collected for the measurement.
    await sleep(100);
    const { rss, heap } = await memory();
    points.push([performance.now() - began, rss, heap]);
  };
  const visiting = (async () => {
    while (churn && !over()) {
      const [guest] = await openMany(url, identity, id, 1, () => {});
      await sleep(500);
      await guest.close();
      guests.done += 1;
      await sleep(500);
    }
  })();
  await edit(editor, id, paragraph, watch, over, { between: sample });
  await visiting;
  await sleep(1_000);
  const during = await memory();
  await Promise.all([...watchers, editor].map((socket) => socket.close()));
  await sleep(500);
  const after = await memory();
  // The first quarter is for warming up.
  const settled = points.filter(([at]) => at > ms / 4);
  return {
    sockets, seconds: ms / 1000, edits: watch.edits, missing: watch.missing(sockets - 1), openMs, guests: guests.done, ...watch.figures(),
    memory: {
      before, during, after,
      rssSlope: slope(settled.map(([at, rss]) => [at, rss])),
      ...(settled[0]?.[2] === undefined ? {} : { heapSlope: slope(settled.map(([at, , heap]) => [at, heap])) }),
    },
  };
}
