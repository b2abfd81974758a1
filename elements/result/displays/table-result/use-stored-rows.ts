import type { Output } from '@tiding/client';
import { type ArrowSource, arrowRows, readArrowRows } from '@tiding/client/model';
import { useEffect, useState } from 'react';
import { useStableValue } from '../../../runtime/hooks.ts';
import type { DisplayProps } from '../../contract.ts';
import { RemoteRows } from '../../rows/remote-rows.ts';
import type { RowSource } from '../../rows/row-source.ts';

/** Where stored rows are read; a paragraph is one. */
type RowStore = Pick<NonNullable<DisplayProps['context']>['paragraph'], 'rows' | 'query'>;

/** The stored rows of a table, as far as they are read. */
interface StoredRows {
  /** Undefined until the first rows have arrived, and if none can be read. */
  readonly source: RowSource | undefined;
  /**
   * `refused`: the table is large, and the server doesn't answer queries about it.
   */
  readonly state: 'reading' | 'complete' | 'failed' | 'refused';
  /** The error that ended reading early; the rows received so far are kept. */
  readonly error?: Error | undefined;
  /** Number of rows of the whole table. */
  readonly total: number | undefined;
  /** Reads again, all rows into the page. */
  readonly again: () => void;
}

/**
 * Maximum number of cells that are read into the page (some tens of MB), because a note may have
 * many such tables.
 */
const MAX_CELLS = 4_000_000;
/** Tables with at most this many cells are kept while their output exists. */
const MAX_KEPT_CELLS = 200_000;
/** Minimum interval in ms between updates of the view; the first batch is shown immediately. */
const REDRAW_MS = 150;

interface Kept {
  readonly run: string | undefined;
  readonly source: ArrowSource;
}
/** Small tables, so that one that scrolls back into view is complete at once. */
const kept = new WeakMap<Output['chunks'], Kept>();

type Progress = Pick<StoredRows, 'source' | 'state' | 'error'>;
const start: Progress = { source: undefined, state: 'reading' };

/** Reads the rows that the server stores of an output; undefined if it stores none. */
export function useStoredRows(
  { output, context, index, running, dateFinished }: DisplayProps,
  names: readonly string[],
): StoredRows | undefined {
  const { rows: total, chunks } = output;
  const store: RowStore | undefined = context?.paragraph;
  const isStored =
    store !== undefined && total !== undefined && !running && !context?.note.revision;
  const [attempt, setAttempt] = useState(0);
  const isRemote = isStored && attempt === 0 && total * names.length > MAX_CELLS;
  const work = useStableValue(
    isStored && {
      isRemote,
      store,
      index,
      chunks,
      // The rows of a new run are read again, even if its text is the same.
      run: dateFinished,
      names,
      keep: total * names.length <= MAX_KEPT_CELLS,
    },
    [isStored, isRemote, attempt, index, chunks, dateFinished],
  );
  const [progress, setProgress] = useState<{ of: typeof work } & Progress>({ of: false, ...start });
  useEffect(() => {
    if (!work || keptRows(work)) return undefined;
    const abort = new AbortController();
    const show = (next: Progress): void => {
      if (!abort.signal.aborted) setProgress({ of: work, ...next });
    };
    void (work.isRemote ? queryRows(work, show, abort.signal) : readRows(work, show, abort.signal));
    return () => abort.abort();
  }, [work]);
  if (!work) return undefined;
  const source = keptRows(work);
  const now: Progress = source
    ? { source, state: 'complete' }
    : progress.of === work
      ? progress
      : start;
  return { ...now, total, again: () => setAttempt(attempt + 1) };
}

interface Work {
  readonly store: RowStore;
  readonly index: number;
  readonly chunks: Output['chunks'];
  readonly run: string | undefined;
  /** Names of the columns; those in the server's database are distinct. */
  readonly names: readonly string[];
  readonly keep: boolean;
}

/** The rows of a small table, if a view has read them. */
export function keptRows({ chunks, run }: Pick<Work, 'chunks' | 'run'>): ArrowSource | undefined {
  const known = kept.get(chunks);
  return known?.run === run ? known?.source : undefined;
}

const errorOf = (error: unknown): Error =>
  error instanceof Error ? error : new Error(String(error));

/** Reads record batches as they arrive. */
async function readRows(
  { store, index, chunks, run, keep }: Work,
  show: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<void> {
  const rows = arrowRows();
  let shownAt: number | undefined;
  let total: number | undefined;
  const read = (complete: boolean): ArrowSource =>
    rows.snapshot({ complete, total: complete ? rows.length : total });
  try {
    const coming = await store.rows(index, { signal });
    total = coming.total;
    for await (const batch of coming.batches) {
      if (signal.aborted) return;
      rows.add(batch);
      const now = performance.now();
      if (shownAt !== undefined && now - shownAt < REDRAW_MS) continue;
      shownAt = now;
      show({ source: read(false), state: 'reading' });
    }
    rows.define(coming.schema);
    const source = read(true);
    if (keep) kept.set(chunks, { run, source });
    show({ source, state: 'complete' });
  } catch (error) {
    // Not all of the expected rows have arrived.
    const source = rows.length > 0 ? read(true) : undefined;
    show({ source, state: 'failed', error: errorOf(error) });
  }
}

/** Leaves the rows on the server, which filters, sorts and aggregates them. */
async function queryRows(
  { store, index, names }: Work,
  show: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<void> {
  try {
    // Answers of the server have all times in UTC.
    const { schema } = await store.rows(index, { limit: 1, signal });
    const { columns } = await readArrowRows({ schema, batches: [] });
    const rows = await RemoteRows.open(
      (query, asked) => store.query(index, query, { signal: asked }),
      names.map((name, at) => {
        const { timezone, meaning } = columns[at] ?? {};
        return { name, ...(timezone && { timezone }), ...(meaning && { meaning }) };
      }),
      signal,
    );
    show({ source: rows.source(), state: 'complete' });
  } catch {
    show({ source: undefined, state: 'refused' });
  }
}
