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
import { createWorkerTasks } from '../../../runtime/workers/worker-tasks.ts';
import { usePrinting } from '../../parts/use-printing.ts';
import type { chartTasks } from './chart-tasks.ts';

/** Worker shared by all charts of a page. */
export const chartWorker = createWorkerTasks<typeof chartTasks>(
  () => new Worker(new URL('./chart.worker.ts', import.meta.url), { type: 'module' }),
  async () => (await import('./chart-tasks.ts')).chartTasks,
);

/** A computation on a table. A new object requests a new result. */
export interface ChartComputation<Value> {
  /** Indices of the columns needed. */
  readonly indexes: readonly number[];
  readonly compute: (source: CellSource) => Value;
  readonly computeInWorker: (
    columns: PackedColumn[],
    length: number,
    transfer: Transferable[],
  ) => Promise<Value>;
}

/** The result of a computation and its inputs. */
export interface ChartResult<Value, W extends ChartComputation<Value>> {
  readonly value: Value;
  readonly work: W;
  readonly table: TableData;
}

interface Shown<Value, W extends ChartComputation<Value>> {
  /**
   * The latest result. It may belong to an earlier request while the next one is computed; null
   * before the first result.
   */
  readonly shown: ChartResult<Value, W> | null;
  readonly busy: boolean;
}

/**
 * Computes something from a table: synchronously for up to `small` rows, otherwise in the worker.
 * The last result stays until the next one is ready, and an older result never replaces a newer
 * one. While rows stream in, each computation finishes before the next starts, so the chart keeps
 * updating.
 */
export function useChartComputation<Value, W extends ChartComputation<Value>>(
  table: TableData,
  work: W,
  small: number,
): Shown<Value, W> {
  const settled = useDeferredValue(table);
  // The browser does not wait for the worker while it prints.
  const isSmall = usePrinting() || settled.rows.length <= small;
  const here = useMemo(
    () =>
      isSmall ? { value: work.compute(tableCellSource(settled)), work, table: settled } : null,
    [isSmall, settled, work],
  );
  const [away, setAway] = useState<ChartResult<Value, W> | { error: Error } | null>(null);
  const runner = useRef<Runner<Value, W>>(null);
  useEffect(() => () => runner.current?.stop(), []);
  useEffect(() => {
    if (isSmall) {
      runner.current?.stop();
      return;
    }
    runner.current ??= new Runner(setAway);
    runner.current.request({ table: settled, work });
  }, [isSmall, settled, work]);
  const last = useRef<ChartResult<Value, W> | null>(null);
  useEffect(() => {
    if (here) last.current = here;
  });
  // Rethrow for the error boundary around the view.
  if (!here && away && 'error' in away) throw away.error;
  const shown = here ?? (away && 'value' in away ? away : last.current);
  return { shown, busy: shown?.work !== work || shown.table !== settled };
}

interface ComputationRequest<Value, W extends ChartComputation<Value>> {
  readonly table: TableData;
  readonly work: W;
}

/**
 * Runs one request at a time: packs its columns in slices, sends them to the worker and reports the
 * result.
 */
class Runner<Value, W extends ChartComputation<Value>> {
  #current: ComputationRequest<Value, W> | undefined;
  #next: ComputationRequest<Value, W> | undefined;
  #halt: (() => void) | undefined;
  readonly #onAnswer: (answer: ChartResult<Value, W> | { error: Error }) => void;

  constructor(onAnswer: (answer: ChartResult<Value, W> | { error: Error }) => void) {
    this.#onAnswer = onAnswer;
  }

  request(request: ComputationRequest<Value, W>): void {
    const current = this.#current;
    // The same computation with more rows: let the current one finish first.
    if (current && current.work === request.work && current.table.rows === request.table.rows) {
      this.#next = request;
      return;
    }
    this.stop();
    this.#start(request);
  }

  stop(): void {
    this.#halt?.();
    this.#halt = this.#current = this.#next = undefined;
  }

  #start(request: ComputationRequest<Value, W>): void {
    this.#current = request;
    const packer = new ColumnPacker(request.table, request.work.indexes);
    this.#halt = runInSlices(() => {
      if (packer.step()) return true;
      const { columns } = packer;
      request.work.computeInWorker(columns, packer.length, packedColumnBuffers(columns)).then(
        (value) => this.#done(request, { value, work: request.work, table: request.table }),
        (error: unknown) =>
          this.#done(request, { error: error instanceof Error ? error : new Error(String(error)) }),
      );
      return false;
    });
  }

  #done(
    request: ComputationRequest<Value, W>,
    answer: ChartResult<Value, W> | { error: Error },
  ): void {
    if (this.#current !== request) return;
    const next = this.#next;
    this.#halt = this.#current = this.#next = undefined;
    this.#onAnswer(answer);
    if (next) this.#start(next);
  }
}
