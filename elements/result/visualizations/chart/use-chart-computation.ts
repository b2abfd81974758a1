import type { TypedRows } from '@tiding/client/model';
import { runNow } from '@tiding/client/model';
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { usePrinting } from '../../parts/use-printing.ts';
import { runGenerator } from '../../rows/run-generator.ts';

/** Rows that are computed at once: it takes less than a frame. */
const SMALL_ROWS = 20_000;

/** A computation on the rows of a table. A new function requests a new result. */
export type ChartComputation<Value> = (source: TypedRows) => Generator<unknown, Value>;

/** The result of a computation and its input. */
export interface ChartResult<Value> {
  readonly value: Value;
  readonly work: ChartComputation<Value>;
  readonly source: TypedRows;
}

type Request<Value> = Omit<ChartResult<Value>, 'value'>;
type Answer<Value> = ChartResult<Value> | { readonly error: Error };

/**
 * Computes something from a table: at once if it is small, otherwise in slices between frames. The
 * last result stays until the next one is ready, and an older result never replaces a newer one.
 * While rows stream in, each computation finishes before the next starts, so the chart keeps
 * updating.
 *
 * @param source must be a new object whenever rows were added; undefined computes nothing
 * @returns the latest result, which may belong to an earlier request while `busy`
 */
export function useChartComputation<Value>(
  source: TypedRows | undefined,
  work: ChartComputation<Value>,
): { shown: ChartResult<Value> | null; busy: boolean } {
  // The browser waits neither for deferred rows nor for slices while it prints.
  const printing = usePrinting();
  const deferred = useDeferredValue(source);
  const settled = printing ? source : deferred;
  const isSmall = printing || settled === undefined || settled.length <= SMALL_ROWS;
  const here = useMemo(
    () => (settled && isSmall ? { value: runNow(work(settled)), work, source: settled } : null),
    [isSmall, settled, work],
  );
  const [away, setAway] = useState<Answer<Value> | null>(null);
  const runner = useRef<Runner<Value>>(null);
  useEffect(() => () => runner.current?.stop(), []);
  useEffect(() => {
    runner.current ??= new Runner(setAway);
    if (isSmall) runner.current.stop();
    else runner.current.request({ source: settled, work });
  }, [isSmall, settled, work]);
  const last = useRef<ChartResult<Value> | null>(null);
  useEffect(() => {
    if (here) last.current = here;
  });
  // Rethrow for the error boundary around the view.
  if (!isSmall && away && 'error' in away) throw away.error;
  const shown = here ?? (away && 'value' in away ? away : last.current);
  const isShown = shown?.work === work && shown.source === settled;
  return { shown, busy: settled !== undefined && !isShown };
}

/** Runs one request at a time, and after it the latest one of the same computation. */
class Runner<Value> {
  #current: Request<Value> | undefined;
  #next: Request<Value> | undefined;
  #halt: (() => void) | undefined;
  readonly #onAnswer: (answer: Answer<Value>) => void;

  constructor(onAnswer: (answer: Answer<Value>) => void) {
    this.#onAnswer = onAnswer;
  }

  request(request: Request<Value>): void {
    if (this.#current?.work === request.work) this.#next = request;
    else {
      this.stop();
      this.#start(request);
    }
  }

  stop(): void {
    this.#halt?.();
    this.#halt = this.#current = this.#next = undefined;
  }

  #start(request: Request<Value>): void {
    this.#current = request;
    this.#halt = runGenerator(
      request.work(request.source),
      (value) => this.#done({ value, ...request }),
      (error) => this.#done({ error: error instanceof Error ? error : new Error(String(error)) }),
    );
  }

  #done(answer: Answer<Value>): void {
    const next = this.#next;
    this.#halt = this.#current = this.#next = undefined;
    this.#onAnswer(answer);
    if (next) this.#start(next);
  }
}
