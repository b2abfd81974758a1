/** Tables as Parquet files, written by DuckDB. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toArrow, type TableData } from 'tiding/model';
import { Refusal } from '../errors.ts';
import { quoteName, quoteText } from '../interpreters/sql-script.ts';

/** Names that DuckDB tells apart, which it does without case, and none of them empty. */
function columnNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name, index) => {
    const wanted = name || `column_${index + 1}`;
    let free = wanted;
    for (let count = 2; taken.has(free.toLowerCase()); count += 1) free = `${wanted}_${count}`;
    taken.add(free.toLowerCase());
    return free;
  });
}

/** The table as a Parquet file, with the types of its Arrow form. Refuses a table without columns with 406. */
export async function toParquet(table: TableData): Promise<Uint8Array> {
  const arrow = await toArrow(table);
  const { fields } = arrow.schema;
  if (fields.length === 0) throw new Refusal(406, 'A table without columns cannot be had as Parquet.');
  const names = columnNames(fields.map(({ name }) => name));
  const types = fields.map(({ type }) => ({ Int32: 'INTEGER', Float64: 'DOUBLE' })[String(type)] ?? 'VARCHAR');
  const columns = fields.map((_, index) => arrow.getChildAt(index));
  // Loaded when it is wanted.
  const { DuckDBInstance } = await import('@duckdb/node-api');
  const folder = await mkdtemp(join(tmpdir(), 'tiding-parquet-'));
  const file = join(folder, 'table.parquet');
  const instance = await DuckDBInstance.create(':memory:', { threads: '1', autoinstall_known_extensions: 'false' });
  const connection = await instance.connect();
  try {
    await connection.run(`CREATE TABLE result (${names.map((name, index) => `${quoteName(name)} ${types[index]}`).join(', ')})`);
    const appender = await connection.createAppender('result');
    for (let row = 0; row < arrow.numRows; row += 1) {
      for (const [index, column] of columns.entries()) {
        const value: unknown = column?.get(row) ?? null;
        if (value === null) appender.appendNull();
        else if (types[index] === 'INTEGER') appender.appendInteger(value as number);
        else if (types[index] === 'DOUBLE') appender.appendDouble(value as number);
        else appender.appendVarchar(String(value));
      }
      appender.endRow();
    }
    appender.closeSync();
    await connection.run(`COPY result TO ${quoteText(file)} (FORMAT parquet, COMPRESSION zstd)`);
    return await readFile(file);
  } finally {
    connection.disconnectSync();
    instance.closeSync();
    await rm(folder, { recursive: true, force: true });
  }
}
