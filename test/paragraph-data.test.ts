/** What the server sends to pages that draw results themselves, and what they compute from it. */
import {
  type Pivot,
  type PivotConfig,
  type PivotOptions,
  pivot,
  type RowsJson,
  readArrowRows,
  rowsFromJson,
  runNow,
  type TypedRows,
} from '@tiding/client/model';
import { describe, expect, it } from 'vitest';
import { adminClient, startEmbedded } from './support/embedded.ts';
import { untilEnd } from './support/until-end.ts';

const embedded = untilEnd(await startEmbedded());
const client = untilEnd(await adminClient(embedded.server.url));

interface Data {
  revision: string;
  status: string;
  outputs?: { rows: RowsJson; total: number; isQueried: boolean; type?: string; data?: string }[];
}

let count = 0;
/** Runs code in a note of its own. Returns the paragraph and what a page reads of it. */
async function ran(text: string) {
  const note = await client.open(await client.notes.create({ path: `data ${(count += 1)}` }));
  const paragraph = await note.insert({ text });
  const result = await paragraph.run();
  expect(result.error).toBeUndefined();
  const read = async (revision?: string): Promise<Data> => {
    const view = { paragraphId: paragraph.id, look: 'data', width: 0, revision };
    const response = await client.call('getFirstViews', {
      params: { noteId: note.id },
      body: { views: [view] },
    });
    return ((await response.json()) as { views: Data[] }).views[0]!;
  };
  return { paragraph, read };
}

const cells = ({ columns, length, value }: TypedRows) =>
  Array.from({ length }, (_, row) =>
    columns.map((_column, at) => {
      const cell = value(row, at);
      return typeof cell === 'object' && cell !== null ? 'bytes' : cell;
    }),
  );

/** Dates, instants, decimals, large integers, special numbers, and missing values. */
const KINDS = `%sql
select * from (values
  ('north', 1, 9007199254740993, 0.1::decimal(9,2), 1.5::double, date '2026-01-31', true,
    timestamp '2026-02-28 01:02:03.456789', timestamptz '2026-02-28 01:02:03+05:30'),
  ('north', null, 2, 0.2::decimal(9,2), 'nan'::double, date '2026-02-01', false,
    timestamp '1969-12-31 23:59:59.5', timestamptz '2026-03-28 01:02:03+00'),
  ('', 5, null, null, '-infinity'::double, null, null, null, null),
  (null, 7, -9223372036854775808, -0.05::decimal(9,2), '-0'::double, date '2026-02-01', true,
    timestamp '2026-02-28 01:02:03', timestamptz '2026-02-28 01:02:03+00'),
  (null, null, 1, 0, null, null, null, null, null),
  ('null', 4, 1, 0, 3, null, null, null, null))
  t(key, whole, long, exact, float, day, flag, moment, instant)`;

describe('the data of a paragraph', () => {
  it('has the values and types of the stored rows', async () => {
    const { paragraph, read } = await ran(KINDS);
    const { outputs: [output] = [], status } = await read();
    const stored = await readArrowRows(await paragraph.rows(0));
    const rows = rowsFromJson(output!.rows);
    expect([status, output!.total, output!.isQueried]).toEqual(['FINISHED', 6, false]);
    expect([rows.columns, cells(rows)]).toEqual([stored.columns, cells(stored)]);
  });

  it('is sent again when it has changed, and without outputs during a run', async () => {
    const { paragraph, read } = await ran('%md\n# One');
    const { revision, outputs: [output] = [] } = await read();
    expect(output).toMatchObject({ type: 'HTML', data: expect.stringContaining('One') });
    expect(await read(revision)).toEqual({ revision });
    paragraph.edit('%js\nawait new Promise((resolve) => setTimeout(resolve, 60_000));');
    const run = paragraph.run();
    await expect.poll(() => paragraph.state.server.status).toBe('RUNNING');
    const during = await read(revision);
    expect(during).toEqual({ revision: expect.not.stringMatching(revision), status: 'RUNNING' });
    run.cancel();
    await run;
  });

  it('has the first rows of a table in text', async () => {
    const { read } = await ran("%sh\nprintf '%%table\\na\\tb\\n1.10\\tnull\\n2\\tx\\n'");
    const { outputs: [output] = [] } = await read();
    const rows = rowsFromJson(output!.rows);
    expect([rows.isText, rows.columns.map(({ name }) => name), cells(rows)]).toEqual([
      true,
      ['a', 'b'],
      [
        ['1.10', null],
        [2, 'x'],
      ],
    ]);
  });
});

