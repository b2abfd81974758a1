/** Runs a note by its id or path, without an open note of the caller. */
import type { CallOptions } from '../core/abort.ts';
import { isTidingError, TidingError } from '../core/errors.ts';
import { requireKnown } from '../core/known-options.ts';
import type { ArrowTable } from '../model/tables/arrow.ts';
import type { RowFormat } from '../model/tables/row-objects.ts';
import type { Download } from '../rest/download.ts';
import type { RestCall } from '../rest/rest-client.ts';
import type { Note } from './note.ts';
import type { NoteName, NoteParams, NoteRow } from './note-types.ts';
import type { NoteRunOptions, RunEvent, RunResult, TableFormat } from './paragraph/run.ts';

/** Options of `client.run`. No time limit by default. */
export interface RunByNameOptions extends Omit<NoteRunOptions, 'params'> {
  /**
   * Runs a copy of the note with values and results of its own, so that the note stays as it is and
   * any number of runs can happen at the same time. Processes are shared as far as the
   * interpreter's settings say. Read the results, then call `close` to remove the copy. Tiding
   * servers only; others reject with `unsupported`.
   */
  isolated?: boolean;
  /** Called with output as it arrives: `append` adds to an output, `output` replaces it. */
  onOutput?: (output: Extract<RunEvent, { type: 'output' | 'append' }>) => void;
}

/** Options of `client.runAll`. */
export interface RunAllOptions<Row = Record<string, unknown>>
  extends Omit<RunByNameOptions, 'isolated' | 'onOutput'> {
  /** Runs at the same time. Default: 4. */
  concurrency?: number;
  /**
   * Called when a run ends, with its result and the index of its values, for example to save its
   * table or to show progress. The next run of this place waits for the promise that it returns.
   */
  onResult?: (result: NoteRunResult<Row>, index: number) => void | Promise<void>;
}

