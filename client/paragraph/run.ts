/**
 * Runs: a promise that settles at the real end, and an async iterator of what happens until then.
 *
 * Both read the events of the channel, so they see a run through a reconnect: the note that is read anew says where it
 * stands. Nothing is polled.
 */
import { deferred, type CallOptions } from '../core/abort.ts';
import { TidingError } from '../errors.ts';
import type { ClientEvent } from '../events.ts';
import type { ArrowTable } from '../model/arrow.ts';
import { isRunning } from '../model/status.ts';
import type { ParagraphStatus } from '../protocol/index.ts';
import type { Note } from '../note/note.ts';
import { paragraphOf } from '../state.ts';
import { placeOf, type Paragraph } from './paragraph.ts';
import { readTable } from './rows.ts';
import { outputText, type Output } from './outputs.ts';

/** Options of a run. Aborting the signal cancels the run at the server. No time limit by default. */
export interface RunOptions extends CallOptions {
  /** Values of the paragraph's forms; in a run of a whole note, of the forms of each paragraph that has one of that name. */
  params?: Record<string, unknown>;
}

/** How a whole note, or some paragraphs of it, are run. */
export interface NoteRunOptions extends RunOptions {
  /** Ids of those that run; left out: all. They run in the order of the note. */
  paragraphs?: readonly string[];
  /** All at once, as far as the interpreters allow it, and a failure stops no other; else one after the other up to the first failure. */
  parallel?: boolean;
}

/** What a run says while it goes on, in the order of the wire. */
export type RunEvent =
  | { type: 'status'; paragraphId: string; status: ParagraphStatus }
  | { type: 'progress'; paragraphId: string; progress: number }
  /** Output `index` is now `data`; sent with empty data when an output starts. */
  | { type: 'output'; paragraphId: string; index: number; outputType: string; data: string }
  /** `data` at the end of output `index`. */
  | { type: 'append'; paragraphId: string; index: number; data: string }
  | { type: 'result'; paragraphId: string; result: RunResult };

/** How a run of one paragraph ended. */
export interface RunResult {
  /** The paragraph that ran. */
  readonly paragraphId: string;
  /** `READY`: it was not run after all, for example because it is disabled. */
  readonly status: 'FINISHED' | 'ERROR' | 'ABORT' | 'READY';
  /** In order; their texts by `outputText`. */
  readonly outputs: readonly Output[];
  /** Text of the last output of an ERROR; else `undefined`. */
  readonly error: string | undefined;
  /** The last TABLE as an Arrow table, with all its rows where the server keeps them; rejects when there is none. */
  table(options?: CallOptions): Promise<ArrowTable>;
}

/** Characters that a reader may be behind before the server is made to wait, and when it may go on. */
const LAG_HIGH = 4 * 2 ** 20;
const LAG_LOW = 2 ** 20;

const sizeOf = (event: RunEvent) =>
  event.type === 'append' || event.type === 'output' ? event.data.length : 0;

/** @internal Holds the server back while a reader lags. */
export interface Brake {
  pause(): void;
  resume(): void;
}

/**
 * A run: `await` it for its end, iterate it for its events; both may be done at once.
 *
 * What nobody has read yet is kept short: text for the same output becomes one event, progress its newest. A reader that
 * lags by 4 Mi characters makes the server wait, where the platform can hold a socket back (Node).
 */
export class Run<Result> implements PromiseLike<Result>, AsyncIterable<RunEvent> {
  readonly #result: Promise<Result>;
  readonly #events: RunEvent[] = [];
  readonly #cancel: () => void;
  readonly #brake: Brake | undefined;
  /** How far each reader is, and what it has yet to read. */
  readonly #readers = new Set<{ next: number; lag: number; braked: boolean }>();
  #wake: (() => void)[] = [];
  #ended = false;

