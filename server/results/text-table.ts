import { type TableData, textTableOf, toArrow, toCsv } from '@tiding/client/model';
import type { Table as ArrowTable, RecordBatch, Schema } from 'apache-arrow';
import { ALL, type RowRange, StoredTable } from './stored-table.ts';

/** Maximum number of rows per batch. */
const MAX_BATCH_ROWS = 1_000;

/**
 * The table in the text of an output, of programs and of other servers. Its types are those of
 * `toArrow`.
 */
export class TextTable extends StoredTable {
  readonly #text: TableData;
  #typed: Promise<ArrowTable> | undefined;

  constructor(text: string) {
    super();
    this.#text = textTableOf(text);
  }

  get rows(): number {
    return this.#text.rows.length;
  }

  /** The rows as CSV, with the texts of their cells. */
  csv({ offset, limit }: RowRange): Uint8Array {
    const rows = this.#text.rows.slice(offset, offset + limit);
    return Buffer.from(toCsv({ ...this.#text, rows }, { bom: false }));
  }

  #read(): Promise<ArrowTable> {
    return (this.#typed ??= toArrow(this.#text));
  }

  async schema(): Promise<Schema> {
    return (await this.#read()).schema;
  }

  async *batches({ offset, limit }: RowRange = ALL): AsyncGenerator<RecordBatch> {
    const table = await this.#read();
    const end = Math.min(table.numRows, offset + limit);
    for (let from = offset; from < end; from += MAX_BATCH_ROWS)
      yield* table.slice(from, Math.min(end, from + MAX_BATCH_ROWS)).batches;
  }
}
