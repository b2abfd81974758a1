/** A large table in a database file, which an engine process reads and queries. */
import { access } from 'node:fs/promises';
import type { ResultQuery } from '@tiding/client/protocol';
import { DataType, RecordBatch, RecordBatchReader, Schema } from 'apache-arrow';
import { Refusal } from '../../base/errors.ts';
import { EngineEnded } from '../../interpreters/sql/engine/process.ts';
import { withZone } from '../../interpreters/sql/engine/results/parquet-types.ts';
import { END, piecesOf } from '../arrow-stream.ts';
import { ALL, type RowRange, StoredTable } from '../stored-table.ts';
import type { DatabaseDescription } from './database-file.ts';
import type { QueryEngine } from './query-engine.ts';

/** Gives rows of the engine, which stores instants without a zone, the zones of their columns. */
function withZones(answer: Uint8Array, { fields }: Schema): Uint8Array {
  if (!fields.some(({ type }) => DataType.isTimestamp(type) && type.timezone)) return answer;
  const reader = RecordBatchReader.from(answer).open();
  const zoned = reader.schema.fields.map((field, index) => withZone(field, fields[index]));
  const schema = new Schema(zoned, reader.schema.metadata);
  const { head, batch } = piecesOf(schema);
  const batches = Array.from(reader, ({ data }) => batch(new RecordBatch(schema, data)));
  return Buffer.concat([head, ...batches, END]);
}

export class DatabaseTable extends StoredTable {
  readonly #file: string;
  readonly #description: DatabaseDescription;
  readonly #engine: QueryEngine;

  constructor(file: string, description: DatabaseDescription, engine: QueryEngine) {
    super();
    this.#file = file;
    this.#description = description;
    this.#engine = engine;
  }

  get rows(): number {
    return this.#description.rows;
  }

  async schema(): Promise<Schema> {
    const head = Buffer.from(this.#description.schema, 'base64');
    return RecordBatchReader.from(Buffer.concat([head, END])).open().schema;
  }

  async #check(): Promise<void> {
    await access(this.#file).catch(() => {
      throw new Refusal(410, 'This result is no longer available. Run the paragraph again.');
    });
  }

  override async arrow(range: RowRange = ALL) {
    await this.#check();
    return super.arrow(range);
  }

  async *batches({ offset, limit }: RowRange = ALL): AsyncGenerator<RecordBatch> {
    const schema = await this.schema();
    const count = Math.min(this.rows - offset, limit);
    if (count <= 0) return;
    for await (const bytes of this.#engine.read(this.#file, offset, count))
      for (const batch of RecordBatchReader.from(bytes) as Iterable<RecordBatch>)
        yield new RecordBatch(schema, batch.data);
  }

  /** Answers a query over all rows with an Arrow stream. */
  async query(query: ResultQuery, signal?: AbortSignal): Promise<Uint8Array> {
    await this.#check();
    try {
      const schema = await this.schema();
      const zones = schema.fields.map(({ type }) =>
        DataType.isTimestamp(type) ? (type.timezone ?? undefined) : undefined,
      );
      const table = { file: this.#file, rows: this.rows, zones };
      const answer = await this.#engine.query(table, query, signal);
      return query.question.kind === 'rows' ? withZones(answer, schema) : answer;
    } catch (error) {
      if (signal?.aborted || !(error instanceof Error)) throw error;
      throw new Refusal(error instanceof EngineEnded ? 503 : 400, error.message);
    }
  }
}
