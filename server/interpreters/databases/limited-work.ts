/** Work on a database that can be stopped. */
import type { DatabaseConnection } from './driver.ts';

/** Time for a statement to stop after a request to cancel, in ms. Then the session is ended. */
const CANCEL_GRACE_MS = 1_000;

/**
 * Does work on the server, which is cancelled there on abort and at the time limit. If it does not
 * stop, the session is ended.
 */
export async function limitedWork(
  connection: DatabaseConnection,
  limits: {
    readonly signal: AbortSignal;
    readonly limitMs?: number | undefined;
    onLate?(): void;
  },
  work: () => Promise<void>,
): Promise<void> {
  const { limitMs, signal } = limits;
  signal.throwIfAborted();
  let cancelling: Promise<unknown> | undefined;
  let killer: NodeJS.Timeout | undefined;
  const cancel = (): void => {
    cancelling ??= connection.cancel();
    killer ??= setTimeout(() => connection.destroy(), CANCEL_GRACE_MS);
  };
  const stop = (): void => {
    limits.onLate?.();
    cancel();
  };
  const timer = limitMs === undefined ? undefined : setTimeout(stop, limitMs);
  signal.addEventListener('abort', cancel, { once: true });
  try {
    await work();
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', cancel);
    // A late request would stop the next statement.
    await cancelling;
    clearTimeout(killer);
  }
}
