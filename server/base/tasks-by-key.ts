/** Runs tasks with the same key one after another. */
export class TasksByKey {
  /** The newest task, by key. */
  readonly #newest = new Map<string, Promise<unknown>>();

  /** Runs a task when those before it have ended. Resolves or rejects as the task does. */
  run<T>(key: string, task: () => T | Promise<T>): Promise<T> {
    const done = this.ended(key)
      .then(task)
      .finally(() => {
        if (this.#newest.get(key) === done) this.#newest.delete(key);
      });
    this.#newest.set(key, done);
    return done;
  }

  /** Resolves when the tasks of a key, or all of them, have ended. */
  async ended(key?: string): Promise<void> {
    await Promise.allSettled(key === undefined ? this.#newest.values() : [this.#newest.get(key)]);
  }
}
