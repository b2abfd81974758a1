import type { RecordBatch } from 'apache-arrow';
import { useEffect, useState } from 'react';
import { arrowRows, type ArrowSource } from '../../visualizations/table/arrow-rows.ts';

/** Rows that arrive: their number, where it is known, and the batches. */
export interface ArrivingRows {
  readonly total?: number | undefined;
  readonly batches: AsyncIterable<RecordBatch>;
}

/** What has arrived. */
export interface Arrived {
  readonly source: ArrowSource | null;
  /** More comes. */
  readonly reading: boolean;
  /** Why it ended early; what was read is kept. */
  readonly error: Error | null;
}

/** New rows are shown so often at most, ms; the first ones at once. */
const redraw = 150;

/**
 * Reads record batches as they come. The reading ends when the view goes or `attempt` changes, which starts again.
 *
 * @param open begins to read; its signal is aborted when nobody wants the rows any more
 */
export function useArrowRows(
  open: (signal: AbortSignal) => ArrivingRows | Promise<ArrivingRows>,
  attempt: number,
): Arrived {
  const [arrived, setArrived] = useState<Arrived>({ source: null, reading: true, error: null });
  useEffect(() => {
    const controller = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const rows = arrowRows();
    let total: number | undefined;
    const show = (reading: boolean, error: Error | null = null): void => {
      clearTimeout(timer);
      timer = undefined;
      if (controller.signal.aborted) return;
      // After a failure the rows are what there is, but not all there should be.
      const source = rows.snapshot({
        complete: !reading,
        total: error ? undefined : reading ? total : rows.length,
      });
      setArrived((old) => ({
        source: source.columns.length > 0 || !old.source ? source : old.source,
        reading,
        error,
      }));
    };
    setArrived({ source: null, reading: true, error: null });
    void (async () => {
      try {
        const coming = await open(controller.signal);
        total = coming.total;
        let first = true;
        for await (const batch of coming.batches) {
          if (controller.signal.aborted) return;
          rows.add(batch);
          if (first) show(true);
          else timer ??= setTimeout(() => show(true), redraw);
          first = false;
        }
        show(false);
      } catch (error) {
        show(false, error instanceof Error ? error : new Error(String(error)));
      }
    })();
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
    // eslint-disable-next-line react-hooks/exhaustive-deps -- another function alone reads nothing anew
  }, [attempt]);
  return arrived;
}
