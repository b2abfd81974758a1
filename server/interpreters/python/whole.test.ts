/** Tests complete tables stored by `%python`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Table, tableFromIPC } from 'apache-arrow';
import { beforeAll, describe, expect, it } from 'vitest';
import { untilEnd } from '../../../test/support/until-end.ts';
import { createLog } from '../../logging/log.ts';
import { newNote, newParagraph } from '../../notes/note.ts';
import { DatabaseTable } from '../../results/database/database-table.ts';
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
    kernel = untilEnd(python.create(host));
    expect(
      (await runCode(kernel, 'import pandas as pd, pyarrow as pa, numpy as np, datetime, decimal'))
        .end,
    ).toEqual({ code: 'SUCCESS' });
  }, 600_000);
  /** Runs code. Returns its output and each complete table, as read by the results store. */
  async function run(
    code: string,
    limits = { rows: 1e7, bytes: 1e9 },
  ): Promise<
    Recorded & {
      tables: (Table | undefined)[];
      arrow: Buffer[];
      rows: Table[];
      csv: string[];
      json: string[];
    }
  > {
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
    const arrow: Buffer[] = [];
    const rows: Table[] = [];
    const csv: string[] = [];
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
          .write(found!, ALL))
          pieces.push(piece);
        return Buffer.concat(pieces);
      };
      if (found) arrow.push(await bytes('arrow'));
      tables.push(found && tableFromIPC(arrow.at(-1)));
      if (found instanceof DatabaseTable) {
        const question = { kind: 'rows', offset: 0, limit: 10 } as const;
        rows.push(tableFromIPC(await found.query({ question })));
      }
      const isSmall = found && found.rows < 100_000;
      csv.push(isSmall ? String(await bytes('csv')) : '');
      json.push(isSmall ? String(await bytes('json')) : '');
    }
    await results.close();
    return { ...recorded, tables, arrow, rows, csv, json };
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

  /** Two values of a column, its stored type, and how the first is shown and saved as JSON. */
  const columns: readonly (readonly [code: string, type: string, text: string, json?: string])[] = [
    ['[True, None]', 'Bool', 'true', 'true'],
    [
      "pd.array([9007199254740993, None], 'Int64')",
      'Int64',
      '9007199254740993',
      '9007199254740993',
    ],
    [
      "np.array([2**64 - 1, 0], 'uint64')",
      'Uint64',
      '18446744073709551615',
      '18446744073709551615',
    ],
    ['[0.1 + 0.2, np.nan]', 'Float64', '0.30000000000000004', '0.30000000000000004'],
    ["np.array([0.1, 7], 'float32')", 'Float32', '0.1', '0.1'],
    ['[2**70, 1]', 'Utf8', '1180591620717411303424'],
    ['objects(9007199254740993, 1.5)', 'Utf8', '9007199254740993'],
    ['objects(1, True)', 'Utf8', '1'],
    ["objects(1, 'a')", 'Utf8', '1'],
    ['[1+2j, None]', 'Utf8', '(1+2j)'],
    ['pd.Categorical([10, None])', 'Int64', '10', '10'],
    ["pd.Categorical(['b', 'a'])", 'Utf8 enum', 'b'],
    ['pd.arrays.SparseArray([3, 0])', 'Int64', '3', '3'],
    [
      "[decimal.Decimal('12345678901234567890.0000000001'), None]",
      'Decimal[30e+10]',
      '12345678901234567890.0000000001',
      '12345678901234567890.0000000001',
    ],
    ["[decimal.Decimal('1E+40'), None]", 'Utf8', `1${'0'.repeat(40)}`],
    ["['tab\\t', None]", 'Utf8', 'tab\t'],
    ["objects('\\ud83d', None)", 'Utf8', '\\ud83d'],
    ["[b'a\\x00', None]", 'Binary', 'a\\x00', '"YQA="'],
    ["pd.period_range('2024-01', periods=2, freq='M')", 'Utf8 period', '2024-01'],
    ["pd.Categorical(pd.period_range('2024-01', periods=2, freq='M'))", 'Utf8 period', '2024-01'],
    ['pd.IntervalIndex.from_breaks([0, 1, 2])', 'Utf8', '(0, 1]'],
    ["pd.to_timedelta(['2 days 02:30:00.5', None])", 'Duration<MICROSECOND>', '50:30:00.5'],
    ['[datetime.timedelta(days=-1), None]', 'Duration<MICROSECOND>', '-24:00:00'],
    ['[datetime.date(1, 2, 3), None]', 'Date32<DAY>', '0001-02-03'],
    ['[datetime.time(1, 2, 3, 4), None]', 'Time64<MICROSECOND>', '01:02:03.000004'],
    ['[datetime.time(1, 2, tzinfo=datetime.timezone.utc), None]', 'Utf8', '01:02:00+00:00'],
    ['[datetime.date(2024, 1, 1), datetime.datetime(2024, 1, 1, 5)]', 'Utf8', '2024-01-01'],
    [
      "pd.to_datetime(['2024-01-01 10:00:00', None])",
      'Timestamp<MICROSECOND>',
      '2024-01-01 10:00:00',
      '"2024-01-01T10:00:00"',
    ],
    [
      "objects(pd.Timestamp('2024-01-01 00:00:00.123456789'), None)",
      'Timestamp<NANOSECOND>',
      '2024-01-01 00:00:00.123456789',
      '"2024-01-01T00:00:00.123456789"',
    ],
    [
      "[pd.Timestamp('2024-01-01 00:30+01:00'), pd.Timestamp('2024-01-01 00:00+05:30')]",
      'Utf8',
      '2024-01-01 00:30:00+01:00',
    ],
    ['[[1, 2], None]', 'List<Int64>', '[1,2]', '[1,2]'],
    ["[{'a': 1}, {'a': None}]", 'Struct<{a:Int64}>', '{"a":1}', '{"a":1}'],
    ["[{'red': 1}, {'blue': 2}]", 'Utf8 json', '{"red":1}'],
    ["[{pd.Timestamp('2024-01-01'): 2}, None]", 'Utf8 json', '{"2024-01-01 00:00:00":2}'],
    [
      '[{(1, 2): 2**70, np.int64(3): np.nan}, None]',
      'Utf8 json',
      '{"[1,2]":1180591620717411303424,"3":null}',
    ],
    ["[(1, 'x'), None]", 'Utf8 json', '[1,"x"]'],
    ['[np.array([[1, 2], [3, 4]]), None]', 'Utf8 json', '[[1,2],[3,4]]'],
    [
      "[[pd.Timestamp('2024-01-01 00:30+01:00')], None]",
      'Utf8 json',
      '["2024-01-01T00:30:00+01:00"]',
    ],
    ['[{1, 2}, None]', 'Utf8', '{1, 2}'],
    ['[circular, None]', 'Utf8 json', '"<list>"'],
    ['[Silent(), None]', 'Utf8', '<Silent>'],
    ['[Colour.RED, None]', 'Utf8', 'Colour.RED'],
    ['[uuid.UUID(int=1), None]', 'Utf8', '00000000-0000-0000-0000-000000000001'],
  ];

  it('store values unchanged or as their text, and show the same', async () => {
    const codes = columns.map(([code]) => code).join(',\n');
    const { arrow, csv, json, outputs, tables } = await run(
      `import enum, uuid
class Silent:
    def __repr__(self): raise ValueError('silent')
class Colour(enum.Enum): RED = 1
circular = []
circular.append(circular)
def objects(*values): return pd.Series(values, dtype=object)
frame = pd.DataFrame({f'c{at}': column for at, column in enumerate([${codes}])})
frame`,
    );
    const shown = outputs
      .find(({ type }) => type === 'TABLE')!
      .data.split('\n')[1]!
      .split('\t');
    for (const [at, [code, type, text, inJson = JSON.stringify(text)]] of columns.entries()) {
      const { type: stored, metadata } = tables[0]!.schema.fields[at]!;
      const end = at + 1 < columns.length ? ',' : '}';
      expect(
        [
          [stored, metadata.get('tiding.meaning')].filter(Boolean).join(' '),
          shown[at],
          json[0]!.includes(`"c${at}":${inJson}${end}`),
        ],
        code,
      ).toEqual([type, text.replace('\t', ' '), true]);
    }
    const fields = columns.map(([, , text]) =>
      /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text,
    );
    expect(csv[0]!.split('\r\n')[1]).toBe(fields.join(','));
    // pandas and pyarrow agree on the stored values.
    writeFileSync(join(host.files, 'stored.arrow'), arrow[0]!);
    const differing = await run(`stored = pa.ipc.open_stream('stored.arrow').read_all()
print([name for name in frame if not pa.types.is_string(stored[name].type) and
  stored[name].to_pylist() != [None if v is None or v is pd.NA or v is pd.NaT or v != v else v
    for v in frame[name]]])`);
    expect(differing.outputs[0]!.data).toBe('[]\n');
  });

  it('keep time zones and nanoseconds, in the note and in large tables', async () => {
    for (const rows of [2, 350_000]) {
      const {
        outputs,
        tables,
        rows: queried,
      } = await run(`pd.DataFrame({
  'zone': pd.date_range('2024-01-01 00:30', periods=${rows}, freq='s', tz='Asia/Tokyo'),
  'exact': pd.to_datetime(['2024-01-01 00:00:00.123456789'] * ${rows}),
  'month': pd.period_range('2024-01', periods=2, freq='M').repeat(${rows / 2})})`);
      expect(outputs[0]!.data.split('\n')[1]).toBe(
        '2024-01-01 00:30:00+09:00\t2024-01-01 00:00:00.123456789\t2024-01',
      );
      for (const table of [tables[0]!, ...queried]) {
        expect(table.schema.fields.slice(0, 3).map(({ type }) => String(type))).toEqual([
          'Timestamp<MICROSECOND, Asia/Tokyo>',
          'Timestamp<NANOSECOND>',
          'Utf8',
        ]);
        expect(table.schema.fields[2]!.metadata.get('tiding.meaning')).toBe('period');
        expect(table.getChildAt(0)!.get(0)).toBe(Date.UTC(2023, 11, 31, 15, 30));
        expect(table.getChildAt(2)!.get(0)).toBe('2024-01');
      }
      expect(queried).toHaveLength(rows > 2 ? 1 : 0);
    }
  });

  it('keep the order of categories, in the note and in large tables', async () => {
    const sizes = `pd.Series(['L', 'S', "it's", None])`;
    for (const repeat of [1, 90_000]) {
      const { tables, rows } = await run(`sizes = ${sizes}.repeat(${repeat})
order = ['S', "it's", 'L']
pd.DataFrame({'size': pd.Categorical(sizes, categories=order), 'n': range(len(sizes)),
  'by number': pd.Categorical([10 if s == 'L' else 2 for s in sizes])})`);
      for (const { schema } of [tables[0]!, ...rows]) {
        const [size, , number] = schema.fields;
        expect(size!.metadata.get('tiding.meaning')).toBe('enum');
        expect(JSON.parse(size!.metadata.get('tiding.order')!)).toEqual(['S', "it's", 'L']);
        expect(String(number!.type)).toBe('Int64');
      }
      expect(rows).toHaveLength(repeat > 1 ? 1 : 0);
    }
    const { tables } = await run(
      `codes = pa.array([1, 0], pa.int8())
words = lambda ordered: pa.DictionaryArray.from_arrays(codes, ['b', 'a', 'c'], ordered=ordered)
pa.table({'ordered': words(True), 'words': words(False)})`,
    );
    expect(tables[0]!.schema.fields.map(({ metadata }) => metadata.get('tiding.order'))).toEqual([
      '["b", "a", "c"]',
      undefined,
    ]);
  });

  it('store dictionaries with different keys in little space', async () => {
    const { arrow } = await run("pd.DataFrame({'d': [{f'k{i}': i} for i in range(3000)]})");
    expect(arrow[0]!.length).toBeLessThan(100_000);
  });

  it('store the types of pyarrow and polars', async () => {
    const { json, outputs } = await run(`pa.table({
  'wide': pa.array([decimal.Decimal('1.5')], pa.decimal256(50, 10)),
  'half': pa.array([np.float16(1.5)], pa.float16()),
  'span': pa.array([pa.MonthDayNano([14, 2, 3])], pa.month_day_nano_interval()),
  'nothing': pa.nulls(1), 'map': pa.array([[('k', 1)]], pa.map_(pa.string(), pa.int64())),
  'word': pa.array(['x']).dictionary_encode(), 'clock': pa.array([1], pa.time64('ns')),
  'day': pa.array([-1_000_000], pa.date32()), 'nan': pa.array([float('nan')]),
  'fixed': pa.array([b'ab'], pa.binary(2)), 'runs': pa.RunEndEncodedArray.from_arrays([1], [7]),
  'month': pa.array(pd.period_range('2024-01', periods=1, freq='M'))})`);
    const texts = ['1.5000000000', '1.5', '1 year 2 months 2 days 00:00:00.000000003', 'null'];
    expect(outputs[0]!.data.split('\n')[1]!.split('\t')).toEqual([
      ...texts,
      ...['{"k":1}', 'x', '00:00:00.000000001', '-0768-02-04', 'NaN', 'ab', '7', '2024-01'],
    ]);
    expect(json[0]!.replace(/"day":"[^"]*",/, '')).toBe(
      '[\n{"wide":"1.5000000000","half":1.5,"span":"1 year 2 months 2 days ' +
        '00:00:00.000000003","nothing":null,"map":{"k":1},"word":"x",' +
        '"clock":"00:00:00.000000001","nan":null,"fixed":"YWI=","runs":7,"month":"2024-01"}\n]\n',
    );
    const polars = await run(`import polars as pl
pl.DataFrame({'f': [1.5, float('nan'), None], 's': [{'a': 1}, {'a': None}, None],
  'big': pl.Series([2**70, 1, None], dtype=pl.Int128),
  'o': pl.Series([1j, {1}, None], dtype=pl.Object),
  'e': pl.Series(['x', 'y', None], dtype=pl.Enum(['y', 'x']))})`);
    if (/No module named 'polars'/.test(JSON.stringify(polars.end)))
      return console.log('skipped: %python has no polars');
    expect(polars.outputs[0]!.data.split('\n').slice(1, 4)).toEqual([
      `1.5\t{"a":1}\t${2n ** 70n}\t1j\tx`,
      'NaN\t{"a":null}\t1\t{1}\ty',
      'null\tnull\tnull\tnull\tnull',
    ]);
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
