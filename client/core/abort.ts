/** Time limits and abort signals for promises. */
import { TidingError } from './errors.ts';

/** Options common to all calls. */
export interface CallOptions {
  /** Cancels the wait. The promise rejects with code `aborted`. */
  signal?: AbortSignal | undefined;
  /**
   * Time limit in ms; 0 means none. The promise rejects with code `timeout`. Each method documents
   * its default.
   */
  timeout?: number | undefined;
}

/** A promise with its resolvers, a time limit and an abort signal. It settles once. */
export interface Deferred<T> {
  readonly promise: Promise<T>;
  resolve(value: T): void;
  reject(error: unknown): void;
  readonly settled: boolean;
}

/** Creates a deferred that rejects after `timeout` ms (0: never) or when `signal` is aborted. */
export function deferred<T>(operation: string, options: CallOptions = {}): Deferred<T> {
  let settled = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let settle: { resolve(value: T): void; reject(error: unknown): void };
  const promise = new Promise<T>((resolve, reject) => {
    settle = { resolve, reject };
  });
  const { signal, timeout = 0 } = options;
  const settleOnce = (action: () => void) => {
    if (settled) return;
    settled = true;
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
    action();
  };
  const reject = (error: unknown) => settleOnce(() => settle.reject(error));
  const onAbort = () =>
    reject(
      new TidingError('aborted', `${operation} was aborted.`, { operation, cause: signal?.reason }),
    );
  if (timeout > 0) {
    timer = setTimeout(
      () =>
        reject(
          new TidingError('timeout', `${operation}: no response within ${timeout} ms.`, {
            operation,
          }),
        ),
      timeout,
    );
  }
  if (signal?.aborted) onAbort();
  else signal?.addEventListener('abort', onAbort);
  return {
    promise,
    resolve: (value) => settleOnce(() => settle.resolve(value)),
    reject,
    get settled() {
      return settled;
    },
  };
}
