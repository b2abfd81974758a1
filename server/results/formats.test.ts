import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance, type DuckDBResultReader } from '@duckdb/node-api';
import { parseTable, toCsv } from '@tiding/client/model';
import {
  type Data,
  type DataType,
  DateMillisecond,
  Field,
  Float16,
  Float64,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  TimeSecond,
  TimestampMillisecond,
  TimestampNanosecond,
  TimestampSecond,
  tableFromIPC,
} from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/until-end.ts';
import { chooseFormat, formats } from './formats.ts';
import { ALL, StoredTable } from './stored-table.ts';
import { streamed } from './stream.ts';
import { TextTable } from './text-table.ts';

const parquet = formats.find(({ name }) => name === 'parquet')!;

/** Writes a Parquet file and answers queries over it, in which FILE is its path. */
async function readParquet(pieces: AsyncIterable<Uint8Array>, ...queries: string[]) {
  const folder = temporaryFolder();
  const file = join(folder, 'a.parquet');
  await writeFile(file, pieces);
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const answers: DuckDBResultReader[] = [];
  for (const query of queries)
    answers.push(await connection.runAndReadAll(query.replaceAll('FILE', `'${file}'`)));
  connection.disconnectSync();
  instance.closeSync();
  return answers;
}

async function written(name: string, table: string): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of formats
    .find((format) => format.name === name)!
    .write(new TextTable(table), ALL))
    pieces.push(piece);
  return Buffer.concat(pieces);
}
const text = async (name: string, table: string) =>
  Buffer.from(await written(name, table)).toString('utf8');
const small = 'name\t2020\tname\na, "b"\t0\tx\nnull\t1.5\n=1\n';
const numbered = (length: number) =>
  `n\ttext\n${Array.from({ length }, (_, n) => `${n}\tü${n}`).join('\n')}\n`;
const large = numbered(2_500);

