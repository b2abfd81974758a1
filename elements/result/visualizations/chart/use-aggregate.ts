import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import {
  packedBuffers,
  Packer,
  tableSource,
  type CellSource,
  type PackedColumn,
  type TableData,
} from 'tiding/model';
import { createBackground } from '../../../runtime/background.ts';
import { inSlices } from '../../../runtime/slices.ts';
import { workerUrl } from '../../../runtime/worker-url.ts';
import type { tasks } from './tasks.ts';

/** The worker all charts of a page share. */
export const chartWork = createBackground<typeof tasks>(
  () => new Worker(workerUrl(new URL('./chart.worker.ts', import.meta.url)), { type: 'module' }),
  async () => (await import('./tasks.ts')).tasks,
);

/** Something to be worked out from a table; a new object is a new wish. */
export interface Work<Made> {
  /** Columns that are needed. */
  readonly indexes: readonly number[];
  readonly here: (source: CellSource) => Made;
  readonly away: (
    columns: PackedColumn[],
    length: number,
    transfer: Transferable[],
  ) => Promise<Made>;
}

/** What came of a wish. */
export interface Aggregate<Made, W extends Work<Made>> {
  readonly made: Made;
  readonly work: W;
  readonly table: TableData;
}

interface Shown<Made, W extends Work<Made>> {
  /** The newest there is; of an older wish while the next is worked out, null before the first. */
  readonly shown: Aggregate<Made, W> | null;
  readonly busy: boolean;
}

/**
 * Works something out from a table: at once and here for up to `small` rows, else in the background. The last answer
 * stays while the next is made, and an older answer never replaces a newer. While rows stream in, one answer is finished
 * before the next is begun, so that there is always something to see.
 */
export function useAggregate<Made, W extends Work<Made>>(
  table: TableData,
  work: W,
  small: number,
): Shown<Made, W> {
  const settled = useDeferredValue(table);
  const isSmall = settled.rows.length <= small;
  const here = useMemo(
    () => (isSmall ? { made: work.here(tableSource(settled)), work, table: settled } : null),
    [isSmall, settled, work],
  );
  const [away, setAway] = useState<Aggregate<Made, W> | { error: Error } | null>(null);
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
  const last = useRef<Aggregate<Made, W> | null>(null);
  useEffect(() => {
    if (here) last.current = here;
  });
  // For the boundary around the view.
  if (!here && away && 'error' in away) throw away.error;
  const shown = here ?? (away && 'made' in away ? away : last.current);
  return { shown, busy: shown?.work !== work || shown.table !== settled };
}

interface Wish<Made, W extends Work<Made>> {
  readonly table: TableData;
  readonly work: W;
}

/** One wish at a time: packed in slices, sent away, told. */
class Runner<Made, W extends Work<Made>> {
  #current: Wish<Made, W> | undefined;
  #next: Wish<Made, W> | undefined;
  #halt: (() => void) | undefined;
  readonly #tell: (answer: Aggregate<Made, W> | { error: Error }) => void;

  constructor(tell: (answer: Aggregate<Made, W> | { error: Error }) => void) {
    this.#tell = tell;
  }

  ask(wish: Wish<Made, W>): void {
    const current = this.#current;
    // The same, with more rows: what is under way is still worth seeing.
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
    const packer = new Packer(wish.table, wish.work.indexes);
    this.#halt = inSlices(() => {
      if (packer.step()) return true;
      const { columns } = packer;
      wish.work.away(columns, packer.length, packedBuffers(columns)).then(
        (made) => this.#done(wish, { made, work: wish.work, table: wish.table }),
        (error: unknown) =>
          this.#done(wish, { error: error instanceof Error ? error : new Error(String(error)) }),
      );
      return false;
    });
  }

  #done(wish: Wish<Made, W>, answer: Aggregate<Made, W> | { error: Error }): void {
    if (this.#current !== wish) return;
    const next = this.#next;
    this.#halt = this.#current = this.#next = undefined;
    this.#tell(answer);
    if (next) this.#start(next);
  }
}
