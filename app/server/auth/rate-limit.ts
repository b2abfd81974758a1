/** How often something may be asked for. */

/** Most keys that are remembered: beyond them the oldest goes. */
const MAX_KEYS = 10_000;

/** Counts what came under a key within a window of time, in memory. */
export class RateLimit {
  readonly #seen = new Map<string, { count: number; since: number }>();
  readonly #max: number;
  readonly #windowMs: number;

  /** At most `max` within `windowMs` for each key. */
  constructor(max: number, windowMs: number) {
    this.#max = max;
    this.#windowMs = windowMs;
  }

  /** Counts one more; `false` where that is too much, which then does not count. `now` in ms. */
  take(key: string, now = Date.now()): boolean {
    const known = this.#seen.get(key);
    const entry = known && now - known.since < this.#windowMs ? known : { count: 0, since: now };
    if (entry.count >= this.#max) return false;
    entry.count += 1;
    // At the end again, so that the first key is the one whose window began first.
    if (entry !== known) this.#seen.delete(key);
    this.#seen.set(key, entry);
    if (this.#seen.size > MAX_KEYS) this.#seen.delete(this.#seen.keys().next().value!);
    return true;
  }
}
