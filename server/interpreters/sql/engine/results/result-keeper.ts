/**
 * Stores all rows of a result: a small one as Arrow batches, which are served as they are, and a
 * large one in a database file, which can be queried.
 */
import type { DuckDBDataChunk, DuckDBResult } from '@duckdb/node-api';
import { isReadable } from '@tiding/client/model';
import type { RecordBatch } from 'apache-arrow';
import type { KeptTable, TableKeeper } from '../../../contract.ts';
import { distinctTexts } from '../../../table-text.ts';
import { type ArrowConverter, arrowOf } from '../arrow.ts';
import { sizeOf } from '../bounded-value.ts';
import { MAX_ARROW_CELLS } from '../messages.ts';
import { TableFile } from './table-file.ts';

/** A table with more bytes is stored in a database file. */
const MAX_ARROW_BYTES = 16 * 2 ** 20;

export type StoredRows = Pick<KeptTable, 'length' | 'stopped'>;

/** Stores one result. */
export class ResultKeeper {
  readonly #result: DuckDBResult;
  readonly #names: readonly string[];
  readonly #zone: string;
  /** The stored table. Absent: nothing is stored. */
  readonly table: KeptTable | undefined;
  /** The rows so far, while the table is small enough for Arrow. They are converted at the end. */
  #held: DuckDBDataChunk[] = [];
  #cells = 0;
  #bytes = 0;
  #file: TableFile | undefined;
  /** Whether a value or the file failed, so that nothing is stored. */
  #isBroken = false;
  #accepts = true;

  constructor(
    result: DuckDBResult,
    names: readonly string[],
    keep: TableKeeper | undefined,
    zone: string,
  ) {
    this.#result = result;
    this.#names = distinctTexts(names);
    this.#zone = zone;
    this.table = keep?.begin(this.#arrow().schema);
  }

  #arrow(texts: ReadonlySet<number> = new Set()): ArrowConverter {
    return arrowOf(this.#result, this.#names, { zone: this.#zone, texts });
  }

  /** The rows so far as batches. Columns with values that no reader can hold are text. */
  #batches(): RecordBatch[] {
    const arrow = this.#arrow();
    const batches = this.#held.map((chunk) => arrow.batch(chunk));
    const isText = (column: number): boolean =>
      batches.some(({ data }) => !isReadable(data.children[column]!));
    const texts = new Set(this.#names.map((_, column) => column).filter(isText));
    if (texts.size === 0) return batches;
    this.#texts = [...texts].map((column) => this.#result.columnName(column));
    const readable = this.#arrow(texts);
    return this.#held.map((chunk) => readable.batch(chunk));
  }
  #texts: readonly string[] = [];

  /** Names of columns that are stored as text because of their values. */
  get texts(): readonly string[] {
    return this.#texts;
  }

  /** Stores rows. Resolves to `false` if no more are stored. */
  async write(chunk: DuckDBDataChunk): Promise<boolean> {
    if (!this.table || this.#isBroken || !this.#accepts) return false;
    try {
      if (!this.#file) {
        this.#held.push(chunk);
        this.#cells += chunk.rowCount * chunk.columnCount;
        for (let column = 0; column < chunk.columnCount; column += 1)
          this.#bytes += sizeOf(chunk.getColumnVector(column));
        if (this.#cells > MAX_ARROW_CELLS || this.#bytes > MAX_ARROW_BYTES)
          await this.#move(this.table);
      } else this.#accepts = this.#file.append(chunk);
      return this.#accepts;
    } catch {
      // A value does not fit its column, or the disk is full. The shown rows are not affected.
      this.#isBroken = true;
      this.#held = [];
      return false;
    }
  }

  async #move(table: KeptTable): Promise<void> {
    const target = await table.moveToDatabase?.();
    if (!target) throw new Error('the table is not stored');
    const types = Array.from({ length: this.#result.columnCount }, (_, index) =>
      String(this.#result.columnType(index)),
    );
    this.#file = await TableFile.create(target, types);
    for (const chunk of this.#held) this.#accepts &&= this.#file.append(chunk);
    this.#held = [];
  }

  /** Completes the table. */
  async end(): Promise<void> {
    if (!this.table || this.#isBroken) return;
    try {
      const file = this.#file;
      this.#file = undefined;
      const written = await file?.finish();
      if (written)
        this.#written = { length: written.rows, stopped: written.isCut ? 'limit' : undefined };
      for (const batch of this.#batches()) if (!(await this.table.write(batch))) break;
      this.table.end(written);
    } catch {
      this.#isBroken = true;
    }
  }
  #written: StoredRows | undefined;

  /** What is stored; undefined if nothing is. */
  get stored(): StoredRows | undefined {
    return this.#isBroken ? undefined : (this.#written ?? this.table);
  }

  /** Ends writing. A table that is not complete is dropped. */
  close(): void {
    this.#file?.discard();
    this.#file = undefined;
  }
}
