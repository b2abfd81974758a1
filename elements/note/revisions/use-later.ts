import { useEffect, useState } from 'react';
import { useStableValue } from '../../runtime/hooks.ts';

/**
 * Returns the result of an async computation, or `undefined` until it resolves. A newer computation
 * replaces an older one.
 */
export function useLater<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
  keys: readonly unknown[],
): Result | undefined {
  const [result, setResult] = useState<Result>();
  const current = useStableValue({ work }, keys);
  useEffect(() => {
    const stop = new AbortController();
    current.work(stop.signal).then(
      (done) => stop.signal.aborted || setResult(() => done),
      () => {},
    );
    return () => stop.abort();
  }, [current]);
  return result;
}
