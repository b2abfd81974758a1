const GROWTH = 1.5;

/**
 * A timer with growing intervals. Each is 1.5 times the previous one, minus up to a quarter so that
 * many clients spread out.
 */
export class PollTimer {
  readonly #limits: readonly [number, number];
  readonly #random: () => number;
  readonly #act: () => void;
  #delay: number;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `limits`: shortest and longest interval in ms. `random`: returns a number from 0 to 1. */
  constructor(limits: readonly [number, number], random: () => number, act: () => void) {
    this.#limits = limits;
    this.#random = random;
    this.#act = act;
    [this.#delay] = limits;
  }

  /** Schedules the next call; `anew` resets to the shortest interval. */
  next(anew = false): void {
    clearTimeout(this.#timer);
    if (anew) [this.#delay] = this.#limits;
    this.#timer = setTimeout(this.#act, this.#delay * (1 - this.#random() / 4));
    this.#delay = Math.min(this.#limits[1], this.#delay * GROWTH);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
