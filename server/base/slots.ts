/** Limits how many tasks run at the same time. The others wait in order. */
export class Slots {
  readonly #most: number;
  #taken = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  get isUnused(): boolean {
    return this.#taken === 0;
  }

  /** Runs a task in a slot. Rejects with the signal's reason if it aborts while waiting for one. */
  async use<T>(signal: AbortSignal | undefined, task: () => Promise<T>): Promise<T> {
    if (!this.#takeFree()) await this.#turn(signal);
    try {
      return await task();
    } finally {
      this.#release();
    }
  }

  /** Like {@link Slots.use}, but resolves to a function that releases the slot. */
  async take(signal: AbortSignal): Promise<() => void> {
    if (!this.#takeFree()) await this.#turn(signal);
    return () => this.#release();
  }

  #takeFree(): boolean {
    const isFree = this.#taken < this.#most;
    if (isFree) this.#taken += 1;
    return isFree;
  }

  /** Passes the slot to the task that has waited longest. */
  #release(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#taken -= 1;
  }

  #turn(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const go = (): void => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(go), 1);
        reject(signal?.reason as Error);
      };
      this.#waiting.push(go);
      signal?.addEventListener('abort', leave, { once: true });
    });
  }
}
