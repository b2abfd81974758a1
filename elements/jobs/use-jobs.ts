/** The job list for as long as a view is there. */
import { useCallback, useEffect, useState } from 'react';
import { isTidingError, type Client } from 'tiding/client';
import type { JobEntry } from 'tiding/protocol';
import { useSelect } from '../runtime/hooks.ts';

/** The jobs as they are now. */
export interface LiveJobs {
  /** Absent until the server has answered for the first time. */
  readonly value: readonly JobEntry[] | undefined;
  /** Why they cannot be had, for example because the server has the job list turned off. */
  readonly error: unknown;
  readonly loading: boolean;
  /** Asks again. */
  readonly reload: () => Promise<void>;
}

/** Watches the job list; the subscription ends with the view. Who signs in again watches anew. */
export function useJobs(client: Client): LiveJobs {
  const [watched, setWatched] = useState<{ phase: 'loading' | 'live' | 'failed'; error?: unknown }>(
    { phase: 'loading' },
  );
  const [attempt, setAttempt] = useState(0);
  const signedOut = useSelect(client, ({ session }) => session.phase === 'signed-out', false);
  const jobs = useSelect(client, (state) => state.jobs, undefined);
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
