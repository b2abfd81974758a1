/** React hook for the live job list. */

import { type Client, isTidingError } from '@tiding/client';
import type { JobEntry } from '@tiding/client/protocol';
import { useCallback, useEffect, useState } from 'react';
import { useSelect } from '../runtime/hooks.ts';
import type { Loaded } from '../ui/page.tsx';

/** Watches the job list while the view is mounted. Watches again after a new sign-in. */
export function useJobs(client: Client): Omit<Loaded<readonly JobEntry[]>, 'set'> {
  const [watched, setWatched] = useState<{ phase: 'loading' | 'live' | 'failed'; error?: unknown }>(
    { phase: 'loading' },
  );
  const [attempt, setAttempt] = useState(0);
  const signedOut = useSelect(client, ({ session }) => session.phase === 'signed-out', false);
  const jobs = useSelect(client, (state) => state.jobs, undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a retry or sign-in watches again
  useEffect(() => {
    const given = new AbortController();
    let stop: (() => void) | undefined;
    setWatched({ phase: 'loading' });
    client.jobs.watch({ signal: given.signal }).then(
      (watch) => {
        if (given.signal.aborted) return watch.stop();
        stop = watch.stop;
        setWatched({ phase: 'live' });
        return undefined;
      },
      (error: unknown) => {
        if (!given.signal.aborted && !isTidingError(error, 'aborted'))
          setWatched({ phase: 'failed', error });
      },
    );
    return () => {
      given.abort();
      stop?.();
    };
  }, [client, signedOut, attempt]);
  const reload = useCallback(async () => setAttempt((before) => before + 1), []);
  return {
    value: watched.phase === 'live' ? (jobs ?? []) : undefined,
    error: watched.error,
    loading: watched.phase === 'loading',
    reload,
  };
}
