/** Resolves when a signal aborts. */
export function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
}

/** Rejects with its reason when a signal aborts. */
export async function untilAborted(signal: AbortSignal): Promise<never> {
  await aborted(signal);
  throw signal.reason instanceof Error ? signal.reason : new Error('Aborted');
}
