/** The least that the same machine needs to store the same and send it to the same number of sockets. */
import { stopwatch } from './broadcast.mjs';
import { openSocket, sleep, startChild } from './sockets.mjs';

const SECONDS = 8;

export async function floor(sockets, folder, cleanup) {
  const { url, stop } = await startChild('bare.mjs', [folder], cleanup);
  const watch = stopwatch();
  const began = performance.now();
  const watchers = [];
  while (watchers.length < sockets - 1) watchers.push(...await Promise.all(Array.from({ length: Math.min(25, sockets - 1 - watchers.length) }, () => openSocket(url, {}, watch.hear))));
  const openMs = performance.now() - began;
  const editor = await openSocket(url, {});
  const text = 'text of a paragraph of usual length, as people write it. '.repeat(15);
  for (let at = 0; at < SECONDS * 10; at += 1) {
    editor.send('PARAGRAPH', { text: text + watch.mark() });
    await sleep(100);
  }
  await sleep(500);
  for (const { socket } of [...watchers, editor]) socket.terminate();
  await stop();
  return { ...watch.figures(), missing: watch.missing(sockets - 1), openMs };
}
