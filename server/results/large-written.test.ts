import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { arrowFormat, hasArrowValue } from '@tiding/client/model';
import { RecordBatchReader } from 'apache-arrow';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../test/support/until-end.ts';
import {
  ArrowColumns,
  type ColumnKind,
  type TextRow,
} from '../interpreters/databases/text-columns.ts';
import { createLog } from '../logging/log.ts';
import { newNote, newParagraph } from '../notes/note.ts';
import { DatabaseTable } from './database/database-table.ts';
import { ResultStore } from './store.ts';

/** More than a million cells, most of them in columns that are copied as a whole. */
const ROWS = 10_101;
const BATCH = 1_000;
const typed: readonly ColumnKind[] = [
  'int32',
  'int64',
  'uint64',
  'float32',
  'boolean',
  { precision: 38, scale: 2 },
  { precision: 9, scale: 3 },
  'date',
  'time',
  'timestamp',
  'instant',
  'text',
  'bytes',
];
const kinds: readonly ColumnKind[] = [...typed, ...Array(87).fill('int32')];

/** The texts of a row. Every third is missing. */
const rowOf = (at: number): TextRow =>
  at % 3 === 2
    ? kinds.map((_, column) => (column === 0 ? String(at) : null))
    : [
        String(at),
        String(9_000_000_000_000_000_000n - BigInt(at)),
        String(18_000_000_000_000_000_000n + BigInt(at)),
        '0.5',
        at % 2 ? 't' : 'f',
        `-123456789012345678901234567890.0${at % 10}`,
        `${at % 1_000}.125`,
        '2026-02-28',
        '23:59:59.000001',
        '2026-02-28 10:00:00.5',
        '2026-02-28 10:00:00.5+01',
        `row ${at} ü`,
        `\\x00ff${String(at % 10).padStart(2, '0')}`,
        ...kinds.slice(typed.length).map(() => String(at)),
      ];

it('are stored in a database with all their types, and can be queried', async () => {
  const data = temporaryFolder();
  const limits = { rows: 10_000_000, bytes: 2 ** 31, totalBytes: 2 ** 33 };
  const store = new ResultStore(data, limits, createLog('silent'));
  onTestFinished(() => store.close());
  await store.load();
  const paragraph = newParagraph();
  const note = newNote('large', [paragraph]);
  const columns = new ArrowColumns(
    kinds.map((kind, at) => ({ name: `n${at}`, kind })),
    [rowOf(0)],
  );
  const keeper = store.keeper(note, paragraph.id);
  const table = keeper.begin(columns.schema);
  for (let from = 0; from < ROWS; from += BATCH)
    expect(
      await table.write(
        columns.batch(
          Array.from({ length: Math.min(BATCH, ROWS - from) }, (_, at) => rowOf(from + at)),
        ),
      ),
    ).toBe(true);
  table.end();
  const message = { type: 'TABLE' as const, data: 'n0\n0', rows: ROWS };
  (await keeper.commit([{ index: 0, data: message.data, table }]))();
  expect([table.rows, columns.lost]).toEqual([ROWS, []]);
  const files = await readdir(join(data, 'results', note.id));
  expect(files.map((name) => name.replace(/^.*\./, '')).sort()).toEqual(['duckdb', 'json']);

  const found = store.find(note.id, paragraph.id, 0, message) as DatabaseTable;
  expect(found).toBeInstanceOf(DatabaseTable);
  expect((await found.schema()).fields.map(({ name, type }) => `${name} ${type}`)).toEqual(
    columns.schema.fields.map(({ name, type }) => `${name} ${type}`),
  );
  for (const from of [0, ROWS - 2]) {
    const expected = columns.batch([rowOf(from), rowOf(from + 1)]);
    for await (const batch of found.batches({ offset: from, limit: 2 }))
      expect(textsOf(batch)).toEqual(textsOf(expected));
  }
  const answer = await found.query({
    filters: [{ column: 0, as: 'number', test: 'range', from: '10099' }],
    question: { kind: 'rows', offset: 0, limit: 10 },
  });
  const [last] = RecordBatchReader.from(answer);
  expect(textsOf(last!).map(([first]) => first)).toEqual(['10099', '10100']);
});

function textsOf({ data, numRows }: ReturnType<ArrowColumns['batch']>): (string | null)[][] {
  const columns = data.children.map((column) => {
    const text = arrowFormat(column.type).text(column);
    return (row: number) => (hasArrowValue(column, row) ? text(row) : null);
  });
  return Array.from({ length: numRows }, (_, row) => columns.map((text) => text(row)));
}
