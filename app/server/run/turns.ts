/** How many runs of one person go on at once: the next ones wait, in their order, and nobody else waits for them. */

/** See the head of this file. */
export class Turns {
  readonly #most: number;
  readonly #people = new Map<string, { taken: number; waiting: (() => void)[] }>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Resolves with what gives the turn back when there is one; with `undefined` when `signal` aborts before. */
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
      // The turn goes on to who waits longest.
      const next = mine.waiting.shift();
      if (next) return next();
      mine.taken -= 1;
      if (mine.taken === 0) this.#people.delete(person);
    };
  }
}
