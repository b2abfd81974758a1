/**
 * Runs: promises that settle when the run has really ended, and async iterables of its events.
 *
 * Both read the events of the channel, so a run survives a reconnect: the reloaded note shows its
 * progress. Nothing is polled.
 */
import type { CallOptions } from '../../core/abort.ts';
import { TidingError } from '../../core/errors.ts';
import type { Output } from '../../core/outputs.ts';
import type { ArrowTable } from '../../model/tables/arrow.ts';
import type { ParagraphStatus } from '../../protocol/index.ts';
import type { Download } from '../../rest/download.ts';

/**
 * Options of a run. Aborting the signal, or reaching the time limit, cancels the run on the server;
 * the promise then rejects when the server has stopped it. No time limit by default.
 */
export interface ParagraphRunOptions extends CallOptions {
  /**
   * Values of forms. In a run of a whole note, each paragraph gets the values that its forms
   * define. Values of the note's own forms are stored in the note first. Rejects with `protocol`
   * for a name that no form has, and for a value that is not among the options of its form.
   */
  params?: Record<string, unknown>;
  /**
   * Whether forms without a value in `params` use the value that the note has stored from the page
   * or an earlier run. Otherwise they use their defaults. Default: `true`; for `client.run`
   * `false`, so that its runs don't affect each other.
   */
  storedValues?: boolean;
}

/** Options for running a whole note or some of its paragraphs. */
export interface NoteRunOptions extends ParagraphRunOptions {
  /** Ids of the paragraphs to run. They run in the order of the note. Default: all. */
  paragraphs?: readonly string[];
  /**
   * Runs all paragraphs at the same time, as far as the interpreters allow; a failure does not stop
   * the others. Default: one after the other until the first failure.
   */
  parallel?: boolean;
}

/** @internal The names of {@link ParagraphRunOptions}. */
export const PARAGRAPH_RUN_OPTIONS = ['params', 'signal', 'storedValues', 'timeout'] as const;

/** An event of a run. Events arrive in the order in which the server sent them. */
export type RunEvent =
  | { type: 'status'; paragraphId: string; status: ParagraphStatus }
  | { type: 'progress'; paragraphId: string; progress: number }
  /** Output `index` was replaced by `data`. Sent with empty data when an output starts. */
  | { type: 'output'; paragraphId: string; index: number; outputType: string; data: string }
  /** `data` was appended to output `index`. */
  | { type: 'append'; paragraphId: string; index: number; data: string }
  /** The server says something about the run, for example that variables were lost before it. */
  | { type: 'notice'; paragraphId: string; message: string }
  | { type: 'result'; paragraphId: string; result: RunResult };

/** Result of running one paragraph. */
export interface RunResult {
  /** Id of the paragraph. */
  readonly paragraphId: string;
  /**
   * Final status. `READY` means that the paragraph was not run, for example because it is disabled.
   */
  readonly status: 'FINISHED' | 'ERROR' | 'ABORT' | 'READY';
  /** All outputs in order. Read their text with `outputText`. */
  readonly outputs: readonly Output[];
  /**
   * Error message if the status is ERROR. If it is ABORT, says why the server stopped the run, such
   * as its restart, a restart of the interpreter or the time limit; `undefined` if a user did.
   */
  readonly error: string | undefined;
  /**
   * Returns the last TABLE output as an Arrow table, with all rows if the server stores complete
   * tables. Rejects with `not-found` if there is none.
   */
  table(options?: CallOptions): Promise<ArrowTable>;
  /**
   * Downloads the last TABLE output with all rows as a file. Rejects with `not-found` if there is
   * none, and with `conflict` if the paragraph has a newer result. No time limit by default. An
   * Excel file is written here, from rows in memory; rejects with `limit` if it can't hold all.
   *
   * @example
   * const { name, response } = await result.download('parquet');
   * await writeFile(name, Buffer.from(await response.arrayBuffer()));
   */
  download(format: TableFormat, options?: CallOptions): Promise<Download>;
}

/** Formats of the file of a table. */
export type TableFormat = 'csv' | 'json' | 'parquet' | 'arrow' | 'xlsx';

/** Time that leaving a loop waits for the end of the run on the server, in ms. */
const LEAVE_MS = 15_000;

/** Number of unread characters at which the server is paused, and at which it is resumed. */
const LAG_HIGH = 4 * 2 ** 20;
const LAG_LOW = 2 ** 20;

const sizeOf = (event: RunEvent) =>
  event.type === 'append' || event.type === 'output' ? event.data.length : 0;

/** @internal Pauses the server while a reader lags behind. */
interface PausableSource {
  pause(): void;
  resume(): void;
}

