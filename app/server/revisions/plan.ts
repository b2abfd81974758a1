/** When the notes are synchronised next: soon after a checkpoint, from time to time, and later and later while it fails. Times in ms. */

/** How long is waited for what. */
export interface SyncDelays {
  /** After a checkpoint, for the next one that may follow. */
  readonly delayMs: number;
  /** From the end of one to the next; 0: only after checkpoints. */
  readonly intervalMs: number;
  /** After the first failure, and as long as a note runs; each further failure doubles it. */
  readonly retryMs: number;
}

/** Longest wait after a failure, in ms. */
export const MAX_RETRY_MS = 3_600_000;
/** Checkpoints that follow one another put a sync off at most this many times the delay. */
const PATIENCE = 10;

/** See the head of this file. It keeps no time of its own: each call says when it is. */
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

  /** When it is due; `undefined`: not before something happens. */
  get due(): number | undefined {
    const wanted = [this.#regular, this.#change].filter((time) => time !== undefined);
    return wanted.length === 0 ? undefined : Math.max(this.#notBefore, Math.min(...wanted));
  }

  /** Failures since the last success. */
  get failures(): number {
    return this.#failures;
  }

  /** There is a remote, of which nothing is known yet. */
  begin(now: number): void {
    const { intervalMs } = this.#delays;
    this.#regular = intervalMs > 0 ? now + intervalMs : undefined;
    this.#change = this.#firstChange = undefined;
    this.#notBefore = this.#failures = 0;
  }

  /** There is no remote any more. */
  end(): void {
    this.#regular = this.#change = this.#firstChange = undefined;
  }

  /** There was a checkpoint. */
  changed(now: number): void {
    const { delayMs } = this.#delays;
    this.#firstChange ??= now;
    this.#change = Math.min(now + delayMs, this.#firstChange + PATIENCE * delayMs);
  }

  /** A sync has begun: what is changed from now on is for the next one. */
  started(): void {
    this.#regular = this.#change = this.#firstChange = undefined;
  }

  /** It has ended. `busy`: a note was running, which is nobody's failure. */
  ended(now: number, how: 'ok' | 'failed' | 'busy'): void {
    const { intervalMs, retryMs } = this.#delays;
    this.#regular = intervalMs > 0 ? now + intervalMs : undefined;
    this.#failures = how === 'ok' ? 0 : how === 'failed' ? this.#failures + 1 : this.#failures;
    this.#notBefore =
      how === 'ok'
        ? 0
        : now +
          (how === 'busy' ? retryMs : Math.min(retryMs * 2 ** (this.#failures - 1), MAX_RETRY_MS));
    // Also without an interval it is tried again.
    if (how !== 'ok') this.#change = this.#notBefore;
  }
}
