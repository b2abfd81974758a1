/**
 * Files of complete tables, which are written while a run is active. `store.ts` decides where they
 * are stored at its end.
 */
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { ColumnType } from '@tiding/client/model';
import { DataType, type RecordBatch, RecordBatchReader, type Schema } from 'apache-arrow';
import type { DatabaseTarget, KeptTable, WrittenDatabase } from '../interpreters/contract.ts';
import { MAX_ARROW_CELLS } from '../interpreters/sql/engine/messages.ts';
import { END, messageAt, piecesOf, type StreamPieces } from './arrow-stream.ts';
import { type DatabaseDescription, sealDatabase } from './database/database-file.ts';
import type { QueryEngine } from './database/query-engine.ts';
import { type Trailer, trailerBytes } from './trailer.ts';

/** Limits of a stored table. */
export interface KeptLimits {
  readonly rows: number;
  readonly bytes: number;
}

/** A finished file: an Arrow stream with its trailer, or a database with its description. */
export interface FinishedFile {
  readonly file: string;
  readonly about: Trailer | DatabaseDescription;
}

/** A table of a run. `finish` turns it into a file that can be served; `discard` deletes it. */
export interface KeptFile extends KeptTable {
  /** Number of rows of the finished file; undefined before. */
  readonly rows: number | undefined;
  /** Column types of the finished file; undefined before. */
  readonly columnTypes: ColumnType[] | undefined;
  /**
   * Completes the file and moves it to `target`, to which the extension of its kind is added. An
   * incomplete or invalid table is deleted, and the promise resolves to undefined.
   */
  finish(target: string, digest: string): Promise<FinishedFile | undefined>;
  discard(): Promise<void>;
}

/** What the tables of a run share. */
export interface KeptContext {
  readonly limits: KeptLimits;
  readonly engine: QueryEngine;
  /** Creates the folder of the files. */
  ready(): Promise<unknown>;
  readonly fail: (error: Error) => void;
}

/** Returns the types by which the text of each column is interpreted. */
function columnTypesOf({ fields }: Schema): ColumnType[] {
  return fields.map(({ type }) => {
    if (DataType.isInt(type) || DataType.isFloat(type) || DataType.isDecimal(type)) return 'number';
    return DataType.isDate(type) || DataType.isTimestamp(type) ? 'date' : 'string';
  });
}

/** Writes the end of a file, flushes the file and renames it. */
async function seal(
  handle: FileHandle,
  file: string,
  target: string,
  trailer: Trailer,
): Promise<void> {
  const at = trailer.batches.at(-1)?.[0] ?? trailer.head;
  await handle.truncate(at);
  await handle.write(END, 0, END.length, at);
  const bytes = trailerBytes(trailer);
  await handle.write(bytes, 0, bytes.length, at + END.length);
  await handle.datasync();
  await handle.close();
  await rename(file, target);
}

/** Turns the file of a large table into a database, which can be queried, and deletes it. */
async function importTable(
  engine: QueryEngine,
  source: { readonly file: string; readonly isParquet: boolean },
  { digest, limits, target }: { target: string; digest: string; limits: KeptLimits },
): Promise<{ finished: FinishedFile; columns: Schema; imported: WrittenDatabase }> {
  const written = join(dirname(target), `.${basename(target)}.tmp`);
  try {
    const { schema, ...imported } = await engine.import(source.file, source.isParquet, {
      file: written,
      ...limits,
    });
    const file = `${target}.duckdb`;
    const encoded = Buffer.from(schema).toString('base64');
    const about = await sealDatabase(written, file, {
      rows: imported.rows,
      digest,
      schema: encoded,
    });
    await rm(source.file, { force: true });
    const columns = RecordBatchReader.from(schema).open().schema;
    return { finished: { file, about }, columns, imported };
  } catch (error) {
    await rm(written, { force: true });
    throw error;
  }
}

