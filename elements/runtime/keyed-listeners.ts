/** Listeners by key; a change notifies only the listeners of its key. */
export class KeyedListeners {
  readonly #listeners = new Map<string, Set<() => void>>();

  has(key: string): boolean {
    return this.#listeners.has(key);
  }

  /** Adds a listener for a key. Returns an unsubscribe function. */
  add(key: string, listener: () => void): () => void {
    const all = this.#listeners.get(key) ?? new Set();
    this.#listeners.set(key, all.add(listener));
    return () => {
      all.delete(listener);
      if (all.size === 0 && this.#listeners.get(key) === all) this.#listeners.delete(key);
    };
  }

  notify(key: string): void {
    for (const listener of [...(this.#listeners.get(key) ?? [])]) listener();
  }
}
