/** Live updates of a running job run. */

import type { Client } from '@tiding/client';
import { type JobRun, readWidget } from '@tiding/client/widgets';
import { useEffect, useState } from 'react';

/** Delay between an answer and the next request, in ms. */
const POLL_DELAY_MS = 2_000;
const goesOn = ({ state, endTime }: JobRun): boolean =>
  endTime === undefined && /^(running|stopping)$/i.test(state ?? '');

/**
 * Returns the current state of a run: the given one, replaced by the server's answers while it
 * runs. Without a server, or if the server doesn't know the run, the given one stays.
 */
export function useLiveRun(given: JobRun, client: Client | undefined): JobRun {
  const [newest, setNewest] = useState<{ of: JobRun; run: JobRun }>();
  const run = newest?.of === given ? newest.run : given;
  const id = goesOn(given) ? given.jobRunId : undefined;
  useEffect(() => {
    if (!client || id === undefined) return undefined;
    const gone = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    const ask = (): void => {
      client.objects.get('job-run', id, { signal: gone.signal }).then(
        (envelope) => {
          const read = readWidget(envelope, 'job-run');
          if (gone.signal.aborted || read?.widget !== 'job-run') return;
          setNewest({ of: given, run: read.data });
          if (goesOn(read.data)) timer = setTimeout(ask, POLL_DELAY_MS);
        },
        () => {},
      );
    };
    // If the host updates the data itself, as a paragraph waiting for the run does, no request is
    // needed.
    timer = setTimeout(ask, POLL_DELAY_MS);
    return () => {
      gone.abort();
      clearTimeout(timer);
    };
  }, [client, id, given]);
  return run;
}
