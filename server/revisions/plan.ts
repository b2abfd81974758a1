/**
 * Decides when to synchronize next: soon after a checkpoint, at intervals, and with increasing
 * delays while it fails. Times in ms.
 */

/** Delays between synchronizations. */
export interface SyncDelays {
  /** Delay after a checkpoint, to wait for further ones. */
  readonly syncDelayMs: number;
  /** From the end of one synchronization to the next; 0: only after checkpoints. */
  readonly syncIntervalMs: number;
  /**
   * Delay after the first failure, and while a note is running; doubles with each further failure.
   */
  readonly syncRetryMs: number;
}

/** Maximum delay after a failure, in ms. */
export const MAX_RETRY_MS = 3_600_000;
/** A series of checkpoints postpones a synchronization by at most this many times the delay. */
const MAX_POSTPONE_FACTOR = 10;

/** Plans synchronizations. It has no clock: the caller passes the current time. */
export class SyncPlan {
  readonly #delays: SyncDelays;
  #regular: number | undefined;
  #change: number | undefined;
  #firstChange: number | undefined;
  #notBefore = 0;
  #failures = 0;

  constructor(delays: SyncDelays) {
    this.#delays = delays;
  }

  /** Time of the next synchronization; `undefined`: none planned. */
  get due(): number | undefined {
    const wanted = [this.#regular, this.#change].filter((time) => time !== undefined);
    return wanted.length === 0 ? undefined : Math.max(this.#notBefore, Math.min(...wanted));
  }

  /** Number of failures since the last success. */
  get failures(): number {
    return this.#failures;
  }

  /** A new remote was set, which has never been synchronized. */
  begin(now: number): void {
    const { syncIntervalMs } = this.#delays;
    this.#regular = syncIntervalMs > 0 ? now + syncIntervalMs : undefined;
    this.#change = this.#firstChange = undefined;
    this.#notBefore = this.#failures = 0;
  }

  /** The remote was removed. */
  end(): void {
    this.#regular = this.#change = this.#firstChange = undefined;
  }

  /** A checkpoint was made. */
  changed(now: number): void {
    const { syncDelayMs } = this.#delays;
    this.#firstChange ??= now;
    this.#change = Math.min(
      now + syncDelayMs,
      this.#firstChange + MAX_POSTPONE_FACTOR * syncDelayMs,
    );
  }

  /** A synchronization has begun; later changes belong to the next one. */
  started(): void {
    this.#regular = this.#change = this.#firstChange = undefined;
  }

  /** A synchronization has ended. `busy`: a note was running, which does not count as a failure. */
  ended(now: number, how: 'ok' | 'failed' | 'busy'): void {
    const { syncIntervalMs, syncRetryMs } = this.#delays;
    this.#regular = syncIntervalMs > 0 ? now + syncIntervalMs : undefined;
    this.#failures = how === 'ok' ? 0 : how === 'failed' ? this.#failures + 1 : this.#failures;
    this.#notBefore =
      how === 'ok'
        ? 0
        : now +
          (how === 'busy'
            ? syncRetryMs
            : Math.min(syncRetryMs * 2 ** (this.#failures - 1), MAX_RETRY_MS));
    // Retried even without an interval.
    if (how !== 'ok') this.#change = this.#notBefore;
  }
}
