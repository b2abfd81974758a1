import { isTidingError } from '@tiding/client';
import { useCallback, useEffect, useRef, useState } from 'react';
import { commonTexts } from '../../text/common.ts';
import { ErrorHint, StatusHint } from '../../ui/hints.tsx';

/** What a panel lists: undefined while it loads. */
interface Listed<T> {
  readonly value: T | undefined;
  /** Why it could not be read last. */
  readonly error: string | undefined;
  readonly read: () => Promise<void>;
}

/** Reads what a panel lists, again each time `read` or `when` changes. */
export function useListed<T>(read: () => Promise<T>, when: unknown): Listed<T> {
  const [value, setValue] = useState<T>();
  const [error, setError] = useState<string>();
  const asked = useRef(0);
  const again = useCallback(async (): Promise<void> => {
    const turn = ++asked.current;
    try {
      const listed = await read();
      // A later question has a newer answer.
      if (turn !== asked.current) return;
      setValue(listed);
      setError(undefined);
    } catch (failure) {
      if (turn === asked.current)
        setError(isTidingError(failure) ? failure.message : String(failure));
    }
  }, [read]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list may have changed
  useEffect(() => {
    void again();
  }, [again, when]);
  return { value, error, read: again };
}

/** The error of a list, or that it is being loaded. */
export function ListState({ of: { value, error } }: { of: Omit<Listed<unknown>, 'read'> }) {
  if (error !== undefined) return <ErrorHint>{error}</ErrorHint>;
  return value === undefined ? <StatusHint>{commonTexts.loading}</StatusHint> : null;
}
