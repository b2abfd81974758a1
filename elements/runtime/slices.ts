/** Work that is done piece by piece, so that input and frames come between. */

/** Time of one slice, ms: half a frame. */
const SLICE_MS = 8;

/**
 * Calls `step` again and again as long as it answers true, in slices of about 8 ms, the first in a task of its own. A step
 * that takes longer is a slice alone. Returns what stops it.
 */
export function inSlices(step: () => boolean): () => void {
  let live = true;
  // A message comes at once, where a timer waits at least 4 ms, and a second in a page that is hidden.
  const { port1, port2 } = new MessageChannel();
  const stop = (): void => {
    live = false;
    port1.close();
  };
  port1.onmessage = () => {
    const end = performance.now() + SLICE_MS;
    do {
      if (!live) return;
      if (!step()) return stop();
    } while (performance.now() < end);
    if (live) port2.postMessage(null);
  };
  port2.postMessage(null);
  return stop;
}
