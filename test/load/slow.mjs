/** Some stop reading: they are dropped, what waits for them is bounded, and nobody else waits for them. */
import { edit, stopwatch } from './broadcast.mjs';
import { openMany, openSocket, sleep } from './sockets.mjs';

/** Bytes of the paragraph that is edited, so that what is not read piles up within seconds. */
const SIZE = 400_000;
const READERS = 5;
const LONGEST_MS = 25_000;

/** `slow` sockets stop reading beside a few that go on. Answers MB, ms and how many were dropped. */
export async function slowReaders({ url, identity, id, paragraph }, server, slow) {
  const phase = async (stopped) => {
    const watch = stopwatch();
    const readers = await openMany(url, identity, id, READERS, watch.hear);
    const laggards = await openMany(url, identity, id, slow, () => {});
    const editor = await openSocket(url, identity);
    await editor.ask('GET_NOTE', { id }, 'NOTE');
    const before = await server.ask('after');
    if (stopped) for (const { socket } of laggards) socket.pause();
    const began = performance.now();
    let most = before.rss;
    let droppedMs;
    const watching = (async () => {
      while (performance.now() - began < (stopped ? LONGEST_MS : 4_000) && droppedMs === undefined) {
        await sleep(200);
        const now = await server.ask('now');
        most = Math.max(most, now.rss);
        if (stopped && now.sockets <= before.sockets - slow) droppedMs = performance.now() - began;
      }
    })();
    let over = false;
    await Promise.all([edit(editor, id, paragraph, watch, () => over, { size: SIZE, patches: false }), watching.then(() => (over = true))]);
    await sleep(500);
    const after = await server.ask('after');
    const codes = [];
    for (const laggard of laggards) {
      laggard.socket.resume();
      if (!stopped) laggard.socket.close();
      codes.push(await Promise.race([laggard.closed, sleep(5_000).then(() => 'still open')]));
      laggard.socket.terminate();
    }
    await Promise.all([...readers, editor].map((socket) => socket.close()));
    return { ...watch.figures(), missing: watch.missing(READERS), before: before.rss, most, after: after.rss, droppedMs, codes };
  };
  const usual = await phase(false);
  const stopped = await phase(true);
  return {
    slow, readers: READERS, bytes: SIZE, usual: { p50: usual.p50, p99: usual.p99 },
    p50: stopped.p50, p99: stopped.p99, missing: stopped.missing, droppedMs: stopped.droppedMs,
    dropped: stopped.codes.filter((code) => code === 1013 || code === 1006).length,
    memory: { before: stopped.before, most: stopped.most, after: stopped.after },
  };
}
