/** Maximum number of keys; the oldest are removed first. */
const MAX_KEYS = 10_000;

/** In-memory rate limiter: counts calls per key within a time window. */
export class RateLimit {
  readonly #windows = new Map<string, { count: number; since: number }>();
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
    const current = this.#windows.get(key);
    const entry =
      current && now - current.since < this.#windowMs ? current : { count: 0, since: now };
    if (entry.count >= this.#max) return false;
    entry.count += 1;
    // Inserted again at the end, so that the first key is the one whose window began first.
    if (entry !== current) this.#windows.delete(key);
    this.#windows.set(key, entry);
    if (this.#windows.size > MAX_KEYS) this.#windows.delete(this.#windows.keys().next().value!);
    return true;
  }
}
