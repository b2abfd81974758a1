/** A table that is written to a file while its run goes on; see `store.ts` for where it goes at the end. */
import { open, rename, rm, type FileHandle } from 'node:fs/promises';
import type { RecordBatch, Schema } from 'apache-arrow';
import type { KeptTable } from '../interpreters/contract.ts';
import { END, messageAt, piecesOf, type StreamPieces } from './arrow-stream.ts';
import { trailerBytes, type Trailer } from './trailer.ts';

/** How much of a table is kept. */
export interface KeptLimits {
  readonly rows: number;
  readonly bytes: number;
}

/** A table of a run: `finish` makes it a file that can be served, `discard` leaves nothing. */
export interface KeptFile extends KeptTable {
  /** Rows of the finished file; undefined until then. */
  readonly rows: number | undefined;
  /** Makes it whole and puts it at `target`. Resolves with its trailer; undefined, and nothing is left, where the table is not complete or no table. */
  finish(target: string, digest: string): Promise<Trailer | undefined>;
  discard(): Promise<void>;
}

type Fail = (error: Error) => void;

/** Writes what ends a file, flushes it, and gives it its name. */
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

/** A table that comes batch by batch. */
export class WrittenTable implements KeptFile {
  readonly #file: string;
  readonly #limits: KeptLimits;
  readonly #pieces: StreamPieces;
  readonly #fail: Fail;
  readonly #ready: () => Promise<unknown>;
  readonly #batches: [number, number][] = [];
  #handle: Promise<FileHandle> | undefined;
  #position = 0;
  #complete = false;
  #closed = false;
  length = 0;
  stopped: KeptTable['stopped'];
  rows: number | undefined;

  /** `ready` makes the folder of the file. */
  constructor(
    file: string,
    schema: Schema,
    limits: KeptLimits,
    fail: Fail,
    ready: () => Promise<unknown>,
  ) {
    this.#file = file;
    this.#ready = ready;
    this.#limits = limits;
    this.#fail = fail;
    this.#pieces = piecesOf(schema);
  }

  async #put(bytes: Uint8Array): Promise<void> {
    const handle = await (this.#handle ??= this.#ready().then(() => open(this.#file, 'wx', 0o600)));
    for (let done = 0; done < bytes.length; )
      done += (await handle.write(bytes, done, bytes.length - done, this.#position + done))
        .bytesWritten;
    this.#position += bytes.length;
  }

  async write(batch: RecordBatch): Promise<boolean> {
    if (this.#closed || this.#complete || this.stopped) return false;
    if (batch.numRows === 0) return true;
    const room = this.#limits.rows - this.length;
    try {
      const part = batch.numRows > room ? batch.slice(0, room) : batch;
      const bytes = this.#pieces.batch(part);
      if (this.#position === 0) await this.#put(this.#pieces.head);
      if (part.numRows > 0 && this.#position + bytes.length <= this.#limits.bytes) {
        await this.#put(bytes);
        this.length += part.numRows;
        this.#batches.push([this.#position, this.length]);
        if (part === batch) return true;
      }
      this.stopped = 'limit';
    } catch (error) {
      this.stopped = 'failure';
      this.#fail(error as Error);
    }
    return false;
  }

  end(): void {
    this.#complete = true;
  }

  async finish(target: string, digest: string): Promise<Trailer | undefined> {
    if (!this.#complete || this.stopped === 'failure' || this.#closed)
      return void (await this.discard());
    try {
      this.#closed = true;
      if (this.#position === 0) await this.#put(this.#pieces.head);
      const trailer = {
        rows: this.length,
        digest,
        head: this.#pieces.head.length,
        batches: this.#batches,
      };
      await seal(await this.#handle!, this.#file, target, trailer);
      this.rows = this.length;
      return trailer;
    } catch (error) {
      this.#fail(error as Error);
      return void (await this.discard());
    }
  }

  async discard(): Promise<void> {
    this.#closed = true;
    if (!this.#handle) return;
    await this.#handle.then((handle) => handle.close()).catch(() => {});
    await rm(this.#file, { force: true }).catch(this.#fail);
  }
}

/** A table that somebody else wrote, as a stream in a file. */
export class AdoptedTable implements KeptFile {
  readonly #file: string;
  readonly #limits: KeptLimits;
  readonly #fail: Fail;
  #closed = false;
  readonly length = 0;
  readonly stopped = undefined;
  rows: number | undefined;

  constructor(file: string, limits: KeptLimits, fail: Fail) {
    this.#file = file;
    this.#limits = limits;
    this.#fail = fail;
  }

  async write(): Promise<boolean> {
    return false;
  }

  end(): void {}

  async finish(target: string, digest: string): Promise<Trailer | undefined> {
    if (this.#closed) return undefined;
    let handle: FileHandle | undefined;
    try {
      handle = await open(this.#file, 'r+');
      const { size } = await handle.stat();
      const trailer = { ...(await this.#look(handle, size)), digest };
      await handle.chmod(0o600);
      const sealed = handle;
      handle = undefined;
      await seal(sealed, this.#file, target, trailer).catch(async (error: unknown) => {
        await sealed.close().catch(() => {});
        throw error;
      });
      this.#closed = true;
      this.rows = trailer.rows;
      return trailer;
    } catch (error) {
      await handle?.close();
      this.#fail(error as Error);
      return void (await this.discard());
    }
  }

  /** Where its batches are; those beyond the limits are left out. */
  async #look(handle: FileHandle, size: number): Promise<Omit<Trailer, 'digest'>> {
    const read = async (at: number, length: number) => {
      const bytes = new Uint8Array(length);
      await handle.read(bytes, 0, length, at);
      return bytes;
    };
    const first = await messageAt(read, 0, size);
    if (first.kind !== 'schema') throw new Error('not an Arrow stream');
    const batches: [number, number][] = [];
    let rows = 0;
    for (let at = first.end; ; ) {
      const message = await messageAt(read, at, size);
      if (message.kind === 'end') break;
      if (message.kind !== 'batch') throw new Error('not an Arrow stream');
      if (rows + message.rows > this.#limits.rows || message.end > this.#limits.bytes) break;
      at = message.end;
      rows += message.rows;
      // A batch without rows is of no use to anybody, and none is told of.
      batches.push([at, rows]);
    }
    return { rows, head: first.end, batches };
  }

  async discard(): Promise<void> {
    this.#closed = true;
    await rm(this.#file, { force: true }).catch(this.#fail);
  }
}
