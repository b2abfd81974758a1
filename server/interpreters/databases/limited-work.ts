/** Work on a database that can be stopped. */
import { onAbort } from '../../base/aborted.ts';
import type { DatabaseConnection } from './driver.ts';

/** Time for a statement to stop after a request to cancel, in ms. Then the session is ended. */
const CANCEL_GRACE_MS = 1_000;

/**
 * Does work on the server, which is cancelled there on abort and at the time limit. If it does not
 * stop, the session is ended.
 */
export async function limitedWork<Result>(
  connection: DatabaseConnection,
  limits: {
    readonly signal: AbortSignal;
    readonly limitMs?: number | undefined;
    onLate?(): void;
  },
  work: () => Promise<Result>,
): Promise<Result> {
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
  const forget = onAbort(signal, cancel);
  try {
    return await work();
  } finally {
    clearTimeout(timer);
    forget();
    // A late request would stop the next statement.
    await cancelling;
    clearTimeout(killer);
  }
}
