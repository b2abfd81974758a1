/** Runs a generator, whose work could pause at each `yield`, to its end. */
export function runNow<T>(work: Generator<unknown, T, void>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value as T;
  }
}
