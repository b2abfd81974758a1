/** Runs work that is written as a generator, so that it can pause at each `yield`. */
import { runInSlices } from '../../runtime/slices.ts';

/** Runs a generator in slices between frames. Returns a function that cancels it. */
export function runGenerator<T>(
  work: Generator<unknown, T>,
  onDone: (result: T) => void,
  onError: (error: unknown) => void = reportError,
): () => void {
  return runInSlices(() => {
    try {
      const { done, value } = work.next();
      if (!done) return true;
      onDone(value as T);
    } catch (error) {
      onError(error);
    }
    return false;
  });
}
