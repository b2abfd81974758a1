/**
 * Clients that stop reading: they are dropped, their queues are bounded, others are not delayed,
 * and they can reconnect to the latest state.
 */
import { edit, stopwatch } from './broadcast.mjs';
import { openMany, openSocket, sleep, textOf } from './sockets.mjs';

/** Size of the edited paragraph in bytes, so that queues fill up within seconds. */
const SIZE = 400_000;
const READERS = 5;
const LONGEST_MS = 25_000;
/** Number of clients that read again once dropped, and so receive the close code. */
const AGAIN = 5;

/** Number of slow clients that the server has dropped so far. */
export async function droppedBy(url) {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^tiding_slow_readers_dropped_total (\d+)$/m.exec(text)[1]);
}

/**
 * Lets clients stop reading until the server has dropped them all. Returns the time in ms
 * (`undefined` on a timeout) and their close codes: clients that read again receive 1013, the
 * others find their connection broken.
 */
export async function stopReading(laggards, url, droppedBefore, held) {
  for (const { socket } of laggards) socket.pause();
  const began = performance.now();
  const until = async (reached) => {
    while (performance.now() - began < LONGEST_MS) {
      if (await reached()) return performance.now() - began;
      await sleep(100);
    }
    return undefined;
  };
  const droppedMs = await until(
    async () => (await droppedBy(url)) >= droppedBefore + laggards.length,
  );
  for (const { socket } of laggards.slice(0, AGAIN)) socket.resume();
  // The server must free everything held for clients that never read again.
  const goneMs = await until(held);
  for (const { socket } of laggards) socket.resume();
  const codes = [];
  for (const laggard of laggards) {
    codes.push(await Promise.race([laggard.closed, sleep(5_000).then(() => 'still open')]));
    laggard.socket.terminate();
  }
  return { droppedMs, goneMs, codes };
}

/**
 * Number of `count` clients that reconnect with the current text and receive the next edit. `text`
 * returns the current text; `change` edits it.
 */
async function comeBack({ url, identity, id }, count, text, change) {
  let received = 0;
  const back = await Promise.all(
    Array.from({ length: count }, async () => {
      const socket = await openSocket(
        url,
        identity,
        (bytes) =>
          (received +=
            bytes.includes('after it all') &&
            /"op":"PARAGRAPH"/.test(bytes.toString('latin1', 0, 60))
              ? 1
              : 0),
      );
      return {
        socket,
        whole:
          JSON.parse(await socket.ask('GET_NOTE', { id }, 'NOTE')).data.note.paragraphs[0].text ===
          text(),
      };
    }),
  );
  await change('%md\nafter it all');
  for (let at = 0; at < 50 && received < count; at += 1) await sleep(100);
  await Promise.all(back.map(({ socket }) => socket.close()));
  return Math.min(received, back.filter(({ whole }) => whole).length);
}

/**
 * Lets `slow` sockets stop reading beside a few that continue. Returns memory in MB, times in ms,
 * and how many were dropped, notified and reconnected.
 */
export async function slowReaders(place, server, slow) {
  const { url, identity, id, paragraph } = place;
  const phase = async (stopped) => {
    const watch = stopwatch();
    const readers = await openMany(url, identity, id, READERS, watch.receive);
    const laggards = await openMany(url, identity, id, slow, () => {});
    const editor = await openSocket(url, identity);
    await editor.ask('GET_NOTE', { id }, 'NOTE');
    const before = await server.ask('after');
    const droppedBefore = await droppedBy(url);
    let most = before.rss;
    let over = false;
    const watching = (async () => {
      while (!over) {
        most = Math.max(most, (await server.ask('now')).rss);
        await sleep(200);
      }
    })();
    const act = stopped
      ? stopReading(
          laggards,
          url,
          droppedBefore,
          async () => (await server.ask('now')).sockets <= before.sockets - slow,
        )
      : sleep(4_000).then(() => ({ codes: [] }));
    const [text, end] = await Promise.all([
      edit(editor, id, paragraph, watch, () => over, { size: SIZE, patches: false }),
      act.finally(() => (over = true)),
    ]);
    await watching;
    for (let at = 0; at < 100 && !watch.isReceived(READERS); at += 1) await sleep(100);
    const after = await server.ask('after');
    const change = (next) =>
      editor.ask('COMMIT_PARAGRAPH', textOf(id, paragraph, next), 'PARAGRAPH');
    const back = stopped ? await comeBack(place, slow, () => text, change) : 0;
    await Promise.all(
      [...readers, editor, ...(stopped ? [] : laggards)].map((socket) => socket.close()),
    );
    return {
      ...watch.figures(),
      missing: watch.missing(READERS),
      before: before.rss,
      most,
      after: after.rss,
      back,
      ...end,
    };
  };
  const usual = await phase(false);
  const stopped = await phase(true);
  const ended = (codes) => stopped.codes.filter((code) => codes.includes(code)).length;
  return {
    slow,
    again: Math.min(slow, AGAIN),
    readers: READERS,
    bytes: SIZE,
    usual: { p50: usual.p50, p99: usual.p99 },
    p50: stopped.p50,
    p99: stopped.p99,
    missing: stopped.missing,
    droppedMs: stopped.droppedMs,
    goneMs: stopped.goneMs,
    dropped: ended([1013, 1006]),
    notified: ended([1013]),
    back: stopped.back,
    memory: { before: stopped.before, most: stopped.most, after: stopped.after },
  };
}
