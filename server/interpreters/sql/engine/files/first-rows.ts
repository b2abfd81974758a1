/** Applies the types that were chosen for a table, and reads its first rows. */
import type { DuckDBConnection } from '@duckdb/node-api';
import { tableSource } from '@tiding/client/model';
import { quoteName } from '../../script.ts';
import type { Preview } from '../messages.ts';
import type { ConvertedColumn } from './delimited/columns.ts';
import type { Guesses } from './guesses.ts';

/** A table as its reader found it. */
export interface FoundTable {
  readonly reader: 'read_csv' | 'read_json' | 'read_parquet';
  readonly options: readonly string[];
  readonly converted: readonly ConvertedColumn[];
  readonly rows: number;
}

const TYPES = ['VARCHAR', 'BIGINT', 'DOUBLE', 'BOOLEAN', 'DATE', 'TIMESTAMP'];
const MAX_ROWS = 20;
const MAX_COLUMNS = 100;
const MAX_CELL = 200;

/** Returns the names and types of the columns of a table. */
export async function describe(connection: DuckDBConnection, source: string) {
  const described = await connection.runAndReadAll(`describe select * ${source}`);
  return described.getRows().map(([name, type]) => ({ name: String(name), type: String(type) }));
}

/** Counts the rows of a table. The values of JSON are read, because a later one may not fit. */
export async function readWhole(
  connection: DuckDBConnection,
  reader: FoundTable['reader'],
  path: string,
  options: readonly string[] = [],
): Promise<FoundTable> {
  const values = reader === 'read_json' ? ', count(columns(*))' : '';
  const source = tableSource({ path, reader, options, converted: [] });
  const counted = await connection.runAndReadAll(`select count(*)${values} ${source}`);
  return { reader, options, converted: [], rows: Number(counted.getRows()[0]![0]) };
}

/** Returns what else is needed to read a table, and its first rows. */
export async function finishTable(
  connection: DuckDBConnection,
  path: string,
  { reader, options, converted }: FoundTable,
  guesses: Guesses,
): Promise<{
  readonly table: { columns: number; options: readonly string[]; converted: readonly string[] };
  readonly first: Preview;
}> {
  const columns = await describe(
    connection,
    tableSource({ path, reader, ...withTypes(reader, options, converted) }),
  );
  const changed = columns.flatMap(({ name, type }): ConvertedColumn[] => {
    const chosen = guesses.take(`type.${name}`, type, TYPES);
    if (chosen === type) return [];
    const sql = converted.find((each) => each.name === name)?.sql ?? quoteName(name);
    if (chosen !== 'VARCHAR') return [{ name, sql: `try_cast(${sql} as ${chosen})` }];
    return [reader === 'read_csv' ? { name } : { name, sql: `${sql}::varchar` }];
  });
  const kept = converted.filter(({ name }) => !changed.some((each) => each.name === name));
  const needed = withTypes(reader, options, [...kept, ...changed]);
  const plain = tableSource({ path, reader, options: needed.options, converted: [] });
  for (const { name, sql } of changed) {
    if (sql === undefined) continue;
    const counted = await connection.runAndReadAll(
      `select count(${quoteName(name)}) - count(${sql}) ${plain}`,
    );
    const lost = Number(counted.getRows()[0]![0]);
    if (lost > 0)
      guesses.remarks.push(
        `${name}: ${lost} ${lost === 1 ? 'value does' : 'values do'} not have the chosen type, ` +
          `and ${lost === 1 ? 'is' : 'are'} missing`,
      );
  }
  const names = columns.slice(0, MAX_COLUMNS).map(({ name }) => name);
  const list = names.map((name) => `left(${quoteName(name)}::varchar, ${MAX_CELL})`);
  const read = await connection.runAndReadAll(
    `select ${list.join(', ')} ${tableSource({ path, reader, ...needed })} limit ${MAX_ROWS}`,
  );
  return {
    table: { columns: columns.length, ...needed },
    first: { columns: names, rows: read.getRows() as (string | null)[][] },
  };
}

/** Reads the columns that are converted as text, and returns the SQL of their values. */
function withTypes(
  reader: FoundTable['reader'],
  options: readonly string[],
  converted: readonly ConvertedColumn[],
) {
  const types = converted.map(({ name }) => `${quoteName(name)}: 'VARCHAR'`);
  return {
    options:
      reader === 'read_csv' && types.length > 0
        ? [...options, `types = {${types.join(', ')}}`]
        : options,
    converted: converted.flatMap(({ name, sql }) =>
      sql === undefined ? [] : `${sql} as ${quoteName(name)}`,
    ),
  };
}
