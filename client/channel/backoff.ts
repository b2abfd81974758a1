/**
 * Delay policy for reconnecting: maps the number of the attempt, starting at 0, to a delay in ms.
 */
export type Backoff = (attempt: number, random?: () => number) => number;

/**
 * Exponential backoff from 0.5 s to 30 s with full jitter, so that the clients of a restarted
 * server don't all reconnect at once.
 */
export const defaultBackoff: Backoff = (attempt, random = Math.random) =>
  Math.max(50, random() * Math.min(30_000, 500 * 2 ** attempt));
