/** A value that is loaded once, on demand. */
export interface LazyValue<T> {
  /** Returns the value if it is already loaded. */
  readonly now: () => T | undefined;
  /** Loads the value. Rejects on a network error; the next call tries again. */
  readonly load: () => Promise<T>;
}

/** Creates a lazy value that is loaded on the first call, once for all callers. */
export function createLazyValue<T extends object>(load: () => Promise<T>): LazyValue<T> {
  let loaded: T | undefined;
  let pending: Promise<T> | undefined;
  return {
    now: () => loaded,
    load: () =>
      (pending ??= load().then(
        (found) => (loaded = found),
        (error: unknown) => {
          // The network may be available on the next attempt.
          pending = undefined;
          throw error;
        },
      )),
  };
}