/**
 * A running paragraph or note. Await it for the result, iterate it for its events, or do both.
 *
 * Unread events are merged: appends to the same output become one event, and only the latest
 * progress is kept. If a reader lags behind by 4 Mi characters, the server is paused where the
 * platform supports it (Node.js).
 *
 * @example
 * const run = paragraph.run();
 * for await (const event of run) {
 *   switch (event.type) {
 *     case 'progress':
 *       console.log(`${event.progress} %`);
 *       break;
 *     case 'append':
 *       console.log(event.data);
 *       break;
 *   }
 * }
 * const result = await run;
 */
export class Run<Result> implements Promise<Result>, AsyncIterable<RunEvent> {
  /** Name of the class, for debuggers. */
  readonly [Symbol.toStringTag] = 'Run';
  readonly #result: Promise<Result>;
  readonly #events: RunEvent[] = [];
  readonly #cancel: () => void;
  readonly #brake: PausableSource | undefined;
  /** Position and unread characters of each reader. */
  readonly #readers = new Set<{ next: number; lag: number; braked: boolean }>();
  #wake: (() => void)[] = [];
  #ended = false;

  /**
   * @internal `start` receives the function that emits events, and returns the promise of the
   * result.
   */
  constructor(
    start: (push: (event: RunEvent) => void) => Promise<Result>,
    cancel: () => void,
    brake?: PausableSource,
  ) {
    this.#cancel = cancel;
    this.#brake = brake;
    const end = () => {
      this.#ended = true;
      this.#notify();
    };
    this.#result = start((event) => this.#push(event));
    this.#result.then(end, end);
  }

  #push(event: RunEvent): void {
    const last = this.#events.at(-1);
    const unread =
      this.#readers.size === 0 ||
      [...this.#readers].every(({ next }) => next < this.#events.length);
    if (
      unread &&
      last?.type === 'append' &&
      event.type === 'append' &&
      last.paragraphId === event.paragraphId &&
      last.index === event.index
    ) {
      this.#events[this.#events.length - 1] = { ...last, data: last.data + event.data };
    } else if (
      unread &&
      last?.type === 'progress' &&
      event.type === 'progress' &&
      last.paragraphId === event.paragraphId
    ) {
      this.#events[this.#events.length - 1] = event;
    } else this.#events.push(event);
    for (const reader of this.#readers) {
      reader.lag += sizeOf(event);
      if (reader.lag > LAG_HIGH && !reader.braked) {
        reader.braked = true;
        this.#brake?.pause();
      }
    }
    this.#notify();
  }

  #notify(): void {
    const wake = this.#wake;
    this.#wake = [];
    for (const resolve of wake) resolve();
  }

  /** Makes the run awaitable. */
  // biome-ignore lint/suspicious/noThenProperty: a run can be awaited
  then<A = Result, B = never>(
    fulfilled?: ((value: Result) => A | PromiseLike<A>) | null,
    rejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#result.then(fulfilled, rejected);
  }

  /** Handles a run that rejects, as with a promise. */
  catch<A = never>(
    rejected?: ((reason: unknown) => A | PromiseLike<A>) | null,
  ): Promise<Result | A> {
    return this.#result.catch(rejected);
  }

  /** Calls `settled` when the run has ended in any way, as with a promise. */
  finally(settled?: (() => void) | null): Promise<Result> {
    return this.#result.finally(settled);
  }

  /**
   * Iterates the events from the start of the run; each iterator gets every event once. Leaving the
   * loop early cancels the run and waits until it has ended, at most 15 s, so that the next run can
   * begin. If the run fails, the loop throws its error.
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<RunEvent, void, void> {
    const reader = {
      next: 0,
      lag: this.#events.reduce((sum, event) => sum + sizeOf(event), 0),
      braked: false,
    };
    this.#readers.add(reader);
    const release = () => {
      if (reader.braked) this.#brake?.resume();
      reader.braked = false;
    };
    try {
      for (;;) {
        while (reader.next < this.#events.length) {
          const event = this.#events[reader.next++]!;
          reader.lag -= sizeOf(event);
          if (reader.lag < LAG_LOW) release();
          yield event;
        }
        if (this.#ended) break;
        await new Promise<void>((resolve) => this.#wake.push(resolve));
      }
      // A failed run also fails the loop.
      await this.#result;
    } finally {
      this.#readers.delete(reader);
      release();
      if (!this.#ended) {
        this.#cancel();
        await this.#settled();
      }
    }
  }

  async #settled(): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const limit = new Promise<void>((resolve) => (timer = setTimeout(resolve, LEAVE_MS)));
    await Promise.race([this.#result.catch(() => {}), limit]);
    clearTimeout(timer);
  }

  /** Stops the run on the server. The promise then settles with status ABORT. */
  cancel(): void {
    this.#cancel();
  }
}

/** @internal The error for attempts to change or run a revision. */
export const revisionReadOnlyError = (operation: string): TidingError =>
  new TidingError('forbidden', 'A revision cannot be changed.', { operation });

/** @internal A run that rejects because the note is a revision. */
export const revisionRun = <Result>(operation: string): Run<Result> =>
  new Run<Result>(
    () => Promise.reject(revisionReadOnlyError(operation)),
    () => {},
  );
