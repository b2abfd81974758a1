import type { TidingError } from '@tiding/client';
import { useEffect, useState } from 'react';
import { asTidingError } from '../runtime/hooks.ts';

/** Progress of what a hook loads. */
export interface LoadState {
  /**
   * `idle`: nothing was requested. `loading`: requested but not there yet; also on a server and
   * during hydration. `ready`: loaded, and kept up to date. `error`: see `error`.
   */
  readonly status: 'idle' | 'loading' | 'ready' | 'error';
  /** Why it failed, while the status is `error`. */
  readonly error: TidingError | undefined;
}

/** Progress of what a hook loads by itself. */
export interface RetryableState extends LoadState {
  /** Tries again after an error. */
  readonly retry: () => void;
}

/** Returns the progress that follows from an error and from whether there is data. */
export const loadState = (
  error: TidingError | undefined,
  isReady: boolean,
  isRequested = true,
): LoadState => ({
  status: !isRequested ? 'idle' : error ? 'error' : isReady ? 'ready' : 'loading',
  error: isRequested ? error : undefined,
});

/**
 * Loads a value, and again when a key changes; the value is kept meanwhile. Without `start`,
 * nothing changes. Leaving aborts the signal.
 */
export function useTask<T>(
  start: ((signal: AbortSignal) => Promise<T>) | undefined,
  keys: readonly unknown[],
): { value: T | undefined; error: TidingError | undefined; retry: () => void } {
  const [outcome, setOutcome] = useState<{ value?: T; error?: TidingError }>({});
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the keys say when to start again
  useEffect(() => {
    if (!start) return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    setOutcome((before) => (before.error ? {} : before));
    start(signal).then(
      (value) => signal.aborted || setOutcome({ value }),
      (caught: unknown) => signal.aborted || setOutcome({ error: asTidingError(caught) }),
    );
    return () => controller.abort();
  }, [...keys, start === undefined, attempt]);
  return {
    value: outcome.value,
    error: outcome.error,
    retry: () => setAttempt((before) => before + 1),
  };
}