describe('formats', () => {
  it('encodes CSV by RFC 4180, in one piece or in several', async () => {
    expect(await text('csv', small)).toBe(
      'name,2020,name\r\n"a, ""b""",0,x\r\nnull,1.5,\r\n=1,,\r\n',
    );
    expect(await text('csv', large)).toBe(toCsv(parseTable(large), { bom: false }));
    for (const rows of [1_000, 2_000, 1_001]) {
      expect(await text('csv', numbered(rows))).toBe(
        toCsv(parseTable(numbered(rows)), { bom: false }),
      );
    }
  });

  it('encodes JSON with column order, number types and unique names', async () => {
    expect(await text('json', small)).toBe(
      '[\n{"name":"a, \\"b\\"","2020":0,"name_2":"x"},\n' +
        '{"name":null,"2020":1.5,"name_2":null},\n{"name":"=1","2020":null,"name_2":null}\n]\n',
    );
    const rows = JSON.parse(await text('json', large)) as { n: number; text: string }[];
    expect(rows).toHaveLength(2_500);
    expect(rows[1_999]).toEqual({ n: 1_999, text: 'ü1999' });
  });

  it('encodes Arrow streams that a reader can decode', async () => {
    const table = tableFromIPC(await written('arrow', large));
    expect(table.schema.fields.map(({ name, type }) => `${name} ${type}`)).toEqual([
      'n Int32',
      'text Utf8',
    ]);
    expect([
      table.numRows,
      table.getChild('n')!.get(2_499),
      table.getChild('text')!.get(0),
    ]).toEqual([2_500, 2_499, 'ü0']);
  });

  it('encodes Parquet files that DuckDB can read, with any column names', async () => {
    const [read] = await readParquet(
      parquet.write(new TextTable('A "x"\ta "X"\t\tn\td\nü\tnull\t\t1\t0.5\n\ty\tz\t-2\t1\n'), ALL),
      'from FILE',
    );
    expect([read!.columnNames(), read!.columnTypes().map(String)]).toEqual([
      ['A "x"', 'a "X"_2', 'column_3', 'n', 'd'],
      ['VARCHAR', 'VARCHAR', 'VARCHAR', 'INTEGER', 'DOUBLE'],
    ]);
    expect(read!.getRows()).toEqual([
      ['ü', null, '', 1, 0.5],
      ['', 'y', 'z', -2, 1],
    ]);
  });

  it('encodes types in Parquet that only other interpreters write', async () => {
    const of = (type: DataType, data: ArrayLike<number | bigint>, valid = 0b111) =>
      makeData({ type, data, length: 3, nullCount: -1, nullBitmap: Uint8Array.of(valid) } as never);
    const columns: [string, Data, ...(string | null)[]][] = [
      [
        'FLOAT',
        of(new Float16(), Uint16Array.of(0x3c00, 0xc001, 0xfc00)),
        '1.0',
        '-2.0019531',
        '-inf',
      ],
      [
        'DOUBLE',
        of(new Float64(), Float64Array.of(-0, Number.NaN, Infinity)),
        '-0.0',
        'nan',
        'inf',
      ],
      [
        'DATE',
        of(new DateMillisecond(), BigInt64Array.of(-1n, 0n, -62198755200000n)),
        '1969-12-31',
        '1970-01-01',
        '0002-01-01 (BC)',
      ],
      [
        'TIME',
        of(new TimeSecond(), Int32Array.of(0, 1, 86_399)),
        '00:00:00',
        '00:00:01',
        '23:59:59',
      ],
      [
        'TIMESTAMP',
        of(new TimestampSecond(), BigInt64Array.of(-1n, 1n, -62198755200n)),
        '1969-12-31 23:59:59',
        '1970-01-01 00:00:01',
        '0002-01-01 (BC) 00:00:00',
      ],
      [
        'TIMESTAMP_NS',
        of(new TimestampNanosecond(), BigInt64Array.of(-1n, 1n, 0n)),
        '1969-12-31 23:59:59.999999999',
        '1970-01-01 00:00:00.000000001',
        '1970-01-01 00:00:00',
      ],
      [
        'TIMESTAMP WITH TIME ZONE',
        of(new TimestampMillisecond('Asia/Tokyo'), BigInt64Array.of(-1n, 1n, 0n), 0b011),
        '1969-12-31 23:59:59.999+00',
        '1970-01-01 00:00:00.001+00',
        null,
      ],
    ];
    const fields = columns.map(([, { type }], at) => new Field(`c${at}`, type, true));
    const children = columns.map(([, data]) => data);
    const type = new Struct(fields);
    const batch = new RecordBatch(new Schema(fields), makeData({ type, length: 3, children }));
    const table = {
      rows: 3,
      schema: async () => batch.schema,
      async *batches() {
        yield batch;
      },
    } as unknown as StoredTable;
    const [types, , values] = await readParquet(
      parquet.write(table, ALL),
      'select typeof(columns(*)) from FILE limit 1',
      "set timezone = 'UTC'",
      'select columns(*)::varchar from FILE',
    );
    expect(types!.getRows()[0]).toEqual(columns.map(([name]) => name));
    expect(values!.getColumns()).toEqual(columns.map(([, , ...texts]) => texts));
  });

  it.each(formats.map(({ name }) => name))(
    'encodes tables without rows or columns as %s',
    async (name) => {
      expect((await written(name, 'a\tb\n')).length).toBeGreaterThan(0);
      if (name === 'parquet')
        await expect(parquet.check!(new TextTable(''))).rejects.toMatchObject({ status: 406 });
      else await written(name, '');
    },
  );
  it('encodes an empty table as an empty list', async () => {
    expect(JSON.parse(await text('json', 'a\n'))).toEqual([]);
    expect(await text('csv', 'a\n')).toBe('a\r\n');
  });
});

