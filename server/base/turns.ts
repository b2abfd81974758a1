/**
 * Runs tasks one after another. The askers take turns, so that a hundred tasks of one delay those
 * of the others by one task.
 */
export class Turns {
  /** Tasks that wait, by asker. The first asker is the next one. */
  readonly #waiting = new Map<string, (() => Promise<void>)[]>();
  #isBusy = false;

  /** Resolves or rejects as the task does. */
  take<T>(asker: string, task: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const turn = () => task().then(resolve, reject);
      const own = this.#waiting.get(asker);
      if (own) own.push(turn);
      else this.#waiting.set(asker, [turn]);
      void this.#next();
    });
  }

  async #next(): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    for (const [asker, turns] of this.#waiting) {
      // An asker with more tasks goes to the end, which this loop reaches.
      this.#waiting.delete(asker);
      const turn = turns.shift();
      if (turns.length > 0) this.#waiting.set(asker, turns);
      await turn?.();
    }
    this.#isBusy = false;
  }
}
