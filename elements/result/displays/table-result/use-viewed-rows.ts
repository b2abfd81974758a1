import { useEffect, useState } from 'react';
import type { RemoteTable, RowSource } from '../../rows/row-source.ts';
import { viewedRows } from '../../rows/view-table.ts';

type Loaded = { readonly of: RemoteTable } & (
  | { readonly source: RowSource }
  | { readonly error: Error }
);

/**
 * Returns the rows of a source for a view. Views that aren't built in can't query the server: the
 * rows that they get are read first, and undefined is returned meanwhile.
 */
export function useViewedRows(source: RowSource, builtIn: boolean): RowSource | undefined {
  const { remote } = source;
  const rows = viewedRows(source);
  const [loaded, setLoaded] = useState<Loaded>();
  const wanted = builtIn ? undefined : remote;
  useEffect(() => {
    if (!wanted) return undefined;
    const abort = new AbortController();
    wanted.read(0, rows, abort.signal).then(
      (read) => setLoaded({ of: wanted, source: read }),
      (error: unknown) => {
        if (!abort.signal.aborted)
          setLoaded({ of: wanted, error: error instanceof Error ? error : new Error(`${error}`) });
      },
    );
    return () => abort.abort();
  }, [wanted, rows]);
  if (!wanted) return source;
  const now = loaded?.of === wanted ? loaded : undefined;
  // Rethrow for the error boundary around the view.
  if (now && 'error' in now) throw now.error;
  return now?.source;
}
