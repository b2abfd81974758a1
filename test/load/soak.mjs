/**
 * Memory of the server over many minutes of edits, connects, disconnects, runs and clients that
 * stop reading.
 */
import { broadcast, edit, slope, stopwatch } from './broadcast.mjs';
import { droppedBy, stopReading } from './slow.mjs';
import { openMany, openSocket, sleep, textOf } from './sockets.mjs';

/** Intervals between two runs, and between two rounds of stalled clients, in ms. */
const RUN_MS = 10_000;
const SLOW_MS = 60_000;
const LAGGARDS = 3;
const runs = [
  '%md\n# A title\n\nsome *text*',
  '%js\nfor (let at = 0; at < 500; at += 1) console.log("line", at);',
  '%sql\nselect range as n, range * 2 as twice from range(1000)',
];

async function pause(ms, over) {
  for (const until = performance.now() + ms; performance.now() < until && !over(); )
    await sleep(200);
}

/**
 * @param {object} place as in `broadcast`
 * @param {{ run: string, runs: string[], slow: string, slowParagraph: string }} notes ids of a note
 * whose paragraphs run, and of a note with stalled clients
 */
export async function soak(place, notes, server, { sockets, ms }) {
  const { url, identity } = place;
  const counts = { runs: 0, failed: 0, dropped: 0 };
  let noisy = 0;
  const running = async (over) => {
    const socket = await openSocket(url, identity);
    const ended = (wanted) =>
      new Promise((resolve) =>
        socket.socket.on('message', function onFrame(data) {
          const { op, data: { paragraph } = {} } = JSON.parse(data);
          if (
            op !== 'PARAGRAPH' ||
            paragraph.id !== wanted ||
            !/FINISHED|ERROR|ABORT/.test(paragraph.status)
          )
            return;
          socket.socket.off('message', onFrame);
          resolve(paragraph.status);
        }),
      );
    await socket.ask('GET_NOTE', { id: notes.run }, 'NOTE');
    for (let at = 0; !over(); at += 1) {
      const id = notes.runs[at % runs.length];
      const end = ended(id);
      socket.send('RUN_PARAGRAPH', textOf(notes.run, id, runs[at % runs.length]));
      if ((await Promise.race([end, sleep(60_000)])) === 'FINISHED') counts.runs += 1;
      else counts.failed += 1;
      await pause(RUN_MS, over);
    }
    await socket.close();
  };
  const lagging = async (over) => {
    const editor = await openSocket(url, identity);
    await editor.ask('GET_NOTE', { id: notes.slow }, 'NOTE');
    for (;;) {
      await pause(SLOW_MS, over);
      if (over()) break;
      noisy += 1;
      const laggards = await openMany(url, identity, notes.slow, LAGGARDS, () => {});
      const before = await droppedBy(url);
      let done = false;
      const [end] = await Promise.all([
        stopReading(laggards, url, before, async () => true).finally(() => (done = true)),
        edit(editor, notes.slow, notes.slowParagraph, stopwatch(), () => done, {
          size: 400_000,
          patches: false,
        }),
      ]);
      counts.dropped += end.codes.filter((code) => code === 1013).length;
      // Later clients must not start with the large text.
      const small = textOf(notes.slow, notes.slowParagraph, '%md\nsmall');
      await editor.ask('COMMIT_PARAGRAPH', small, 'PARAGRAPH');
      noisy -= 1;
    }
    await editor.close();
  };
  const result = await broadcast(place, {
    sockets,
    ms,
    churn: true,
    memory: () => server.ask('after'),
    cpu: async () => (await server.ask('now')).cpu,
    beside: [running, lagging],
    quiet: () => noisy === 0,
  });
  const { points } = result;
  const part = (from, to) => points.filter(([at]) => at >= from * ms && at < to * ms);
  const mean = (some, at) => some.reduce((sum, point) => sum + point[at], 0) / some.length;
  const thirds = [
    [0, 1 / 6],
    [5 / 12, 7 / 12],
    [5 / 6, 2],
  ]
    .map(([from, to]) => part(from, to))
    .map((some) => ({ heap: mean(some, 2), rss: mean(some, 1) }));
  return {
    ...result,
    ...counts,
    minutes: ms / 60_000,
    start: thirds[0],
    middle: thirds[1],
    end: thirds[2],
    secondHalf: {
      heap: slope(part(0.5, 2).map(([at, , heap]) => [at, heap])),
      rss: slope(part(0.5, 2).map(([at, rss]) => [at, rss])),
    },
  };
}

/** Text of the paragraphs that {@link soak} runs. */
export const soakRuns = runs;
