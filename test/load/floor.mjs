/** The least time that this machine needs to store and broadcast the same amount of data. */
import { processorTime, stopwatch } from './broadcast.mjs';
import { openSocket, sleep, startChild } from './sockets.mjs';
import { listenMany } from './wire.mjs';

const SECONDS = 10;

/**
 * The same figures as `broadcast`. Call `measure` before and after the measurement to compare with;
 * `figures` covers all calls.
 */
export function makeFloor(sockets, folder, cleanup) {
  const watch = stopwatch();
  let times = { cpu: 0, ownCpu: 0, rounds: 0 };
  let openMs;
  return {
    async measure() {
      const { url, ask, stop } = await startChild('bare.mjs', [folder], cleanup);
      const began = performance.now();
      const watchers = await listenMany(url, {}, undefined, sockets - 1, watch.receive);
      openMs = performance.now() - began;
      const editor = await openSocket(url, {});
      const text = 'text of a paragraph of usual length, as people write it. '.repeat(15);
      const time = processorTime(async () => (await ask('now')).cpu);
      await time.resume();
      for (let at = 0; at < SECONDS * 10; at += 1) {
        editor.send('PARAGRAPH', { text: text + watch.mark() });
        await sleep(100);
      }
      await time.pause();
      const each = time.each(SECONDS * 10);
      times = {
        cpu: times.cpu + each.cpu,
        ownCpu: times.ownCpu + each.ownCpu,
        rounds: times.rounds + 1,
      };
      await sleep(500);
      for (const { socket } of watchers) socket.destroy();
      editor.socket.terminate();
      await stop();
    },
    figures: () => ({
      ...watch.figures(),
      missing: watch.missing(sockets - 1),
      openMs,
      cpu: times.cpu / times.rounds,
      ownCpu: times.ownCpu / times.rounds,
    }),
  };
}
