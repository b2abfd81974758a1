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

  /** Runs a task in a slot. Rejects with the signal's reason if it aborts before the task runs. */
  async use<T>(signal: AbortSignal | undefined, task: () => Promise<T>): Promise<T> {
    const release = await this.take(signal);
    try {
      signal?.throwIfAborted();
      return await task();
    } finally {
      release();
    }
  }

  /** Like {@link Slots.use}, but resolves to a function that releases the slot. */
  async take(signal: AbortSignal | undefined): Promise<() => void> {
    if (this.#taken < this.#most) this.#taken += 1;
    else await this.#turn(signal);
    return () => this.#release();
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
