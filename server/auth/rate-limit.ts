/** In-memory rate limiter. */

/** Maximum number of keys; the oldest are removed first. */
const MAX_KEYS = 10_000;

/** Counts calls per key within a time window. */
export class RateLimit {
  readonly #seen = new Map<string, { count: number; since: number }>();
  readonly #max: number;
  readonly #windowMs: number;

  /** Allows at most `max` calls per key within `windowMs`. */
  constructor(max: number, windowMs: number) {
    this.#max = max;
    this.#windowMs = windowMs;
  }

  /**
   * Counts a call; returns `false` if it exceeds the limit, in which case it is not counted. `now`
   * in ms.
   */
  take(key: string, now = performance.now()): boolean {
    const known = this.#seen.get(key);
    const entry = known && now - known.since < this.#windowMs ? known : { count: 0, since: now };
    if (entry.count >= this.#max) return false;
    entry.count += 1;
    // Inserted again at the end, so that the first key is the one whose window began first.
    if (entry !== known) this.#seen.delete(key);
    this.#seen.set(key, entry);
    if (this.#seen.size > MAX_KEYS) this.#seen.delete(this.#seen.keys().next().value!);
    return true;
  }
}
