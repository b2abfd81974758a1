import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tableFromIPC } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { parseTable, toCsv, type TableData } from 'tiding/model';
import { chooseFormat, formats } from './formats.ts';

async function written(name: string, table: TableData): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of formats.find((format) => format.name === name)!.write(table)) pieces.push(piece);
  return Buffer.concat(pieces);
}
const text = async (name: string, table: TableData) => Buffer.from(await written(name, table)).toString('utf8');
const small = parseTable('name\t2020\tname\na, "b"\t0\tx\nnull\t1.5\n=1\n');
const large = parseTable(`n\ttext\n${Array.from({ length: 2_500 }, (_, n) => `${n}\tü${n}`).join('\n')}\n`);

describe('formats', () => {
  it('CSV is RFC 4180, in one piece or in several', async () => {
    expect(await text('csv', small)).toBe('name,2020,name\r\n"a, ""b""",0,x\r\nnull,1.5,\r\n=1,,\r\n');
    expect(await text('csv', large)).toBe(toCsv(large, { bom: false }));
    for (const rows of [1_000, 2_000, 1_001]) {
      const table = { ...large, rows: large.rows.slice(0, rows) };
      expect(await text('csv', table)).toBe(toCsv(table, { bom: false }));
    }
  });

  it('JSON keeps the order of the columns, tells numbers from texts, and names each column once', async () => {
    expect(await text('json', small)).toBe('[\n{"name":"a, \\"b\\"","2020":0,"name_2":"x"},\n{"name":null,"2020":1.5,"name_2":null},\n{"name":"=1","2020":null,"name_2":null}\n]\n');
    const rows = JSON.parse(await text('json', large)) as { n: number; text: string }[];
    expect(rows).toHaveLength(2_500);
    expect(rows[1_999]).toEqual({ n: 1_999, text: 'ü1999' });
  });

  it('Arrow is a stream that a reader reads back', async () => {
    const table = tableFromIPC(await written('arrow', large));
    expect(table.schema.fields.map(({ name, type }) => `${name} ${type}`)).toEqual(['n Int32', 'text Utf8']);
    expect([table.numRows, table.getChild('n')!.get(2_499), table.getChild('text')!.get(0)]).toEqual([2_500, 2_499, 'ü0']);
  });

  it('Parquet is a file that DuckDB reads back, whatever its columns are called', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tiding-parquet-test-'));
    const file = join(folder, 'a.parquet');
    await writeFile(file, await written('parquet', parseTable('A "x"\ta "X"\t\tn\td\n\u00fc\tnull\t\t1\t0.5\n\ty\tz\t-2\t1\n')));
    const { DuckDBInstance } = await import('@duckdb/node-api');
    const instance = await DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    const read = await connection.runAndReadAll(`from read_parquet('${file}')`);
    expect([read.columnNames(), read.columnTypes().map(String)]).toEqual([['A "x"', 'a "X"_2', 'column_3', 'n', 'd'], ['VARCHAR', 'VARCHAR', 'VARCHAR', 'INTEGER', 'DOUBLE']]);
    expect(read.getRows()).toEqual([['ü', null, '', 1, 0.5], ['', 'y', 'z', -2, 1]]);
    connection.disconnectSync();
    instance.closeSync();
    await rm(folder, { recursive: true });
  });

  it.each(formats.map(({ name }) => name))('%s holds a table without rows, and one without columns', async (name) => {
    expect((await written(name, parseTable('a\tb\n'))).length).toBeGreaterThan(0);
    if (name === 'parquet') await expect(written(name, parseTable(''))).rejects.toMatchObject({ status: 406 });
    else await written(name, parseTable(''));
  });
  it('an empty table is an empty list', async () => {
    expect(JSON.parse(await text('json', parseTable('a\n')))).toEqual([]);
    expect(await text('csv', parseTable('a\n'))).toBe('a\r\n');
  });
});

describe('the format asked for', () => {
  it.each([
    [null, undefined, 'csv'], [null, '', 'csv'], [null, '*/*', 'csv'], [null, 'text/html,application/xhtml+xml,*/*;q=0.8', 'csv'],
    [null, 'application/json', 'json'], [null, 'application/*', 'json'], [null, 'text/*', 'csv'],
    [null, 'Application/JSON;q=0.5, text/csv;q=0.4', 'json'], [null, 'application/json;q=0, */*', 'csv'],
    [null, 'application/vnd.apache.arrow.stream, application/json;q=0.9', 'arrow'], [null, '*/*;q=0.1, application/json', 'json'],
    ['json', 'text/csv', 'json'], ['ARROW', undefined, 'arrow'], ['parquet', undefined, 'parquet'], [null, 'application/vnd.apache.parquet', 'parquet'], ['text/csv', undefined, 'csv'],
  ])('?format=%s with Accept %s is %s', (wanted, accept, name) => {
    expect(chooseFormat(wanted, accept).name).toBe(name);
  });

  it.each([['xml', undefined, 400], ['', undefined, 400], [null, 'text/html', 406], [null, 'text/csv;q=0', 406], [null, 'x;;;,,', 406]])('?format=%s with Accept %s is refused with %i', (wanted, accept, status) => {
    expect(() => chooseFormat(wanted, accept)).toThrow(expect.objectContaining({ status }) as Error);
  });
});
