import { useMemo } from 'react';
import type { RowSource } from '../../rows/row-source.ts';
import { useAnswer } from '../../rows/use-answer.ts';
import { viewedRows } from '../../rows/view-table.ts';

/**
 * Returns the rows of a source for a view. Views that aren't built in can't query the server: the
 * rows that they get are read first, and undefined is returned meanwhile.
 */
export function useViewedRows(source: RowSource, builtIn: boolean): RowSource | undefined {
  const remote = builtIn ? undefined : source.remote;
  const rows = viewedRows(source);
  const request = useMemo(
    () => remote && { ask: (signal: AbortSignal) => remote.read(0, rows, signal) },
    [remote, rows],
  );
  const { shown, busy } = useAnswer<RowSource>(request);
  if (!request) return source;
  return busy ? undefined : shown;
}
