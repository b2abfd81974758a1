/**
 * Limits the number of concurrent runs per user. Further runs of that user wait in order; other
 * users are not affected.
 */

/** Fair per-user limit of concurrent runs. */
export class RunLimit {
  readonly #most: number;
  readonly #people = new Map<string, { taken: number; waiting: (() => void)[] }>();

  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Resolves to a function that releases the slot, or to `undefined` if `signal` aborts first.
   */
  async take(person: string, signal: AbortSignal): Promise<(() => void) | undefined> {
    let own = this.#people.get(person);
    if (!own) this.#people.set(person, (own = { taken: 0, waiting: [] }));
    const mine = own;
    if (signal.aborted) return undefined;
    if (mine.taken >= this.#most) {
      const isMine = await new Promise<boolean>((resolve) => {
        const go = () => resolve(true);
        mine.waiting.push(go);
        signal.addEventListener(
          'abort',
          () => {
            const at = mine.waiting.indexOf(go);
            if (at < 0) return;
            mine.waiting.splice(at, 1);
            resolve(false);
          },
          { once: true },
        );
      });
      if (!isMine) return undefined;
    } else mine.taken += 1;
    return () => {
      // Pass the slot to the run that has waited longest.
      const next = mine.waiting.shift();
      if (next) return next();
      mine.taken -= 1;
      if (mine.taken === 0) this.#people.delete(person);
    };
  }
}