  /** @internal `start` gets the sink of events, and answers the promise of the end. */
  constructor(
    start: (push: (event: RunEvent) => void) => Promise<Result>,
    cancel: () => void,
    brake?: Brake,
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
  then<A = Result, B = never>(
    fulfilled?: ((value: Result) => A | PromiseLike<A>) | null,
    rejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#result.then(fulfilled, rejected);
  }

  /** Events from the start of the run in the order of the wire, each exactly once an iterator. Leaving the loop early cancels the run. */
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
      // A failure of the run is a failure of the loop too.
      await this.#result;
    } finally {
      this.#readers.delete(reader);
      release();
      if (!this.#ended) this.#cancel();
    }
  }

  /** Stops the run at the server; the promise then settles with ABORT. */
  cancel(): void {
    this.#cancel();
  }
}

/** @internal Why nothing of a revision can be changed or run. */
export const unchangeable = (operation: string): TidingError =>
  new TidingError('forbidden', 'A revision cannot be changed.', { operation });

/** @internal The run that a revision refuses. */
export const refusedRun = <Result>(operation: string): Run<Result> =>
  new Run<Result>(
    () => Promise.reject(unchangeable(operation)),
    () => {},
  );

/** How long a run may take to show its first sign of life, in ms. */
const START_MS = 20_000;
/** How long to wait for output that comes after a final paragraph without results, in ms. */
const LATE_OUTPUT_MS = 120;

/** Translates what the channel says about one paragraph into events of its run. */
function runEventOf(event: ClientEvent): RunEvent | undefined {
  switch (event.type) {
    case 'PARAGRAPH':
      return {
        type: 'status',
        paragraphId: event.data.paragraph.id,
        status: event.data.paragraph.status ?? 'READY',
      };
    case 'PROGRESS':
      return { type: 'progress', paragraphId: event.data.id, progress: event.data.progress };
    case 'PARAGRAPH_UPDATE_OUTPUT':
      return {
        type: 'output',
        paragraphId: event.data.paragraphId,
        index: event.data.index ?? 0,
        outputType: event.data.type ?? 'TEXT',
        data: event.data.data ?? '',
      };
    case 'PARAGRAPH_APPEND_OUTPUT':
      return {
        type: 'append',
        paragraphId: event.data.paragraphId,
        index: event.data.index ?? 0,
        data: event.data.data ?? '',
      };
    default:
      return undefined;
  }
}

/**
 * Events of runs from those of a note, without a gap and without a repeat: what passed while the connection was away is
 * told as the difference between what was told before and what the note that is read anew holds. A server that does not
 * say what a run has printed so far (upstream) is not believed in the middle: what is missing then comes at the end.
 */
export class RunFeed {
  readonly #note: Note;
  readonly #push: (event: RunEvent) => void;
  readonly #told = new Map<string, { status: string; outputs: readonly Output[]; gap: boolean }>();

  /** @internal */
  constructor(note: Note, push: (event: RunEvent) => void) {
    this.#note = note;
    this.#push = push;
  }

  /** Takes an event of the note; answers the run event it is, if it is one of those watched. */
  take(event: ClientEvent, watched: (paragraphId: string) => boolean): RunEvent | undefined {
    if (event.type === 'NOTE') {
      for (const id of this.#told.keys()) if (watched(id)) this.#reread(id);
      return undefined;
    }
    const told = runEventOf(event);
    if (!told || !watched(told.paragraphId)) return undefined;
    const now = paragraphOf(this.#note.state, told.paragraphId);
    if (!now) return undefined;
    const before = this.#told.get(told.paragraphId);
    if (told.type === 'output' || told.type === 'append') {
      if (before?.gap) return undefined;
      // A frame that the state did not take is late: its text is in what was told already.
      if (before && now.outputs === before.outputs) return undefined;
    }
    const over = told.type === 'status' && !isRunning(told.status);
    // The final results may hold what was not told yet: it comes late, or passed while the connection was away.
    if (over && before && (now.outputPhase === 'final' || now.outputs.length > 0))
      this.#difference(told.paragraphId, before.outputs, now.outputs, before.gap);
    this.#told.set(told.paragraphId, {
      status: now.server.status ?? 'READY',
      outputs: before?.gap && !over ? before.outputs : now.outputPhase === 'old' ? [] : now.outputs,
      gap: over ? false : (before?.gap ?? false),
    });
    this.#push(told);
    return told;
  }

