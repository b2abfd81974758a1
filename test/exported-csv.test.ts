/** CSV files saved in the page contain the same text as those exported by the server. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { arrowRows, runNow } from '@tiding/client/model';
import type { RecordBatch } from 'apache-arrow';
import { expect, it } from 'vitest';
import { allRows, delimitedText } from '../elements/result/displays/table-result/export-files.ts';
import { END, piecesOf } from '../server/results/arrow-stream.ts';
import { ALL, ArrowFileTable } from '../server/results/stored-table.ts';
import { typedCsv } from '../server/results/typed-formats.ts';
import { batchOf, edgeCases } from './support/arrow-edge-cases.ts';
import { temporaryFolder } from './support/until-end.ts';

const folder = temporaryFolder();

async function ofServer(batch: RecordBatch): Promise<string> {
  const pieces = piecesOf(batch.schema);
  const body = pieces.batch(batch);
  const file = join(folder, 'table.arrow');
  writeFileSync(file, Buffer.concat([pieces.head, body, END]));
  const head = pieces.head.length;
  const table = new ArrowFileTable(file, {
    rows: batch.numRows,
    digest: '',
    head,
    batches: [[head + body.length, batch.numRows]],
  });
  const parts: Uint8Array[] = [];
  for await (const part of typedCsv(table, ALL)) parts.push(part);
  return Buffer.concat(parts).toString();
}
function ofPage(batch: RecordBatch): string {
  const rows = arrowRows();
  rows.add(batch);
  const text = runNow(delimitedText(allRows(rows.snapshot({ complete: true })), ','));
  // Only the page writes a byte-order mark, for spreadsheet programs.
  return (text as string).replace(/^\uFEFF/, '');
}

const columns = edgeCases();

it.each(Object.keys(columns))('column %s is the same text', async (name) => {
  const batch = batchOf({ [name]: columns[name]! });
  expect(ofPage(batch)).toBe(await ofServer(batch));
});

it('a table of all columns is the same text', async () => {
  const batch = batchOf(columns);
  expect(ofPage(batch)).toBe(await ofServer(batch));
});

it('missing values, empty texts and non-finite numbers are distinguishable', () => {
  const { text, double, single } = columns;
  const batch = batchOf({ text: text!, double: double!, single: single! });
  expect(ofPage(batch)).toBe(
    [
      'text,double,single',
      '"",0.1,0.1',
      ',,',
      '\ufeffmarked,NaN,NaN',
      '"a,b ""c""\r\nd",Infinity,Infinity',
      'Zoë 😀,-Infinity,-Infinity',
      '',
    ].join('\r\n'),
  );
});
