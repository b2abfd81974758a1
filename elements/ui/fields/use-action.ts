import { useState } from 'react';
import { serverMessageOf } from '../page.tsx';

/**
 * An action that the user waits for, one at a time. If it fails, `problem` says why: the message of
 * the server, or `fallback` if it has none, or what `fallback` makes of the error.
 */
export function useAction() {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const run = async (
    act: () => Promise<unknown>,
    fallback: string | ((error: unknown) => string) = '',
  ): Promise<void> => {
    if (busy) return;
    setBusy(true);
    setProblem(undefined);
    try {
      await act();
    } catch (error) {
      setProblem(typeof fallback === 'string' ? serverMessageOf(error, fallback) : fallback(error));
    }
    setBusy(false);
  };
  return { busy, problem, setProblem, run };
}