  #reread(paragraphId: string): void {
    const now = paragraphOf(this.#note.state, paragraphId);
    const before = this.#told.get(paragraphId);
    if (!now || !before || !isRunning(before.status)) return;
    const status = now.server.status ?? 'READY';
    const known = !isRunning(status) || now.server.results?.code === 'INCOMPLETE';
    if (known) this.#difference(paragraphId, before.outputs, now.outputs);
    this.#told.set(paragraphId, {
      status,
      outputs: known ? now.outputs : before.outputs,
      gap: !known,
    });
    if (status !== before.status)
      this.#push({ type: 'status', paragraphId, status: status as ParagraphStatus });
  }

  /** Tells what `now` has more than `before`; with `anew` also what has another text. */
  #difference(
    paragraphId: string,
    before: readonly Output[],
    now: readonly Output[],
    anew = true,
  ): void {
    now.forEach((output, index) => {
      const old = before[index];
      if (old === output) return;
      const text = outputText(output);
      const seen = old?.type === output.type ? outputText(old) : undefined;
      if (seen === text) return;
      if (seen !== undefined && text.startsWith(seen))
        this.#push({ type: 'append', paragraphId, index, data: text.slice(seen.length) });
      else if (anew || old === undefined)
        this.#push({ type: 'output', paragraphId, index, outputType: output.type, data: text });
    });
  }
}

/** How a paragraph that no longer runs ended. */
export function resultOf(paragraph: Paragraph): RunResult {
  const { server, outputs } = paragraph.state;
  const status = (server.status ?? 'READY') as RunResult['status'];
  const last = outputs.at(-1);
  const place = placeOf(paragraph);
  return {
    paragraphId: paragraph.id,
    status,
    outputs,
    error: status === 'ERROR' ? server.errorMessage || (last ? outputText(last) : '') : undefined,
    table: (options) => readTable(outputs, place, options),
  };
}

/** Waits for the connection, and until what was typed before is answered: the texts of a run start from that. Ends as `until` does. */
export async function readyToRun(
  note: Note,
  paragraphIds: readonly string[],
  until: Promise<unknown>,
  { signal, timeout = note.context.timeout }: RunOptions,
): Promise<void> {
  do {
    await note.channel.ready({ signal, timeout });
    await note.drafts.whenLanded(paragraphIds, until);
  } while (note.channel.state !== 'open');
}

