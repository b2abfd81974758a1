/**
 * Reads TABLE outputs as Arrow data: all rows if the server stores complete tables, otherwise the
 * rows in the text.
 */
import type { RecordBatch, Schema } from 'apache-arrow';
import type { CallOptions } from '../../core/abort.ts';
import { type ErrorCode, isHttpError, TidingError } from '../../core/errors.ts';
import { requireKnown } from '../../core/known-options.ts';
import { type Output, outputText } from '../../core/outputs.ts';
import { textTableOf } from '../../model/rows/text-rows.ts';
import { type ArrowColumns, type ArrowTable, toArrow } from '../../model/tables/arrow.ts';
import type { ResultQuery } from '../../protocol/index.ts';
import { type Download, exportedResult } from '../../rest/download.ts';
import type { ClientContext } from '../../session/client-context.ts';
import type { ParagraphHandle } from './paragraph-handle.ts';
import type { TableFormat } from './run.ts';

/** Sorting 100 million texts may take minutes, in ms. */
const QUERY_TIMEOUT_MS = 600_000;

/** Range of rows to read. Default: all. */
export interface RowsOptions extends CallOptions {
  /** First row, starting at 0. Default: 0. */
  readonly offset?: number | undefined;
  /** Maximum number of rows. Default: all. */
  readonly limit?: number | undefined;
}

/** A table that is read batch by batch. */
export interface Rows {
  /**
   * Number of rows in the whole table, regardless of the requested range. `undefined` if the server
   * does not report it; the table may then have more rows than the text.
   */
  readonly total: number | undefined;
  /** Names and types of the columns. */
  readonly schema: Schema<ArrowColumns>;
  /** The rows as they arrive. Can be iterated once; leaving the loop stops the transfer. */
  readonly batches: AsyncIterable<RecordBatch<ArrowColumns>, void, void>;
}

/** Location of a paragraph's outputs. */
export interface OutputLocation {
  readonly context: Pick<ClientContext, 'call'>;
  readonly noteId: string;
  readonly paragraphId: string;
  /** Whether the outputs are of an earlier run, whose tables are not stored. */
  readonly isRevision: boolean;
  /**
   * Returns the current outputs, to detect replaced ones; `undefined` if they are not known any
   * more.
   */
  outputs(): readonly Output[] | undefined;
}

/** @internal Where the tables of a paragraph are read from. */
export const outputLocationOf = ({ note, id }: ParagraphHandle): OutputLocation => ({
  context: note.context,
  noteId: note.id,
  paragraphId: id,
  isRevision: note.revision !== undefined,
  outputs: () => note.context.store.get().open[note.id]?.paragraphs[id]?.outputs,
});

/** The answer to a query over a stored table. */
export interface QueryAnswer {
  /** Number of rows that pass the filters. */
  readonly total: number;
  /** The answer as an Arrow table; its columns depend on the question. */
  readonly table: ArrowTable;
}

const failure = (code: ErrorCode, message: string, cause?: unknown) =>
  new TidingError(code, message, {
    operation: 'getResult',
    ...(cause === undefined ? {} : { cause }),
  });
const abortedBy = (signal: AbortSignal) =>
  failure('aborted', 'getResult was aborted.', signal.reason);
const broken = (cause?: unknown) =>
  failure('network', 'The connection broke while the table was being read.', cause);
const noTable = () => failure('not-found', 'The paragraph has no table.');

const resultIdOf = ({ noteId, paragraphId }: OutputLocation, index: number): string =>
  `${noteId}.${paragraphId}.${index}`;

/** Reads output `index`. Rejects with `not-found` or `conflict` if it's no table or replaced. */
export async function readRows(
  output: Output | undefined,
  index: number,
  place: OutputLocation,
  options: RowsOptions = {},
): Promise<Rows> {
  requireKnown(options, ['offset', 'limit', 'signal', 'timeout'], 'getResult');
  if (output?.type !== 'TABLE') throw noTable();
  if (output.rows === undefined || place.isRevision) return fromText(output, options);
  checkCurrent(output, index, place);
  const { signal, timeout = 0, offset, limit } = options;
  const left = new AbortController();
  const response = await place.context.call('getResult', {
    params: { resultId: resultIdOf(place, index) },
    // The output is of a finished run, even if another run has started since.
    query: { format: 'arrow', offset, limit, previous: true },
    timeout,
    signal: signal ? AbortSignal.any([signal, left.signal]) : left.signal,
  });
  const { RecordBatchReader } = await import('apache-arrow');
  const failed = (error: unknown): unknown => {
    if (error instanceof TidingError || isHttpError(error)) return error;
    return signal?.aborted ? abortedBy(signal) : broken(error);
  };
  const source = response.body?.getReader();
  // Arrow's reader does not close its source when iteration stops early.
  const leave = () => {
    left.abort();
    source?.cancel().catch(() => {});
  };
  try {
    const reader = await RecordBatchReader.from<ArrowColumns>(checked(source, response.headers));
    await reader.open();
    const { schema } = reader;
    return {
      total: output.rows,
      schema,
      batches: { [Symbol.asyncIterator]: () => iterate(reader, leave, failed, signal) },
    };
  } catch (error) {
    leave();
    throw failed(error);
  }
}

