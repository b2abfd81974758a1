/** How long to wait before the next try to connect. */

/** Delay policy: attempt (from 0) → ms. */
export type Backoff = (attempt: number, random?: () => number) => number;

/** 0.5 s doubling to 30 s with full jitter, so that many clients of a restarted server do not come at once. */
export const defaultBackoff: Backoff = (attempt, random = Math.random) =>
  Math.max(50, random() * Math.min(30_000, 500 * 2 ** attempt));
