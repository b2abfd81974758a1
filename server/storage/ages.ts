/**
 * Ages of stored objects. The clock of the machine is read once for each object. Setting the clock
 * later, forward or back, neither ends nor prolongs what depends on an age.
 */
export class Ages {
  /** When objects began, in the time of `performance.now()`. */
  readonly #began = new Map<string, number>();

  /** Returns the age of an object in ms. `since` is when it began, in ms since 1970. */
  of(key: string, since: number): number {
    const now = performance.now();
    let began = this.#began.get(key);
    // A time in the future was stored before the clock was set back.
    if (began === undefined) this.#began.set(key, (began = now - Math.max(0, Date.now() - since)));
    return now - began;
  }

  /** Lets an object begin now. */
  begin(key: string): void {
    this.#began.set(key, performance.now());
  }

  /** Forgets an object that no longer exists. */
  forget(key: string): void {
    this.#began.delete(key);
  }
}
