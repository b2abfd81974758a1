import { type ArrowSource, arrowRows } from '@tiding/client/model';
import type { RecordBatch } from 'apache-arrow';
import { useEffect, useState } from 'react';
import { useStableValue } from '../../../runtime/hooks.ts';

/** A stream of rows: the total number, if known, and the record batches. */
export interface RowStream {
  readonly total?: number | undefined;
  readonly batches: AsyncIterable<RecordBatch>;
}

/** State of reading a row stream. */
export interface RowStreamState {
  readonly source: ArrowSource | null;
  /** Whether more rows are expected. */
  readonly reading: boolean;
  /** The error that ended reading early; the rows received so far are kept. */
  readonly error: Error | null;
}

/** Minimum interval in ms between updates of the view; the first batch is shown immediately. */
const redraw = 150;

/**
 * Reads record batches as they arrive. Reading stops when the component unmounts; changing
 * `attempt` starts over.
 *
 * @param open starts reading; its signal is aborted when the rows are no longer needed
 */
export function useArrowRows(
  open: (signal: AbortSignal) => RowStream | Promise<RowStream>,
  attempt: number,
): RowStreamState {
  const [arrived, setArrived] = useState<RowStreamState>({
    source: null,
    reading: true,
    error: null,
  });
  // A new `open` function alone doesn't restart the reading.
  const wanted = useStableValue({ open }, [attempt]);
  useEffect(() => {
    const controller = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const rows = arrowRows();
    let total: number | undefined;
    const show = (reading: boolean, error: Error | null = null): void => {
      clearTimeout(timer);
      timer = undefined;
      if (controller.signal.aborted) return;
      // After an error the total is dropped, because not all expected rows arrived.
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
        const coming = await wanted.open(controller.signal);
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
  }, [wanted]);
  return arrived;
}
