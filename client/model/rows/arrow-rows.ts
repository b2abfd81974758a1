import type { RecordBatch, Schema, Vector } from 'apache-arrow';
import type { ArrowColumns } from '../tables/arrow.ts';
import { describeType, readValue } from './arrow-cells.ts';
import { type Chunk, lastStart } from './chunks.ts';
import type { RowColumn, TypedRows } from './typed-rows.ts';

/**
 * Collects the record batches of a growing result without copying them. A snapshot keeps the rows
 * that existed when it was taken.
 */
export interface ArrowRows {
  /** Defines the columns, unless a batch has. A table without rows may have no batch. */
  define(schema: Schema<ArrowColumns>): void;
  /** Appends a batch. The first batch, which may be empty, defines the columns. */
  add(batch: RecordBatch<ArrowColumns>): void;
  /** Returns a read-only view of the rows received so far. */
  snapshot(state: { readonly complete: boolean; readonly total?: number | undefined }): ArrowSource;
  /** Number of rows received so far. */
  readonly length: number;
}

/** Rows backed by Arrow record batches. */
export interface ArrowSource extends TypedRows {
  /** Whether the table is complete; otherwise more rows may follow. */
  readonly complete: boolean;
  /** Expected number of rows, if known. */
  readonly total?: number | undefined;
  /** Names and types of the columns; undefined before the first batch. */
  readonly schema: Schema<ArrowColumns> | undefined;
  /** The batches that have rows. */
  readonly batches: readonly RecordBatch<ArrowColumns>[];
  chunks(column: number): readonly Chunk[];
}

const meanings = ['json', 'period', 'interval', 'enum'] as const;

/**
 * Creates an empty, growing list of record batches. The first batch defines the columns; a batch
 * with another number of columns is an error.
 */
export function arrowRows(): ArrowRows {
  const batches: RecordBatch<ArrowColumns>[] = [];
  /** Number of the first row of each batch, for binary search. */
  const starts: number[] = [];
  const chunks: Chunk[][] = [];
  let schema: Schema<ArrowColumns> | undefined;
  let columns: RowColumn[] = [];
  let length = 0;

  const batchOf = (row: number): number => lastStart(starts.length, (at) => starts[at]!, row);
  const define = (given: Schema<ArrowColumns>): void => {
    if (schema) return;
    schema = given;
    columns = schema.fields.map(({ name, type, metadata }, index) => {
      const meaning = meanings.find((each) => each === metadata.get('tiding.meaning'));
      const order = metadata.get('tiding.order');
      return {
        ...{ name, index, ...describeType(type) },
        ...(meaning && { meaning }),
        ...(order && { order: JSON.parse(order) as string[] }),
      };
    });
    for (const _ of columns) chunks.push([]);
  };
  return {
    get length() {
      return length;
    },
    define,
    add(batch) {
      define(batch.schema);
      if (batch.schema.fields.length !== columns.length)
        throw new Error(
          `A record batch has ${batch.schema.fields.length} columns instead of ${columns.length}.`,
        );
      if (batch.numRows === 0) return;
      for (const { index } of columns) {
        const data = (batch.getChildAt(index) as Vector).data[0]!;
        chunks[index]!.push({ start: length, data });
      }
      starts.push(length);
      batches.push(batch);
      length += batch.numRows;
    },
    snapshot({ complete, total }) {
      const [seen, count] = [length, batches.length];
      return {
        schema,
        columns,
        length: seen,
        complete,
        total,
        nullText: '',
        get batches() {
          return batches.slice(0, count);
        },
        chunks: (column) => (chunks[column] ?? []).slice(0, count),
        value(row, column, limit) {
          if (row < 0 || row >= seen) return undefined;
          const chunk = chunks[column]?.[batchOf(row)];
          return chunk ? readValue(chunk.data, row - chunk.start, limit) : undefined;
        },
      };
    },
  };
}

/** Reads all batches of a table. */
export async function readArrowRows(
  {
    schema,
    batches,
  }: {
    readonly schema: Schema<ArrowColumns>;
    readonly batches:
      | AsyncIterable<RecordBatch<ArrowColumns>, void, void>
      | readonly RecordBatch<ArrowColumns>[];
  },
  total?: number,
): Promise<ArrowSource> {
  const rows = arrowRows();
  rows.define(schema);
  for await (const batch of batches) rows.add(batch);
  return rows.snapshot({ complete: true, total });
}