/** Result of `client.run`. */
export interface NoteRunResult<Row = Record<string, unknown>> {
  /** Id of the note. */
  readonly noteId: string;
  /** Full path of the note. */
  readonly path: string;
  /** `FINISHED`, or the status of the first paragraph that failed or was aborted. */
  readonly status: 'FINISHED' | 'ERROR' | 'ABORT';
  /** Error message of that paragraph, otherwise `undefined`. */
  readonly error: string | undefined;
  /** Results of the paragraphs that ran, in their order. */
  readonly paragraphs: readonly RunResult[];
  /** Returns the last table of the run as Arrow. Rejects with `not-found` if there is none. */
  table(options?: CallOptions): Promise<ArrowTable>;
  /**
   * Returns the rows of that table as objects. Long integers are of type `bigint`, decimals exact
   * texts, and dates milliseconds; see {@link RowFormat} for others.
   *
   * @example
   * const rows = await result.rows({ dates: 'iso', decimals: 'number' });
   */
  rows(options?: CallOptions & RowFormat): Promise<readonly Row[]>;
  /** Downloads that table with all rows as a file; see {@link RunResult.download}. */
  download(format: TableFormat, options?: CallOptions): Promise<Download>;
  /**
   * Removes the copy of an isolated run; its tables can't be read afterwards. Does nothing for
   * other runs. The server removes a copy ten minutes after its last use if you don't.
   */
  close(): Promise<void>;
  /** The same as `close`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** What runs by name need of a client. */
interface RunningClient {
  notes: { find(idOrPath: string, options: CallOptions): Promise<{ id: string; path: string }> };
  open(noteId: string, options: CallOptions): Promise<Note>;
  call: RestCall;
}

/** Runs a note; see `Client.run`. */
export async function runByName<Name extends NoteName>(
  client: RunningClient,
  idOrPath: Name,
  params: NoteParams<Name> | undefined,
  { onOutput, isolated = false, ...options }: RunByNameOptions,
): Promise<NoteRunResult<NoteRow<Name>>> {
  requireKnown({ onOutput, isolated, ...options }, RUN_OPTIONS, 'run');
  const { signal } = options;
  const { id, path } = await client.notes.find(idOrPath, { signal });
  // Not aborted: the copy would stay if the server has made it already.
  const copy = isolated && (await client.call('createRunCopy', { params: { noteId: id } })).id;
  let removed: Promise<void> | undefined;
  const close = async () => {
    if (copy !== false)
      await (removed ??= client.call('deleteNote', { params: { noteId: copy } }).then(
        () => {},
        (error: unknown) => {
          if (!isTidingError(error, 'not-found')) throw error;
        },
      ));
  };
  try {
    const paragraphs = await runOnce(client, copy || id, params, onOutput, options);
    return resultOf({ noteId: id, path, paragraphs, close });
  } catch (error) {
    await close().catch(() => {});
    throw error;
  }
}

/** Runs copies of a note with several values; see `Client.runAll`. */
export async function runAllByName<Name extends NoteName>(
  client: RunningClient,
  idOrPath: Name,
  all: readonly NoteParams<Name>[],
  { concurrency = 4, signal, onResult, ...options }: RunAllOptions<NoteRow<Name>>,
): Promise<NoteRunResult<NoteRow<Name>>[]> {
  requireKnown<RunAllOptions & RunByNameOptions>(
    { concurrency, signal, ...options },
    [...RUN_OPTIONS, 'concurrency', 'onResult'],
    'runAll',
  );
  if (!Number.isInteger(concurrency) || concurrency < 1)
    throw new TidingError('protocol', 'concurrency must be a whole number of at least 1.', {
      operation: 'runAll',
    });
  const failed = new AbortController();
  const given = signal ? AbortSignal.any([signal, failed.signal]) : failed.signal;
  const results: NoteRunResult<NoteRow<Name>>[] = [];
  const left = all.entries();
  const work = async () => {
    for (const [at, params] of left) {
      if (failed.signal.aborted) return;
      const result = await runByName(client, idOrPath, params, {
        ...options,
        isolated: true,
        // One signal for each run: Node.js warns of many listeners on one.
        signal: AbortSignal.any([given]),
      });
      results[at] = result;
      await onResult?.(result, at);
    }
  };
  const workers = Array.from({ length: Math.min(concurrency, all.length) }, () =>
    work().catch((error: unknown) => {
      failed.abort();
      throw error;
    }),
  );
  try {
    await Promise.all(workers);
  } catch (error) {
    // The first failure cancels the other runs, and no copy is left.
    await Promise.allSettled(workers);
    await Promise.allSettled(Object.values(results).map((result) => result.close()));
    throw error;
  }
  return results;
}

const RUN_OPTIONS: readonly (keyof RunByNameOptions)[] = [
  'isolated',
  'onOutput',
  'parallel',
  'paragraphs',
  'signal',
  'storedValues',
  'timeout',
];

/** Opens a note, runs it, and closes it again. */
async function runOnce(
  client: RunningClient,
  noteId: string,
  params: object | undefined,
  onOutput: RunByNameOptions['onOutput'],
  options: NoteRunOptions,
): Promise<readonly RunResult[]> {
  const note = await client.open(noteId, { signal: options.signal });
  try {
    const run = note.run({ storedValues: false, ...options, params: { ...params } });
    if (onOutput) {
      for await (const event of run)
        if (event.type === 'output' || event.type === 'append') onOutput(event);
    }
    return await run;
  } finally {
    note.close();
  }
}

function resultOf<Row>({
  paragraphs,
  close,
  ...where
}: Pick<NoteRunResult<Row>, 'noteId' | 'path' | 'paragraphs' | 'close'>): NoteRunResult<Row> {
  const failed = paragraphs.find(({ status }) => status === 'ERROR' || status === 'ABORT');
  const withTable = (): RunResult => {
    const last = paragraphs.findLast(({ outputs }) => outputs.some(({ type }) => type === 'TABLE'));
    if (!last)
      throw new TidingError('not-found', 'The run has no table.', { operation: 'getResult' });
    return last;
  };
  const result: NoteRunResult<Row> = {
    ...where,
    status: failed ? (failed.status as 'ERROR' | 'ABORT') : 'FINISHED',
    error: failed?.error,
    paragraphs,
    close,
    [Symbol.asyncDispose]: close,
    table: async (call) => withTable().table(call),
    download: async (format, call) => withTable().download(format, call),
    async rows(options = {}) {
      const { rowObjects, ROW_FORMATS } = await import('../model/tables/row-objects.ts');
      const { signal, timeout, ...format } = options;
      requireKnown(options, ['dates', 'decimals', 'signal', 'timeout'], 'getResult');
      for (const [name, value] of Object.entries(format)) {
        const known = ROW_FORMATS[name as keyof RowFormat];
        if (value !== undefined && !known.includes(value))
          throw new TidingError('protocol', `The option ${name} is one of ${known.join(', ')}.`, {
            operation: 'getResult',
          });
      }
      return rowObjects(await result.table({ signal, timeout }), format) as Row[];
    },
  };
  return result;
}
