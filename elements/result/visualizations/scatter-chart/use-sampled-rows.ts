import { MAX_SCATTER_ROWS, type TypedRows } from '@tiding/client/model';
import { useMemo } from 'react';
import { sampleOnServer } from '../../rows/remote-groups.ts';
import type { RowSource } from '../../rows/row-source.ts';
import { useAnswer } from '../../rows/use-answer.ts';

/**
 * Reads a sample of a table on the server, with the given columns; other tables are returned as
 * they are. No rows are returned until the first sample arrives.
 */
export function useSampledRows(
  source: RowSource,
  columns: readonly number[],
): { rows: TypedRows | undefined; busy: boolean } {
  const { remote } = source;
  const key = columns.join();
  const request = useMemo(
    () =>
      remote && {
        ask: (signal: AbortSignal) =>
          sampleOnServer(
            remote,
            key === '' ? [] : [...new Set(key.split(',').map(Number))],
            MAX_SCATTER_ROWS,
            signal,
          ),
      },
    [remote, key],
  );
  const { shown, busy } = useAnswer(request);
  return { rows: remote ? shown : source, busy };
}
