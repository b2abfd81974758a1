/** The least that the same machine needs to store the same and send it to the same number of sockets. */
import { processorTime, stopwatch } from './broadcast.mjs';
import { openSocket, sleep, startChild } from './sockets.mjs';
import { listenMany } from './wire.mjs';

const SECONDS = 10;

/** Figures as of `broadcast`. Once before and once after what is compared with it: `measure` as often as it is called, `figures` of all. */
export function makeFloor(sockets, folder, cleanup) {
  const watch = stopwatch();
  let times = { cpu: 0, ownCpu: 0, rounds: 0 };
  let openMs;
  return {
    async measure() {
      const { url, ask, stop } = await startChild('bare.mjs', [folder], cleanup);
      const began = performance.now();
      const watchers = await listenMany(url, {}, undefined, sockets - 1, watch.hear);
      openMs = performance.now() - began;
      const editor = await openSocket(url, {});
      const text = 'text of a paragraph of usual length, as people write it. '.repeat(15);
      const time = processorTime(async () => (await ask('now')).cpu);
      await time.go();
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