/** Runs one paragraph; see {@link Paragraph.run}. */
export function runParagraph(paragraph: Paragraph, options: RunOptions): Run<RunResult> {
  const { note, id } = paragraph;
  const cancel = () => void paragraph.cancel().catch(() => {});
  return new Run<RunResult>(
    async (push) => {
      const before = paragraph.state.server;
      if (isRunning(before.status)) {
        throw new TidingError('server', 'the paragraph is already running', {
          operation: 'RUN_PARAGRAPH',
        });
      }
      const done = deferred<RunResult>('RUN_PARAGRAPH', options);
      // It may end while the connection is still waited for, and then nobody listens to it yet.
      done.promise.catch(() => {});
      const params = { ...before.settings?.params, ...options.params };
      const { title = '', config = {}, dateStarted } = before;
      let started = false;
      let sent = '';
      let seq: number | undefined;
      let late: ReturnType<typeof setTimeout> | undefined;
      let first: ReturnType<typeof setTimeout> | undefined;

      const feed = new RunFeed(note, push);
      const finish = () => {
        const result = resultOf(paragraph);
        push({ type: 'result', paragraphId: id, result });
        done.resolve(result);
      };
      const look = () => {
        const now = paragraphOf(note.state, id);
        if (!now)
          return done.reject(
            new TidingError('closed', 'the paragraph was removed', { operation: 'RUN_PARAGRAPH' }),
          );
        if (isRunning(now.server.status)) {
          started = true;
          note.channel.settle(sent);
          clearTimeout(first);
          clearTimeout(late);
          return;
        }
        // A start may be seen only by its time, when the connection was away or the run was very short.
        if (
          !started &&
          now.server.dateStarted === dateStarted &&
          now.server.status === before.status
        )
          return;
        clearTimeout(first);
        clearTimeout(late);
        if (now.outputPhase === 'final' || now.outputs.length > 0) finish();
        else late = setTimeout(finish, LATE_OUTPUT_MS);
      };
      const stop = note.context.on('event', (event) => {
        if (!('noteId' in event) || event.noteId !== note.id) return;
        if (event.type === 'note-closed') {
          done.reject(
            new TidingError('closed', 'the note was closed', { operation: 'RUN_PARAGRAPH' }),
          );
          return;
        }
        if (event.type === 'PARAGRAPH' && sent !== '' && event.msgId === sent)
          note.context.emit({ type: 'commit-answered', noteId: note.id, paragraphId: id, seq });
        const told = feed.take(event, (paragraphId) => paragraphId === id);
        if (told || event.type === 'NOTE' || event.type === 'PARAGRAPH_REMOVED') look();
        if (!started && event.type === 'PARAGRAPH_CONFLICT' && event.data.id === id) {
          done.reject(
            new TidingError('conflict', 'the paragraph was changed by somebody else', {
              operation: 'RUN_PARAGRAPH',
            }),
          );
        }
        if (
          !started &&
          sent !== '' &&
          (event.type === 'ERROR_INFO' || event.type === 'AUTH_INFO') &&
          event.msgId === sent
        ) {
          const code = event.type === 'AUTH_INFO' ? 'forbidden' : 'server';
          done.reject(
            new TidingError(code, event.data.info ?? 'the run was refused', {
              operation: 'RUN_PARAGRAPH',
            }),
          );
        }
      });
      first = setTimeout(
        () =>
          done.reject(
            new TidingError('timeout', 'the server did not start the run', {
              operation: 'RUN_PARAGRAPH',
            }),
          ),
        START_MS,
      );
      try {
        await readyToRun(note, [id], done.promise, options);
        const text = paragraph.text;
        seq = paragraph.state.author === undefined ? undefined : note.drafts.nextSeq();
        if (options.params)
          note.context.emit({ type: 'params-changed', noteId: note.id, paragraphId: id, params });
        note.context.emit({ type: 'run-requested', noteId: note.id, paragraphId: id });
        const { base, server, author } = paragraph.state;
        const baseRev = base ? base.rev : server.rev;
        sent = note.channel.send(
          'RUN_PARAGRAPH',
          {
            id,
            noteId: note.id,
            title,
            paragraph: text,
            config,
            params,
            ...(baseRev === undefined ? {} : { baseRev }),
            ...(seq === undefined ? {} : { author, authorSeq: seq }),
          },
          { queue: false, expect: true },
        );
        if (paragraph.state.draft !== undefined)
          note.context.emit({ type: 'commit-sent', noteId: note.id, paragraphId: id, text, seq });
        return await done.promise;
      } catch (error) {
        if (!started && note.context.store.get().open[note.id]?.paragraphs[id]) {
          note.context.emit({ type: 'run-refused', noteId: note.id, paragraphId: id, before });
        }
        if (options.signal?.aborted) cancel();
        throw error;
      } finally {
        stop();
        note.channel.settle(sent);
        clearTimeout(first);
        clearTimeout(late);
      }
    },
    cancel,
    note.channel,
  );
}
