import type { RecordBatch, Schema, Vector } from 'apache-arrow';
import { describeType, readValue, type Chunk } from './arrow-values.ts';
import type { RowColumn, RowSource } from './row-source.ts';

/** Rows of record batches that arrive. Every batch stays as it came; a snapshot sees the rows there were when it was taken. */
export interface ArrowRows {
  /** Takes the next batch; one without rows brings the columns. */
  add(batch: RecordBatch): void;
  /** What is there now. */
  snapshot(state: { readonly complete: boolean; readonly total?: number | undefined }): ArrowSource;
  readonly length: number;
}

/** Rows of record batches. */
export interface ArrowSource extends RowSource {
  readonly schema: Schema | undefined;
  readonly batches: readonly RecordBatch[];
  chunks(column: number): readonly Chunk[];
}

/** An empty list of batches that grows. The columns are those of the first batch. */
export function arrowRows(): ArrowRows {
  const batches: RecordBatch[] = [];
  /** First row of each batch. */
  const starts: number[] = [];
  const chunks: Chunk[][] = [];
  let schema: Schema | undefined;
  let columns: RowColumn[] = [];
  let length = 0;

  const batchOf = (row: number): number => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle]! <= row) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  return {
    get length() {
      return length;
    },
    add(batch) {
      if (!schema) {
        schema = batch.schema;
        columns = schema.fields.map(({ name, type }, index) => ({
          name,
          index,
          ...describeType(type),
        }));
        for (const _ of columns) chunks.push([]);
      } else if (batch.schema.fields.length !== schema.fields.length) {
        throw new Error(
          `a batch has ${batch.schema.fields.length} columns instead of ${schema.fields.length}`,
        );
      }
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
