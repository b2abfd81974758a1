/** Encodes complete tables in each format, batch by batch. */

import { arrowFormat, hasArrowValue } from '@tiding/client/model';
import type { Data, RecordBatch, Schema } from 'apache-arrow';
import type { RowRange, StoredTable } from './stored-table.ts';
import { yieldToEventLoop } from './stream.ts';

const encoder = new TextEncoder();
const field = (text: string): string =>
  text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

function columnsOf(
  schema: Schema,
  batch: RecordBatch,
  kind: 'text' | 'json',
): { data: Data; read: (index: number) => string }[] {
  return schema.fields.map(({ type }, place) => {
    const data = batch.data.children[place]!;
    return { data, read: arrowFormat(type)[kind](data) };
  });
}

/**
 * RFC 4180, without a byte-order mark. A missing value is empty; an empty text is `""`.
 */
export async function* typedCsv(table: StoredTable, range: RowRange): AsyncGenerator<Uint8Array> {
  const schema = await table.schema();
  yield encoder.encode(`${schema.fields.map(({ name }) => field(name)).join(',')}\r\n`);
  // A record with one empty field would be an empty line, which readers skip. With only one column,
  // a missing value is therefore written like an empty text, which they read as missing.
  const missing = schema.fields.length === 1 ? '""' : '';
  for await (const batch of table.batches(range)) {
    const columns = columnsOf(schema, batch, 'text');
    const records: string[] = [];
    for (let row = 0; row < batch.numRows; row += 1)
      records.push(
        columns
          .map(({ data, read }) => (hasArrowValue(data, row) ? field(read(row)) : missing))
          .join(','),
        '\r\n',
      );
    yield encoder.encode(records.join(''));
    await yieldToEventLoop();
  }
}

/** A list of objects. */
export async function* typedJson(table: StoredTable, range: RowRange): AsyncGenerator<Uint8Array> {
  const schema = await table.schema();
  const names = schema.fields.map(({ name }) => JSON.stringify(name));
  yield encoder.encode('[');
  let before = '\n';
  for await (const batch of table.batches(range)) {
    const columns = columnsOf(schema, batch, 'json');
    const records = Array.from(
      { length: batch.numRows },
      (_, row) =>
        `{${columns
          .map(
            ({ data, read }, place) =>
              `${names[place]}:${hasArrowValue(data, row) ? read(row) : 'null'}`,
          )
          .join(',')}}`,
    );
    yield encoder.encode(before + records.join(',\n'));
    before = ',\n';
    await yieldToEventLoop();
  }
  yield encoder.encode('\n]\n');
}
