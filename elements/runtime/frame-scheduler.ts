/** When a page's store notifies its subscribers. */
import type { Scheduler } from '@tiding/client';

/** Longest time between two frames of a display with 60 Hz, in milliseconds. */
const FRAME_MS = 17;
/** Delay in a hidden page, which gets no animation frames, in milliseconds. */
const HIDDEN_MS = 50;

/** Longest time for which changes can be held back, in milliseconds. */
const HOLD_MS = 60;
/** Time in which messages arrive together, such as a short output and the end of its run, in ms. */
const TOGETHER_MS = 3;

/** The scheduler of a page's store. */
export interface FrameScheduler extends Scheduler {
  /**
   * Holds changes back until the returned function is called, for at most 60 ms. While changes are
   * held back already, this does nothing.
   */
  hold(): () => void;
}

/**
 * Creates the scheduler of one store. After a pause of a frame or longer, the first change is shown
 * at once, because waiting for the next frame would add its time to every answer; further ones are
 * shown once a frame.
 */
export function frameScheduler(): FrameScheduler {
  let lastFlush = -Infinity;
  /** Ends the current hold; undefined while nothing is held back. */
  let held: ReturnType<typeof setTimeout> | undefined;
  let waiting: (() => void) | undefined;
  const inNextFrame = (run: () => void): void => {
    if (document.visibilityState === 'visible') requestAnimationFrame(run);
    else setTimeout(run, HIDDEN_MS);
  };
  const schedule: Scheduler = (flush) => {
    const run = (): void => {
      lastFlush = performance.now();
      flush();
    };
    if (held !== undefined) waiting = run;
    else if (document.visibilityState === 'visible' && performance.now() - lastFlush > FRAME_MS)
      queueMicrotask(run);
    else inNextFrame(run);
  };
  const hold = (): (() => void) => {
    if (held !== undefined) return () => {};
    const release = (): void => {
      if (held !== timer) return;
      clearTimeout(timer);
      held = undefined;
      let run = waiting;
      waiting = undefined;
      const show = (): void => {
        run?.();
        run = undefined;
      };
      // Before the next frame, so that it has only to paint; at the latest with it.
      setTimeout(show, TOGETHER_MS);
      inNextFrame(show);
    };
    const timer = setTimeout(release, HOLD_MS);
    held = timer;
    return release;
  };
  return Object.assign(schedule, { hold });
}
