/** Time limits and AbortSignals in one place. */
import { TidingError } from '../errors.ts';

/** Options every call takes. */
export interface CallOptions {
  /** Ends the wait; the promise rejects with code `aborted`. */
  signal?: AbortSignal | undefined;
  /** Time limit in ms; the promise rejects with code `timeout`. Each call names its default. */
  timeout?: number | undefined;
}

/** A promise with its resolvers and a time limit; settles once, whatever comes first. */
export interface Deferred<T> {
  readonly promise: Promise<T>;
  resolve(value: T): void;
  reject(error: unknown): void;
  readonly settled: boolean;
}

/** A deferred that rejects after `timeout` ms (0: never) or when `signal` aborts. */
export function deferred<T>(operation: string, options: CallOptions = {}): Deferred<T> {
  let settled = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let settle: { resolve(value: T): void; reject(error: unknown): void };
  const promise = new Promise<T>((resolve, reject) => {
    settle = { resolve, reject };
  });
  const { signal, timeout = 0 } = options;
  const end = (action: () => void) => {
    if (settled) return;
    settled = true;
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
    action();
  };
  const reject = (error: unknown) => end(() => settle.reject(error));
  const onAbort = () =>
    reject(
      new TidingError('aborted', `${operation} was aborted`, { operation, cause: signal?.reason }),
    );
  if (timeout > 0) {
    timer = setTimeout(
      () =>
        reject(
          new TidingError('timeout', `${operation}: no answer within ${timeout} ms`, { operation }),
        ),
      timeout,
    );
  }
  if (signal?.aborted) onAbort();
  else signal?.addEventListener('abort', onAbort);
  return {
    promise,
    resolve: (value) => end(() => settle.resolve(value)),
    reject,
    get settled() {
      return settled;
    },
  };
}
