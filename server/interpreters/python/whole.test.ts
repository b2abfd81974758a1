/** Tests complete tables stored by `%python`. */
import { mkdirSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Table, tableFromIPC } from 'apache-arrow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLog } from '../../logging/log.ts';
import { newNote, newParagraph } from '../../notes/note.ts';
import { formats } from '../../results/formats.ts';
import type { KeptFile } from '../../results/kept-file.ts';
import { ResultStore } from '../../results/store.ts';
import { ALL } from '../../results/stored-table.ts';
import type { Interpreter } from '../contract.ts';
import { type Recorded, runCode, type TestHost, testHost } from '../test-support.ts';
import { python } from './python.ts';

describe('tables of %python', () => {
  let host: TestHost;
  let kernel: Interpreter;
  beforeAll(async () => {
    host = testHost();
    mkdirSync(join(host.root, 'data'));
    kernel = python.create(host);
    expect(
      (await runCode(kernel, 'import pandas as pd, pyarrow as pa, numpy as np, datetime, decimal'))
        .end,
    ).toEqual({ code: 'SUCCESS' });
  }, 600_000);
  afterAll(async () => {
    await kernel.close();
    host.remove();
  });

  /** Runs code. Returns its output and each complete table, as read by the results store. */
  async function run(
    code: string,
    limits = { rows: 1e7, bytes: 1e9 },
  ): Promise<Recorded & { tables: (Table | undefined)[]; json: string[] }> {
    const results = new ResultStore(
      join(host.root, 'data'),
      { totalBytes: 2 ** 33, ...limits },
      createLog('silent'),
    );
    const note = newNote('n', [newParagraph()]);
    const keep = results.keeper(note, 'p');
    const recorded = await runCode(kernel, code, { keep });
    const shown = recorded.outputs
      .flatMap((output, index) => (output.type === 'TABLE' ? [{ index, data: output.data }] : []))
      .map((each, at) => ({ ...each, table: recorded.whole[at] as ReturnType<typeof keep.adopt> }));
    const kept = shown.filter(({ table }) => table);
    (await keep.commit(kept))();
    const tables: (Table | undefined)[] = [];
    const json: string[] = [];
    for (const { index, data, table } of kept) {
      const found =
        table.rows === undefined
          ? undefined
          : results.find(note.id, 'p', index, { type: 'TABLE', data, rows: table.rows });
      const bytes = async (name: string) => {
        const pieces: Uint8Array[] = [];
        for await (const piece of formats
          .find((format) => format.name === name)!
          .writeTyped(found!, ALL))
          pieces.push(piece);
        return Buffer.concat(pieces);
      };
      tables.push(found && tableFromIPC(await bytes('arrow')));
      json.push(found ? String(await bytes('json')) : '');
    }
    await results.close();
    return { ...recorded, tables, json };
  }

  it('are stored with all rows and types', async () => {
    const {
      outputs,
      tables: [table],
    } = await run(
      "pd.DataFrame({'i': range(25000), 's': [None if i % 2 else '' for i in range(25000)]})",
    );
    expect([outputs[0]!.data.split('\n').length, outputs[1]!.data]).toEqual([
      10_002,
      'The note has the first 10,000 of 25,000 rows; the table view, downloads and scripts have ' +
        'all of them.\n',
    ]);
    expect([
      table!.numRows,
      table!.batches.length > 3,
      String(table!.schema.fields[0]!.type),
      table!.getChild('i')!.get(24_999),
      table!.getChild('s')!.get(0),
      table!.getChild('s')!.get(1),
    ]).toEqual([25_000, true, 'Int64', 24_999n, '', null]);
  });

  it('keep column types', async () => {
    const { outputs, whole } = await run(
      "pd.DataFrame({'mean': [45429.69999999998, 0.1], 'id': [12345678901234567, 1], 'code': " +
        "['42', '7'], 'day': pd.to_datetime(['2026-01-31', '2026-02-01']), 'yes': [True, " +
        'False]})',
    );
    expect(outputs[0]!.data.split('\n')[1]).toContain('45429.69999999998\t12345678901234567\t42\t');
    expect((whole[0] as KeptFile).columnTypes).toEqual([
      'number',
      'number',
      'string',
      'date',
      'string',
    ]);
  });

  it('store every kind of value, and mixed types as text', async () => {
    const {
      json,
      tables: [table],
    } = await run(`frame = pd.DataFrame({
  'yes': [True, None], 'i': pd.array([1, None], 'Int64'), 'f': [1.5, np.nan],
  'd': [decimal.Decimal('12345678901234567890.0000000001'), None],
  'day': [datetime.date(2026, 2, 28), None], 'clock': [datetime.time(1, 2, 3, 4), None],
  't': pd.to_datetime(['2026-01-31 10:00:00.123456', None]),
  'z': pd.to_datetime(['2026-01-31 10:00:00+05:30', None]),
  'span': pd.to_timedelta(['1 days 02:00:00', None]), 'b': [b'a\\x00', None],
  'l': [[1, 2], None], 'o': [{'a': 1}, None], 'c': pd.Categorical(['x', None]),
  'mixed': [1, 'a'], 'same': [1, 2]})
frame.columns = [*frame.columns[:-1], 'i']
frame`);
    expect(table!.schema.fields.map(({ name }) => name).slice(-2)).toEqual(['mixed', 'i_2']);
    const [first, second] = JSON.parse(json[0]!.replace(/:(\d[\d.]{14,})/g, ':"$1"')) as object[];
    expect(first).toEqual({
      yes: true,
      i: 1,
      f: 1.5,
      d: '12345678901234567890.0000000001',
      day: '2026-02-28',
      clock: '01:02:03.000004',
      t: '2026-01-31T10:00:00.123456',
      z: '2026-01-31T04:30:00Z',
      span: '26:00:00',
      b: 'YQA=',
      l: [1, 2],
      o: { a: 1 },
      c: 'x',
      mixed: '1',
      i_2: 1,
    });
    expect(second).toEqual({
      yes: null,
      i: null,
      f: null,
      d: null,
      day: null,
      clock: null,
      t: null,
      z: null,
      span: null,
      b: null,
      l: null,
      o: null,
      c: null,
      mixed: 'a',
      i_2: 2,
    });
  });

  it('are stored for pyarrow, and include a meaningful pandas index', async () => {
    const { outputs, tables } = await run(
      "display(pa.table({'a': [1, 2], 'b': [None, 'x']}))\n" +
        "display(pd.DataFrame({'n': [5]}, index=pd.Index(['k'], name='key')))\n" +
        "z.show(pa.table({'a': list(range(20))}), limit=5)",
    );
    expect(outputs[0]).toEqual({ type: 'TABLE', data: 'a\tb\n1\tnull\n2\tx\n' });
    expect(
      tables.map((table) => [table!.numRows, table!.schema.fields.map(({ name }) => name)]),
    ).toEqual([
      [2, ['a', 'b']],
      [1, ['key', 'n']],
      [20, ['a']],
    ]);
  });

  it('are shown again after a display update', async () => {
    const { outputs, tables, cleared } = await run(
      "d = display('first', display_id=True)\ndisplay(pd.DataFrame({'a': [1, 2, 3]}))\n" +
        "d.update('second')",
    );
    expect(cleared).toBeGreaterThan(0);
    expect(outputs.map(({ type }) => type)).toEqual(['TEXT', 'TABLE']);
    expect(tables[0]!.numRows).toBe(3);
  });

  it('with more than a million cells are stored in a database', async () => {
    const { outputs, tables } = await run(
      "pd.DataFrame({'n': range(600000), 'text': ['x', None, 'y'] * 200000, " +
        "'at': pd.Timestamp('2026-01-31 10:00')})",
    );
    const [table] = tables;
    expect(outputs[1]!.data).toBe(
      'The note has the first 10,000 of 600,000 rows; the table view, downloads and scripts have ' +
        'all of them.\n',
    );
    expect([table!.numRows, table!.schema.fields.map(({ name }) => name)]).toEqual([
      600_000,
      ['n', 'text', 'at'],
    ]);
    const last = table!.get(599_999)!.toJSON();
    expect([last['n'], last['text'], last['at']]).toEqual([
      599_999n,
      'y',
      Date.UTC(2026, 0, 31, 10),
    ]);
  });

  it('are truncated at the limits, and deleted if not shown', async () => {
    const {
      tables: [table],
      outputs,
    } = await run("pd.DataFrame({'i': range(25000)})", { rows: 15_000, bytes: 1e9 });
    expect([table!.numRows, outputs[1]!.data]).toEqual([
      12_288,
      'The note has the first 10,000 of 25,000 rows; the table view, downloads and scripts have ' +
        'the first 12,288.\n',
    ]);
    await run(
      "from IPython.display import clear_output\ndisplay(pd.DataFrame({'i': range(5)}))\n" +
        'clear_output()',
    );
    expect(await readdir(join(host.root, 'tables'))).toEqual([]);
  });

  it('are read only from files issued by the server', async () => {
    const { whole } = await run(
      "display({'application/vnd.tiding.table': 'a\\n1\\n" +
        "'}, metadata={'application/vnd.tiding.table': {'file': '/etc/passwd'}}, raw=True)",
    );
    expect(whole).toEqual([]);
  });
});