describe('a pivot of the data', () => {
  const column = (rows: TypedRows, name: string, aggr?: string) => ({
    name,
    index: rows.columns.findIndex((each) => each.name === name),
    ...(aggr && { aggr }),
  });
  const made = (rows: TypedRows, config: PivotConfig, options: PivotOptions = {}): Pivot =>
    runNow(pivot(rows, config, options));

  it('is that of the chart, and what SQL says of missing values', async () => {
    const { paragraph, read } = await ran(KINDS);
    const { outputs: [output] = [] } = await read();
    const rows = rowsFromJson(output!.rows);
    const aggregates = ['sum', 'count', 'avg', 'min', 'max'] as const;
    const config = {
      keys: [column(rows, 'key')],
      groups: [],
      values: ['whole', 'exact'].flatMap((name) =>
        aggregates.map((aggr) => column(rows, name, aggr)),
      ),
    };
    const found = made(rows, config);
    expect(found).toEqual(made(await readArrowRows(await paragraph.rows(0)), config));
    const selected = ['whole', 'exact'].flatMap((name) =>
      aggregates.map((aggr) => `${aggr}(${name})::double`),
    );
    const asked = await ran(
      `%sql\nselect key, ${selected.map((each, at) => `${each} as v${at}`).join()} from (` +
        `${KINDS.slice('%sql\n'.length)}) group by key`,
    );
    const answer = await readArrowRows(await asked.paragraph.rows(0));
    const wanted = new Map(cells(answer).map(([key, ...values]) => [key, values]));
    expect(found.x).toHaveLength(wanted.size);
    for (const [at, [key = null]] of found.keys.entries())
      expect(found.series.map(({ values }) => values[at])).toEqual(wanted.get(key));
  });

  it('groups dates by period, as the chart does', async () => {
    const { paragraph, read } = await ran(KINDS);
    const { outputs: [output] = [] } = await read();
    const rows = rowsFromJson(output!.rows);
    const stored = await readArrowRows(await paragraph.rows(0));
    for (const name of ['day', 'moment', 'instant']) {
      const config = { keys: [column(rows, name)], groups: [], values: [column(rows, 'long')] };
      const found = made(rows, config, { grain: 'month', scale: true });
      expect([found.time, found.x.length > 1, found]).toEqual([
        'month',
        true,
        made(stored, config, { grain: 'month', scale: true }),
      ]);
    }
  });
});

it('has bounds: rows by bytes, other outputs by length, paragraphs by number', async () => {
  const wide = await ran("%sql select repeat('x', 20000) || range as text from range(300)");
  const { outputs } = await wide.read();
  const { rows, total } = outputs![0]!;
  expect(total).toBe(300);
  expect(rows.length).toBeLessThan(300);
  expect(rows.cells[0]![0]).toBe(`${'x'.repeat(20_000)}0`);
  const msg = [{ type: 'TEXT', data: 'x'.repeat(5_000_000) }];
  const noteId = await client.notes.importNote({
    name: 'long',
    paragraphs: [{ text: '%md', status: 'FINISHED', results: { code: 'SUCCESS', msg } }],
  });
  const { paragraphs = [] } = await client.notes.get(noteId);
  const view = { paragraphId: paragraphs[0]!.id, look: 'data', width: 0 };
  for (const [count, status] of [
    [1, 413],
    [9, 400],
  ]) {
    const body = { views: Array(count).fill(view) };
    const ask = client.call('getFirstViews', { params: { noteId }, body });
    await expect(ask).rejects.toMatchObject({ status });
  }
});
