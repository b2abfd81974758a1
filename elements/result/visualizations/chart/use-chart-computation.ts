import {
  type CellSource,
  ColumnPacker,
  type PackedColumn,
  packedColumnBuffers,
  type TableData,
  tableCellSource,
} from '@tiding/client/model';
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { runInSlices } from '../../../runtime/slices.ts';
import { createWorkerTasks } from '../../../runtime/worker-tasks.ts';
import { workerUrl } from '../../../runtime/worker-url.ts';
import type { chartTasks } from './chart-tasks.ts';

/** Worker shared by all charts of a page. */
export const chartWorker = createWorkerTasks<typeof chartTasks>(
  () => new Worker(workerUrl(new URL('./chart.worker.ts', import.meta.url)), { type: 'module' }),
  async () => (await import('./chart-tasks.ts')).chartTasks,
);

/** A computation on a table. A new object requests a new result. */
export interface ChartComputation<Made> {
  /** Indices of the columns needed. */
  readonly indexes: readonly number[];
  readonly here: (source: CellSource) => Made;
  readonly away: (
    columns: PackedColumn[],
    length: number,
    transfer: Transferable[],
  ) => Promise<Made>;
}

/** The result of a computation and its inputs. */
export interface ChartResult<Made, W extends ChartComputation<Made>> {
  readonly made: Made;
  readonly work: W;
  readonly table: TableData;
}

interface Shown<Made, W extends ChartComputation<Made>> {
  /**
   * The latest result. It may belong to an earlier request while the next one is computed; null
   * before the first result.
   */
  readonly shown: ChartResult<Made, W> | null;
  readonly busy: boolean;
}

/**
 * Computes something from a table: synchronously for up to `small` rows, otherwise in the worker.
 * The last result stays until the next one is ready, and an older result never replaces a newer
 * one. While rows stream in, each computation finishes before the next starts, so the chart keeps
 * updating.
 */
export function useChartComputation<Made, W extends ChartComputation<Made>>(
  table: TableData,
  work: W,
  small: number,
): Shown<Made, W> {
  const settled = useDeferredValue(table);
  const isSmall = settled.rows.length <= small;
  const here = useMemo(
    () => (isSmall ? { made: work.here(tableCellSource(settled)), work, table: settled } : null),
    [isSmall, settled, work],
  );
  const [away, setAway] = useState<ChartResult<Made, W> | { error: Error } | null>(null);
  const runner = useRef<Runner<Made, W>>(null);
  useEffect(() => () => runner.current?.stop(), []);
  useEffect(() => {
    if (isSmall) {
      runner.current?.stop();
      return;
    }
    runner.current ??= new Runner(setAway);
    runner.current.ask({ table: settled, work });
  }, [isSmall, settled, work]);
  const last = useRef<ChartResult<Made, W> | null>(null);
  useEffect(() => {
    if (here) last.current = here;
  });
  // Rethrow for the error boundary around the view.
  if (!here && away && 'error' in away) throw away.error;
  const shown = here ?? (away && 'made' in away ? away : last.current);
  return { shown, busy: shown?.work !== work || shown.table !== settled };
}

interface Wish<Made, W extends ChartComputation<Made>> {
  readonly table: TableData;
  readonly work: W;
}

/**
 * Runs one request at a time: packs its columns in slices, sends them to the worker and reports the
 * result.
 */
class Runner<Made, W extends ChartComputation<Made>> {
  #current: Wish<Made, W> | undefined;
  #next: Wish<Made, W> | undefined;
  #halt: (() => void) | undefined;
  readonly #tell: (answer: ChartResult<Made, W> | { error: Error }) => void;

  constructor(tell: (answer: ChartResult<Made, W> | { error: Error }) => void) {
    this.#tell = tell;
  }

  ask(wish: Wish<Made, W>): void {
    const current = this.#current;
    // The same computation with more rows: let the current one finish first.
    if (current && current.work === wish.work && current.table.rows === wish.table.rows) {
      this.#next = wish;
      return;
    }
    this.stop();
    this.#start(wish);
  }

  stop(): void {
    this.#halt?.();
    this.#halt = this.#current = this.#next = undefined;
  }

  #start(wish: Wish<Made, W>): void {
    this.#current = wish;
    const packer = new ColumnPacker(wish.table, wish.work.indexes);
    this.#halt = runInSlices(() => {
      if (packer.step()) return true;
      const { columns } = packer;
      wish.work.away(columns, packer.length, packedColumnBuffers(columns)).then(
        (made) => this.#done(wish, { made, work: wish.work, table: wish.table }),
        (error: unknown) =>
          this.#done(wish, { error: error instanceof Error ? error : new Error(String(error)) }),
      );
      return false;
    });
  }

  #done(wish: Wish<Made, W>, answer: ChartResult<Made, W> | { error: Error }): void {
    if (this.#current !== wish) return;
    const next = this.#next;
    this.#halt = this.#current = this.#next = undefined;
    this.#tell(answer);
    if (next) this.#start(next);
  }
}