/** A table that is written batch by batch. */
export class WrittenTable implements KeptFile {
  readonly #file: string;
  readonly #context: KeptContext;
  #pieces: StreamPieces;
  readonly #batches: [number, number][] = [];
  #handle: Promise<FileHandle> | undefined;
  #position = 0;
  #complete = false;
  #closed = false;
  length = 0;
  stopped: KeptTable['stopped'];
  rows: number | undefined;
  columnTypes: ColumnType[] | undefined;
  #schema: Schema;
  /** Whether the engine writes the table to a database file. */
  #isDatabase = false;
  #written: WrittenDatabase | undefined;

  constructor(file: string, schema: Schema, context: KeptContext) {
    this.#file = file;
    this.#context = context;
    this.#schema = schema;
    this.#pieces = piecesOf(schema);
  }

  async #put(bytes: Uint8Array): Promise<void> {
    const handle = await (this.#handle ??= this.#context
      .ready()
      .then(() => open(this.#file, 'wx', 0o600)));
    for (let done = 0; done < bytes.length; )
      done += (await handle.write(bytes, done, bytes.length - done, this.#position + done))
        .bytesWritten;
    this.#position += bytes.length;
  }

  async write(batch: RecordBatch): Promise<boolean> {
    if (this.#closed || this.#complete || this.stopped) return false;
    if (batch.numRows === 0) return true;
    const room = this.#context.limits.rows - this.length;
    try {
      if (this.#position === 0) {
        this.#schema = batch.schema;
        this.#pieces = piecesOf(batch.schema);
      }
      const part = batch.numRows > room ? batch.slice(0, room) : batch;
      const bytes = this.#pieces.batch(part);
      if (this.#position === 0) await this.#put(this.#pieces.head);
      if (part.numRows > 0 && this.#position + bytes.length <= this.#context.limits.bytes) {
        await this.#put(bytes);
        this.length += part.numRows;
        this.#batches.push([this.#position, this.length]);
        if (part === batch) return true;
      }
      this.stopped = 'limit';
    } catch (error) {
      this.stopped = 'failure';
      this.#context.fail(error as Error);
    }
    return false;
  }

  async moveToDatabase(): Promise<DatabaseTarget | undefined> {
    if (this.#closed || this.#complete || this.stopped) return undefined;
    try {
      await this.#context.ready();
      await this.#dropStream();
      this.#isDatabase = true;
      return { file: this.#file, ...this.#context.limits };
    } catch (error) {
      this.stopped = 'failure';
      this.#context.fail(error as Error);
      return undefined;
    }
  }

  async #dropStream(): Promise<void> {
    await this.#handle?.then((handle) => handle.close()).catch(() => {});
    this.#handle = undefined;
    await rm(this.#file, { force: true });
  }

  end(written?: WrittenDatabase): void {
    this.#complete = true;
    this.#written = written;
    if (!written) return;
    this.length = written.rows;
    if (written.isCut) this.stopped = 'limit';
  }

  async #finishDatabase(target: string, digest: string): Promise<FinishedFile> {
    if (!this.#written) throw new Error('the database of a table was not written');
    const file = `${target}.duckdb`;
    const schema = Buffer.from(this.#pieces.head).toString('base64');
    const { rows } = this.#written;
    return { file, about: await sealDatabase(this.#file, file, { rows, digest, schema }) };
  }

  /** A table of this size is queried in a database. */
  async #finishLarge(target: string, digest: string): Promise<FinishedFile> {
    await this.#put(END);
    await (await this.#handle!).close();
    const source = { file: this.#file, isParquet: false };
    const place = { target, digest, limits: this.#context.limits };
    const { finished, imported } = await importTable(this.#context.engine, source, place);
    this.length = imported.rows;
    if (imported.isCut) this.stopped = 'limit';
    this.#describe();
    return finished;
  }

  #describe(): void {
    this.rows = this.length;
    this.columnTypes = columnTypesOf(this.#schema);
  }

  async finish(target: string, digest: string): Promise<FinishedFile | undefined> {
    if (!this.#complete || this.stopped === 'failure' || this.#closed)
      return void (await this.discard());
    try {
      if (this.#isDatabase) {
        const finished = await this.#finishDatabase(target, digest);
        this.#closed = true;
        this.#describe();
        return finished;
      }
      this.#closed = true;
      if (this.#position === 0) await this.#put(this.#pieces.head);
      if (this.length * this.#schema.fields.length > MAX_ARROW_CELLS)
        return await this.#finishLarge(target, digest);
      const trailer = {
        rows: this.length,
        digest,
        head: this.#pieces.head.length,
        batches: this.#batches,
      };
      const file = `${target}.arrow`;
      await seal(await this.#handle!, this.#file, file, trailer);
      this.#describe();
      return { file, about: trailer };
    } catch (error) {
      this.#context.fail(error as Error);
      return void (await this.discard());
    }
  }

  async discard(): Promise<void> {
    this.#closed = true;
    if (this.#handle || this.#isDatabase) await this.#dropStream().catch(this.#context.fail);
    if (this.#isDatabase) await rm(`${this.#file}.wal`, { force: true }).catch(this.#context.fail);
  }
}

/** A table that another process wrote as a stream to a file. */
export class AdoptedTable implements KeptFile {
  readonly #file: string;
  readonly #context: KeptContext;
  #closed = false;
  readonly length = 0;
  readonly stopped = undefined;
  rows: number | undefined;
  columnTypes: ColumnType[] | undefined;

  constructor(file: string, context: KeptContext) {
    this.#file = file;
    this.#context = context;
  }

  async write(): Promise<boolean> {
    return false;
  }

  end(): void {}

  async finish(target: string, digest: string): Promise<FinishedFile | undefined> {
    if (this.#closed) return undefined;
    const finished = `${target}.arrow`;
    let handle: FileHandle | undefined;
    try {
      handle = await open(this.#file, 'r+');
      const { buffer } = await handle.read(Buffer.alloc(4), 0, 4, 0);
      if (buffer.toString('latin1') === 'PAR1') {
        await handle.close();
        handle = undefined;
        return await this.#import(target, digest);
      }
      const { size } = await handle.stat();
      const { schema, ...places } = await this.#scan(handle, size);
      const trailer = { ...places, digest };
      await handle.chmod(0o600);
      const sealed = handle;
      handle = undefined;
      await seal(sealed, this.#file, finished, trailer).catch(async (error: unknown) => {
        await sealed.close().catch(() => {});
        throw error;
      });
      this.#closed = true;
      this.rows = trailer.rows;
      this.columnTypes = columnTypesOf(schema);
      return { file: finished, about: trailer };
    } catch (error) {
      await handle?.close();
      this.#context.fail(error as Error);
      return void (await this.discard());
    }
  }

  async #import(target: string, digest: string): Promise<FinishedFile> {
    const source = { file: this.#file, isParquet: true };
    const place = { target, digest, limits: this.#context.limits };
    const { columns, finished, imported } = await importTable(this.#context.engine, source, place);
    this.#closed = true;
    this.rows = imported.rows;
    this.columnTypes = columnTypesOf(columns);
    return finished;
  }

  /** Locates the batches. Those beyond the limits are dropped. */
  async #scan(
    handle: FileHandle,
    size: number,
  ): Promise<Omit<Trailer, 'digest'> & { schema: Schema }> {
    const read = async (at: number, length: number) => {
      const bytes = new Uint8Array(length);
      await handle.read(bytes, 0, length, at);
      return bytes;
    };
    const first = await messageAt(read, 0, size);
    if (!first.schema) throw new Error('not an Arrow stream');
    const batches: [number, number][] = [];
    let rows = 0;
    for (let at = first.end; ; ) {
      const message = await messageAt(read, at, size);
      if (message.kind === 'end') break;
      if (message.kind !== 'batch') throw new Error('not an Arrow stream');
      if (
        rows + message.rows > this.#context.limits.rows ||
        message.end > this.#context.limits.bytes
      )
        break;
      at = message.end;
      rows += message.rows;
      // Batches without rows are recorded too. They have no effect.
      batches.push([at, rows]);
    }
    return { rows, head: first.end, batches, schema: first.schema };
  }

  async discard(): Promise<void> {
    this.#closed = true;
    await rm(this.#file, { force: true }).catch(this.#context.fail);
  }
}