describe('the requested format', () => {
  it.each([
    [null, undefined, 'csv'],
    [null, '', 'csv'],
    [null, '*/*', 'csv'],
    [null, 'text/html,application/xhtml+xml,*/*;q=0.8', 'csv'],
    [null, 'application/json', 'json'],
    [null, 'application/*', 'json'],
    [null, 'text/*', 'csv'],
    [null, 'Application/JSON;q=0.5, text/csv;q=0.4', 'json'],
    [null, 'application/json;q=0, */*', 'csv'],
    [null, 'application/vnd.apache.arrow.stream, application/json;q=0.9', 'arrow'],
    [null, '*/*;q=0.1, application/json', 'json'],
    ['json', 'text/csv', 'json'],
    ['ARROW', undefined, 'arrow'],
    ['parquet', undefined, 'parquet'],
    [null, 'application/vnd.apache.parquet', 'parquet'],
    ['text/csv', undefined, 'csv'],
  ])('with ?format=%s and Accept %s is %s', (wanted, accept, name) => {
    expect(chooseFormat(wanted, accept).name).toBe(name);
  });

  it.each([
    ['xml', undefined, 400],
    ['', undefined, 400],
    [null, 'text/html', 406],
    [null, 'text/csv;q=0', 406],
    [null, 'x;;;,,', 406],
  ])('with ?format=%s and Accept %s is rejected with %i', (wanted, accept, status) => {
    expect(() => chooseFormat(wanted, accept)).toThrow(
      expect.objectContaining({ status }) as Error,
    );
  });
});

describe('a table read in batches', () => {
  const rowsOf = 200_000;
  /**
   * A table of 200,000 rows (about 20 MB), and the number of rows that were read.
   */
  function counted(): { table: StoredTable; read: () => number } {
    const source = new TextTable(
      `n\thalf\ttext\n${Array.from(
        { length: rowsOf },
        (_, n) => `${n}\t${n / 2}\tthe text of row ${n} ${'x'.repeat(70)}`,
      ).join('\n')}\n`,
    );
    let read = 0;
    class Counted extends StoredTable {
      readonly rows = rowsOf;
      schema() {
        return source.schema();
      }
      async *batches() {
        for await (const batch of source.batches()) {
          read += batch.numRows;
          yield batch;
        }
      }
    }
    return { read: () => read, table: new Counted() };
  }

  it.each(formats)('is encoded as $name on demand, in pieces of bounded size', async (format) => {
    const { table, read } = counted();
    const reader = (await streamed(format.write(table, ALL))).getReader();
    const seen: number[] = [];
    let bytes = 0;
    let ahead = 0;
    for (let at = 0; ; at += 1) {
      const { done, value } = await reader.read();
      if (done) break;
      bytes += value.length;
      ahead = Math.max(ahead, value.length);
      // A slow reader: nothing is generated meanwhile.
      if (at < 6) {
        const before = read();
        await new Promise((resolve) => setTimeout(resolve, 5));
        expect(read()).toBe(before);
        seen.push(before);
      }
    }
    expect(read()).toBe(rowsOf);
    expect(bytes).toBeGreaterThan(2 ** 20);
    // A piece is a batch or a row group, and never a tenth of the table.
    expect(ahead).toBeLessThan(2 ** 20);
    expect(Math.max(...seen)).toBeLessThan(rowsOf / 2);
  });

  it('is not generated further after its reader disconnects', async () => {
    const { table, read } = counted();
    const reader = (await streamed(formats[1]!.write(table, ALL))).getReader();
    await reader.read();
    await reader.cancel();
    const before = read();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(read()).toBe(before);
    expect(before).toBeLessThan(rowsOf);
  });

  it('becomes a Parquet file with several row groups that DuckDB can read', async () => {
    const [groups, sums, row] = await readParquet(
      parquet.write(counted().table, ALL),
      'select count(distinct row_group_id) from parquet_metadata(FILE)',
      'select count(*), sum(n), sum(half), min(text), max(length(text)) from FILE',
      'select n, half, text from FILE where n = 123457',
    );
    expect(groups!.getRows()[0]![0]).toBeGreaterThan(3n);
    expect(sums!.getRows()).toEqual([
      [
        BigInt(rowsOf),
        BigInt((rowsOf * (rowsOf - 1)) / 2),
        (rowsOf * (rowsOf - 1)) / 4,
        `the text of row 0 ${'x'.repeat(70)}`,
        93n,
      ],
    ]);
    expect(row!.getRows()).toEqual([
      [123_457, 61_728.5, `the text of row 123457 ${'x'.repeat(70)}`],
    ]);
  });
});
