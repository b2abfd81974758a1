/** Runs long work in slices, so that input and frames are handled in between. */

/** Duration of a slice, in ms: half a frame. */
const SLICE_MS = 8;

/** Channels with a task on its way: unreferenced ports may be collected before they deliver it. */
const pending = new Set<MessageChannel>();

/**
 * Calls `task` in a new task of the event loop. Returns a cancel function. Uses a message, which is
 * delivered immediately; a timer waits at least 4 ms, or a second in a hidden page.
 */
function postTask(task: () => void): () => void {
  const channel = new MessageChannel();
  const end = (): void => {
    pending.delete(channel);
    channel.port1.close();
  };
  channel.port1.onmessage = () => {
    end();
    task();
  };
  pending.add(channel);
  channel.port2.postMessage(null);
  return end;
}

/** Resolves in a new task, after the browser has had a chance to handle input. */
export const nextTask = (): Promise<void> => new Promise((resolve) => void postTask(resolve));

/**
 * Calls `step` until it returns false, in slices of about 8 ms. The first slice runs in a separate
 * task. A step that takes longer is a slice of its own. Returns a cancel function.
 */
export function runInSlices(step: () => boolean): () => void {
  let live = true;
  const run = (): void => {
    const end = performance.now() + SLICE_MS;
    do {
      if (!live) return;
      live = step() && live;
    } while (live && performance.now() < end);
    if (live) cancel = postTask(run);
  };
  let cancel = postTask(run);
  return () => {
    live = false;
    cancel();
  };
}

interface YielderOptions {
  /** Duration of a slice, in ms. */
  readonly sliceMs?: number;
  /** Called before the first yield: the work takes longer than one slice. */
  readonly onFirstYield?: () => void;
}

/**
 * Returns a function to await between steps of asynchronous work. It yields to the browser after
 * each slice, and returns `undefined` immediately within a slice.
 */
export function sliceYielder({
  sliceMs = SLICE_MS,
  onFirstYield,
}: YielderOptions = {}): () => Promise<void> | undefined {
  let start = performance.now();
  let hasYielded = false;
  return () => {
    if (performance.now() - start < sliceMs) return undefined;
    if (!hasYielded) onFirstYield?.();
    hasYielded = true;
    return nextTask().then(() => void (start = performance.now()));
  };
}
