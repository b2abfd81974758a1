/**
 * Reads the file of a complete table: all of it, a range of rows, or batch by batch. Only one piece
 * is in memory at a time.
 */
import { type FileHandle, open } from 'node:fs/promises';
import { type RecordBatch, RecordBatchReader, type Schema } from 'apache-arrow';
import { Refusal } from '../base/errors.ts';
import { END, piecesOf } from './arrow-stream.ts';
import type { Trailer } from './trailer.ts';

/** A range of rows, from 0. */
export interface RowRange {
  readonly offset: number;
  readonly limit: number;
}

export const ALL: RowRange = { offset: 0, limit: Infinity };

/** Bytes per read. */
const PIECE = 2 ** 18;

/** A complete table. */
export abstract class StoredTable {
  abstract readonly rows: number;
  abstract schema(): Promise<Schema>;
  /** Returns the rows as an Arrow stream: its length in bytes, if known, and its pieces. */
  async arrow(
    range: RowRange = ALL,
  ): Promise<{ length: number | undefined; pieces: () => AsyncGenerator<Uint8Array> }> {
    const { head, batch } = piecesOf(await this.schema());
    const batches = this.batches(range);
    return {
      length: undefined,
      async *pieces() {
        yield head;
        for await (const each of batches) yield batch(each);
        yield END;
      },
    };
  }
  /** Generates the rows batch by batch. */
  abstract batches(range?: RowRange): AsyncGenerator<RecordBatch>;
}

export class ArrowFileTable extends StoredTable {
  readonly #file: string;
  readonly #trailer: Trailer;

  constructor(file: string, trailer: Trailer) {
    super();
    this.#file = file;
    this.#trailer = trailer;
  }

  get rows(): number {
    return this.#trailer.rows;
  }

  async #open(): Promise<FileHandle> {
    try {
      return await open(this.#file, 'r');
    } catch (error) {
      // The file was deleted after it was found.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT')
        throw new Refusal(410, 'This result is no longer available. Run the paragraph again.');
      throw error;
    }
  }

  async #with<T>(work: (handle: FileHandle) => Promise<T>): Promise<T> {
    const handle = await this.#open();
    try {
      return await work(handle);
    } finally {
      await handle.close();
    }
  }

  schema(): Promise<Schema> {
    return this.#with(async (handle) => this.#decode(await this.#head(handle)).schema);
  }

  #head(handle: FileHandle): Promise<Uint8Array> {
    return read(handle, 0, this.#trailer.head);
  }

  #decode(
    head: Uint8Array,
    batch: Uint8Array = new Uint8Array(),
  ): { schema: Schema; batch: RecordBatch | undefined } {
    const reader = RecordBatchReader.from(Buffer.concat([head, batch, END])).open();
    // The schema is only available before reading.
    const { schema } = reader;
    const [first] = reader;
    return { schema, batch: first };
  }

  /** Returns the offsets of a batch and its range of rows. */
  #place(index: number): { start: number; end: number; from: number; to: number } {
    const { batches, head } = this.#trailer;
    const [start, from] = batches[index - 1] ?? [head, 0];
    const [end, to] = batches[index]!;
    return { start, end, from, to };
  }

  /** Returns the index of the first batch with rows after `row`. */
  #after(row: number): number {
    const { batches } = this.#trailer;
    let [low, high] = [0, batches.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (batches[middle]![1] > row) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /**
   * Finds the batches with the rows. Batches from `first` to before `last` are needed completely;
   * `parts` are the batches of which only some rows are needed.
   */
  #plan({ offset, limit }: RowRange) {
    const end = Math.min(this.rows, offset + limit);
    if (offset >= end) return { first: 0, last: 0, end, parts: [] as number[] };
    const [from, to] = [this.#after(offset), this.#after(end - 1)];
    const cut = (index: number) => {
      const place = this.#place(index);
      return place.from < offset || place.to > end;
    };
    const first = cut(from) ? from + 1 : from;
    const last = cut(to) ? to : to + 1;
    return {
      first,
      last: Math.max(first, last),
      end,
      parts: [...new Set([...(cut(from) ? [from] : []), ...(cut(to) ? [to] : [])])],
    };
  }

  /** Reads a batch, reduced to the rows in the range. */
  async #part(
    handle: FileHandle,
    head: Uint8Array,
    index: number,
    { offset, limit }: RowRange,
  ): Promise<{ schema: Schema; batch: RecordBatch }> {
    const { start, end, from, to } = this.#place(index);
    const { schema, batch } = this.#decode(head, await read(handle, start, end - start));
    const [first, last] = [Math.max(offset, from) - from, Math.min(offset + limit, to) - from];
    return {
      schema,
      batch: first === 0 && last === to - from ? batch! : batch!.slice(first, last),
    };
  }

  /**
   * Returns the rows as an Arrow stream: its length in bytes and its pieces. Only batches that are
   * needed partially are decoded.
   */
  override async arrow(
    range: RowRange = ALL,
  ): Promise<{ length: number; pieces: () => AsyncGenerator<Uint8Array> }> {
    const { first, last, parts } = this.#plan(range);
    const begin = first < last ? this.#place(first).start : 0;
    const end = first < last ? this.#place(last - 1).end : 0;
    const { head, encoded } = await this.#with(async (handle) => {
      const head = await this.#head(handle);
      const encoded = new Map<number, Uint8Array>();
      for (const index of parts) {
        const { schema, batch } = await this.#part(handle, head, index, range);
        encoded.set(index, piecesOf(schema).batch(batch));
      }
      return { head, encoded };
    });
    const length =
      head.length +
      (end - begin) +
      END.length +
      [...encoded.values()].reduce((sum, bytes) => sum + bytes.length, 0);
    const open = () => this.#open();
    return {
      length,
      async *pieces() {
        yield head;
        // Opened only now, because a reader exists. A file deleted meanwhile is read to its end.
        const handle = await open();
        try {
          for (const [index, bytes] of encoded) if (index < first) yield bytes;
          for (let at = begin; at < end; at += PIECE)
            yield await read(handle, at, Math.min(PIECE, end - at));
          for (const [index, bytes] of encoded) if (index >= first) yield bytes;
          yield END;
        } finally {
          await handle.close();
        }
      },
    };
  }

  /** Generates the rows batch by batch. */
  async *batches(range: RowRange = ALL): AsyncGenerator<RecordBatch> {
    const { first, last, parts } = this.#plan(range);
    const indexes = [
      ...new Set([...parts, ...Array.from({ length: last - first }, (_, at) => first + at)]),
    ].sort((one, other) => one - other);
    const handle = await this.#open();
    try {
      const head = await this.#head(handle);
      for (const index of indexes) yield (await this.#part(handle, head, index, range)).batch;
    } finally {
      await handle.close();
    }
  }
}

async function read(handle: FileHandle, at: number, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  for (let done = 0; done < length; ) {
    const { bytesRead } = await handle.read(bytes, done, length - done, at + done);
    if (bytesRead === 0) throw new Error('the file of a table ended early');
    done += bytesRead;
  }
  return bytes;
}
