/** Listeners by key: who wants to know of one thing is not told of the others. */
export class KeyedListeners {
  readonly #listeners = new Map<string, Set<() => void>>();

  /** Whether anybody listens for a key. */
  has(key: string): boolean {
    return this.#listeners.has(key);
  }

  /** Listens for a key. Returns its undo. */
  add(key: string, listener: () => void): () => void {
    const all = this.#listeners.get(key) ?? new Set();
    this.#listeners.set(key, all.add(listener));
    return () => {
      all.delete(listener);
      if (all.size === 0 && this.#listeners.get(key) === all) this.#listeners.delete(key);
    };
  }

  /** Tells those who listen for a key. */
  tell(key: string): void {
    for (const listener of [...(this.#listeners.get(key) ?? [])]) listener();
  }
}
