/** When a page's store notifies its subscribers. */
import type { Scheduler } from '@tiding/client';

/** Longest time between two frames of a display with 60 Hz, in milliseconds. */
const FRAME_MS = 17;
/** Delay in a hidden page, which gets no animation frames, in milliseconds. */
const HIDDEN_MS = 50;

/**
 * Creates the scheduler of one store. After a pause of a frame or longer, the first change is shown
 * at once, because waiting for the next frame would add its time to every answer; further ones are
 * shown once a frame.
 */
export function frameScheduler(): Scheduler {
  let lastFlush = -Infinity;
  return (flush) => {
    const run = (): void => {
      lastFlush = performance.now();
      flush();
    };
    if (document.visibilityState !== 'visible') setTimeout(run, HIDDEN_MS);
    else if (performance.now() - lastFlush > FRAME_MS) queueMicrotask(run);
    else requestAnimationFrame(run);
  };
}
