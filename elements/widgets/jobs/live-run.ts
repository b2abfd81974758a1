/** A run that goes on, as its server tells it. */
import { useEffect, useState } from 'react';
import type { Client } from 'tiding/client';
import { readWidget, type JobRun } from 'tiding/widgets';

/** How long after an answer it is asked for again, ms. */
const ASK_AFTER_MS = 2_000;
const goesOn = ({ state, endTime }: JobRun): boolean =>
  endTime === undefined && /^(running|stopping)$/i.test(state ?? '');

/** The run as it is now: what was given, until a server knows more of one that goes on. Who has no server, or one that knows none, has what was given. */
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
          if (goesOn(read.data)) timer = setTimeout(ask, ASK_AFTER_MS);
        },
        () => {},
      );
    };
    // Whoever is told of each change of it, as by a paragraph that waits for it, need not ask.
    timer = setTimeout(ask, ASK_AFTER_MS);
    return () => {
      gone.abort();
      clearTimeout(timer);
    };
  }, [client, id, given]);
  return run;
}
