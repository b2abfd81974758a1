/** Resolves when a signal aborts. */
export const aborted = (signal: AbortSignal): Promise<undefined> =>
  new Promise((resolve) => onAbort(signal, () => resolve(undefined)));

/** Calls `stop` when a signal aborts, at once if it has. Returns a function that prevents that. */
export function onAbort(signal: AbortSignal, stop: () => void): () => void {
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  return () => signal.removeEventListener('abort', stop);
}

/** Rejects with its reason when a signal aborts. */
export async function untilAborted(signal: AbortSignal): Promise<never> {
  await aborted(signal);
  throw signal.reason instanceof Error ? signal.reason : new Error('Aborted');
}
