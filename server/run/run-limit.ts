import { Slots } from '../base/slots.ts';

/**
 * Limits the number of concurrent runs per user. Further runs of that user wait in order; other
 * users are not affected.
 */
export class RunLimit {
  readonly #most: number;
  readonly #people = new Map<string, Slots>();

  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Resolves to a function that releases the slot, or to `undefined` if `signal` aborts first.
   */
  async take(person: string, signal: AbortSignal): Promise<(() => void) | undefined> {
    if (signal.aborted) return undefined;
    let own = this.#people.get(person);
    if (!own) this.#people.set(person, (own = new Slots(this.#most)));
    const slots = own;
    const release = await slots.take(signal).catch(() => undefined);
    return (
      release &&
      (() => {
        release();
        if (slots.isUnused) this.#people.delete(person);
      })
    );
  }
}