/** Rejects with `conflict` if output `index` was replaced while it was read. */
function checkCurrent(output: Output, index: number, place: OutputLocation): void {
  const now = place.outputs();
  const current = now?.[index];
  const isSame =
    current === output ||
    (current !== undefined &&
      current.rows === output.rows &&
      outputText(current) === outputText(output));
  if (now && !isSame) throw failure('conflict', 'The paragraph has a newer result by now.');
}

/**
 * Answers a query from all rows of output `index`. Rejects with `not-found` if it is not a table
 * that the server stores, and with `conflict` if it was replaced or is small (status 409).
 */
export async function queryRows(
  output: Output | undefined,
  index: number,
  place: OutputLocation,
  query: ResultQuery,
  { signal, timeout = QUERY_TIMEOUT_MS }: CallOptions = {},
): Promise<QueryAnswer> {
  if (output?.type !== 'TABLE' || output.rows === undefined || place.isRevision) throw noTable();
  checkCurrent(output, index, place);
  const response = await place.context.call('queryResult', {
    params: { resultId: resultIdOf(place, index) },
    body: query,
    timeout,
    signal,
  });
  const [{ tableFromIPC }, bytes] = await Promise.all([
    import('apache-arrow'),
    response.arrayBuffer(),
  ]);
  const table = tableFromIPC<ArrowColumns>(new Uint8Array(bytes));
  return { total: Number(table.schema.metadata.get('total') ?? output.rows), table };
}

async function* iterate(
  reader: AsyncIterable<RecordBatch<ArrowColumns>>,
  leave: () => void,
  failed: (error: unknown) => unknown,
  signal: AbortSignal | undefined,
): AsyncGenerator<RecordBatch<ArrowColumns>, void, void> {
  try {
    for await (const batch of reader) {
      yield batch;
      // A response that has arrived completely no longer fails when it is aborted.
      if (signal?.aborted) throw abortedBy(signal);
    }
  } catch (error) {
    throw failed(error);
  } finally {
    leave();
  }
}

/**
 * Yields the pieces of a stream and fails if it ends early: Arrow's reader would treat it as a
 * table with fewer rows.
 */
async function* checked(
  source: ReadableStreamDefaultReader<Uint8Array> | undefined,
  headers: Headers,
): AsyncGenerator<Uint8Array, void, void> {
  const size = Number(headers.get('Content-Length') ?? NaN);
  // For a compressed response, Content-Length is the compressed size.
  const exact = Number.isFinite(size) && headers.get('Content-Encoding') === null;
  let read = 0;
  for (;;) {
    const { done, value } = (await source?.read()) ?? { done: true, value: undefined };
    if (done) break;
    read += value.length;
    yield value;
  }
  if (exact && read < size) throw broken();
}

async function fromText(
  output: Output,
  { offset = 0, limit = Infinity, signal }: RowsOptions,
): Promise<Rows> {
  if (signal?.aborted) throw abortedBy(signal);
  const whole = await toArrow(textTableOf(output));
  const table =
    offset === 0 && limit >= whole.numRows
      ? whole
      : whole.slice(offset, Math.min(whole.numRows, offset + limit));
  return {
    total: undefined,
    schema: whole.schema,
    batches: {
      async *[Symbol.asyncIterator]() {
        for (const batch of table.batches) if (batch.numRows > 0) yield batch;
      },
    },
  };
}

/** Downloads the last TABLE output as a file; see {@link RunResult.download}. */
export async function downloadTable(
  outputs: readonly Output[],
  place: OutputLocation,
  format: TableFormat,
  options: CallOptions = {},
): Promise<Download> {
  const formats: readonly TableFormat[] = ['csv', 'json', 'parquet', 'arrow', 'xlsx'];
  if (!formats.includes(format))
    throw failure('protocol', `There is no format '${format}': use ${formats.join(', ')}.`);
  const index = outputs.findLastIndex(({ type }) => type === 'TABLE');
  const output = outputs[index];
  // The server has the tables of the last run only.
  if (!output || place.isRevision) throw noTable();
  checkCurrent(output, index, place);
  if (format === 'xlsx') {
    const { excelDownload } = await import('./excel-download.ts');
    return excelDownload(
      output.rows === undefined
        ? textTableOf(output)
        : await readRows(output, index, place, options),
    );
  }
  const response = await place.context.call('getResult', {
    timeout: 0,
    ...options,
    params: { resultId: resultIdOf(place, index) },
    query: { format, previous: true },
  });
  return { ...(await exportedResult(response)), name: `magpie_export.${format}` };
}

/**
 * Reads the last TABLE output as an Arrow table, with all rows if the server stores complete
 * tables. A column with values that scripts can't read, such as infinite times, is text. Rejects
 * with `not-found` if there is none.
 */
export async function readTable(
  outputs: readonly Output[],
  place: OutputLocation,
  options: CallOptions = {},
): Promise<ArrowTable> {
  const index = outputs.findLastIndex(({ type }) => type === 'TABLE');
  const output = outputs[index];
  if (!output) throw noTable();
  if (output.rows === undefined || place.isRevision) return toArrow(textTableOf(output));
  const { schema, batches } = await readRows(output, index, place, options);
  const all: RecordBatch<ArrowColumns>[] = [];
  for await (const batch of batches) all.push(batch);
  const [{ Table }, { readableTable }] = await Promise.all([
    import('apache-arrow'),
    import('../../model/tables/readable.ts'),
  ]);
  return readableTable(new Table(schema, all));
}
