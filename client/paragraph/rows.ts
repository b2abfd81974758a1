/** The tables of outputs in Arrow's columns: all of their rows where the server keeps them, else what the text has. */
import type { RecordBatch, Schema } from 'apache-arrow';
import type { CallOptions } from '../core/abort.ts';
import type { Context } from '../context.ts';
import { isHttpError, TidingError } from '../errors.ts';
import { toArrow, type ArrowColumns, type ArrowTable } from '../model/arrow.ts';
import { parseTable } from '../model/table.ts';
import { outputText, type Output } from './outputs.ts';

/** Which rows, from 0; by default all. */
export interface RowsOptions extends CallOptions {
  /** The first row. */
  readonly offset?: number | undefined;
  /** At most so many rows. */
  readonly limit?: number | undefined;
}

/** A table that is read batch by batch. */
export interface Rows {
  /** Rows of the whole table, whatever part of it is asked for. `undefined`: the server does not say, there may be more than the text has. */
  readonly total: number | undefined;
  /** Names and types of the columns. */
  readonly schema: Schema<ArrowColumns>;
  /** The rows, as they come; can be read once. Leaving the loop ends the transfer. */
  readonly batches: AsyncIterable<RecordBatch<ArrowColumns>, void, void>;
}

/** Where an output stands. */
export interface OutputPlace {
  readonly context: Pick<Context, 'call'>;
  readonly noteId: string;
  readonly paragraphId: string;
  /** The outputs as they are now, to tell one that is gone; undefined: not known any more. */
  outputs(): readonly Output[] | undefined;
}

const noTable = () =>
  new TidingError('server', 'the paragraph has no table', { operation: 'getResult' });

/** Reads output `index`. Rejects with `server` where it is no table, and where it has been replaced meanwhile. */
export async function readRows(
  output: Output | undefined,
  index: number,
  place: OutputPlace,
  options: RowsOptions = {},
): Promise<Rows> {
  if (output?.type !== 'TABLE') throw noTable();
  if (output.rows === undefined) return fromText(output, options);
  const now = place.outputs();
  if (
    now &&
    now[index] !== output &&
    (now[index]?.rows !== output.rows || outputText(now[index]) !== outputText(output))
  )
    throw new TidingError('server', 'the paragraph has another result by now', {
      operation: 'getResult',
    });
  const { signal, timeout = 0, offset, limit } = options;
  const left = new AbortController();
  const response = await place.context.call('getResult', {
    params: { resultId: `${place.noteId}.${place.paragraphId}.${index}` },
    query: { format: 'arrow', offset, limit },
    timeout,
    signal: signal ? AbortSignal.any([signal, left.signal]) : left.signal,
  });
  const { RecordBatchReader } = await import('apache-arrow');
  const failed = (error: unknown): unknown => {
    if (error instanceof TidingError || isHttpError(error)) return error;
    if (signal?.aborted)
      return new TidingError('aborted', 'getResult was aborted', {
        operation: 'getResult',
        cause: signal.reason,
      });
    return new TidingError('network', 'the table broke off', {
      operation: 'getResult',
      cause: error,
    });
  };
  const source = response.body?.getReader();
  // Arrow's reader does not end what it reads when it is left.
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
      batches: { [Symbol.asyncIterator]: () => iterate(reader, leave, failed) },
    };
  } catch (error) {
    leave();
    throw failed(error);
  }
}

async function* iterate(
  reader: AsyncIterable<RecordBatch<ArrowColumns>>,
  leave: () => void,
  failed: (error: unknown) => unknown,
): AsyncGenerator<RecordBatch<ArrowColumns>, void, void> {
  try {
    for await (const batch of reader) yield batch;
  } catch (error) {
    throw failed(error);
  } finally {
    leave();
  }
}

/** The pieces of a stream. One that ends too early fails: Arrow's reader would take it for a table with fewer rows. */
async function* checked(
  source: ReadableStreamDefaultReader<Uint8Array> | undefined,
  headers: Headers,
): AsyncGenerator<Uint8Array, void, void> {
  const size = Number(headers.get('Content-Length') ?? NaN);
  // A platform that unpacks an answer tells the length of what was packed.
  const exact = Number.isFinite(size) && headers.get('Content-Encoding') === null;
  let read = 0;
  for (;;) {
    const { done, value } = (await source?.read()) ?? { done: true, value: undefined };
    if (done) break;
    read += value.length;
    yield value;
  }
  if (exact && read < size)
    throw new TidingError('network', 'the table broke off', { operation: 'getResult' });
}

async function fromText(
  output: Output,
  { offset = 0, limit = Infinity, signal }: RowsOptions,
): Promise<Rows> {
  if (signal?.aborted)
    throw new TidingError('aborted', 'getResult was aborted', {
      operation: 'getResult',
      cause: signal.reason,
    });
  const whole = await toArrow(parseTable(outputText(output)));
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

/** The last TABLE of some outputs as an Arrow table, with all its rows where the server keeps them. Rejects with `server` where there is none. */
export async function readTable(
  outputs: readonly Output[],
  place: OutputPlace,
  options: CallOptions = {},
): Promise<ArrowTable> {
  const index = outputs.findLastIndex(({ type }) => type === 'TABLE');
  const output = outputs[index];
  if (!output) throw noTable();
  if (output.rows === undefined) return toArrow(parseTable(outputText(output)));
  const { schema, batches } = await readRows(output, index, place, options);
  const all: RecordBatch<ArrowColumns>[] = [];
  for await (const batch of batches) all.push(batch);
  const { Table } = await import('apache-arrow');
  return new Table(schema, all);
}
