import { useEffect, useState } from 'react';
import { runRequest } from './run-generator.ts';

/** Asks the server, and keeps the last answer while the next one is computed. */
export function useAnswer<Value>(
  request: { readonly ask: (signal: AbortSignal) => Promise<Value> } | undefined,
): { shown: Value | undefined; busy: boolean } {
  const [answer, setAnswer] = useState<
    { of: object; value: Value } | { of: object; error: Error }
  >();
  useEffect(() => {
    if (!request) return undefined;
    return runRequest(
      request.ask,
      (value) => setAnswer({ of: request, value }),
      (error) => setAnswer({ of: request, error }),
    );
  }, [request]);
  // Rethrow for the error boundary around the view.
  if (answer && 'error' in answer && answer.of === request) throw answer.error;
  const shown = request && answer && 'value' in answer ? answer : undefined;
  return { shown: shown?.value, busy: request !== undefined && shown?.of !== request };
}
