/** Runs work in the page between frames, and on the server. */
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

/** Asks for a value. Returns a function that cancels it, after which nothing is reported. */
export function runRequest<T>(
  ask: (signal: AbortSignal) => Promise<T>,
  onDone: (answer: T) => void,
  onError: (error: Error) => void = reportError,
): () => void {
  const abort = new AbortController();
  const { signal } = abort;
  ask(signal).then(
    (answer) => signal.aborted || onDone(answer),
    (error: unknown) =>
      signal.aborted || onError(error instanceof Error ? error : new Error(String(error))),
  );
  return () => abort.abort();
}
