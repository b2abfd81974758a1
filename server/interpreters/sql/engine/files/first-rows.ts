/** Applies the types that were chosen for a table, and reads its first rows. */
import type { DuckDBConnection } from '@duckdb/node-api';
import { tableSource } from '@tiding/client/model';
import { quoteName, quoteText } from '../../script.ts';
import { selectedNumber } from '../database.ts';
import type { Preview } from '../messages.ts';
import type { ConvertedColumn } from './delimited/columns.ts';
import type { Guesses } from './guesses.ts';

/** A column of a table. */
export interface Column {
  readonly name: string;
  readonly type: string;
}

/** A table as its reader found it. */
export interface FoundTable {
  readonly reader: 'read_csv' | 'read_json' | 'read_parquet';
  readonly options: readonly string[];
  readonly converted: readonly ConvertedColumn[];
  readonly rows: number;
  /** The columns that the engine finds, if they are known already. */
  readonly described?: readonly Column[];
  /** All columns of a file in which the engine doesn't find them itself. */
  readonly columns?: readonly Column[];
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
  const rows = await selectedNumber(connection, `select count(*)${values} ${source}`);
  return { reader, options, converted: [], rows };
}

/** Returns what else is needed to read a table, and its first rows. */
export async function finishTable(
  connection: DuckDBConnection,
  path: string,
  found: FoundTable,
  guesses: Guesses,
): Promise<{
  readonly table: { columns: number; options: readonly string[]; converted: readonly string[] };
  readonly first: Preview;
}> {
  const { reader, converted } = found;
  const columns =
    found.described ??
    (await describe(connection, tableSource({ path, reader, ...withTypes(found, converted) })));
  const changed = columns.flatMap(({ name, type }): ConvertedColumn[] => {
    const chosen = guesses.take(`type.${name}`, type, TYPES);
    if (chosen === type) return [];
    const sql = converted.find((each) => each.name === name)?.sql ?? quoteName(name);
    if (chosen !== 'VARCHAR') return [{ name, sql: `try_cast(${sql} as ${chosen})` }];
    return [reader === 'read_csv' ? { name } : { name, sql: `${sql}::varchar` }];
  });
  const kept = converted.filter(({ name }) => !changed.some((each) => each.name === name));
  const needed = withTypes(found, [...kept, ...changed]);
  const plain = tableSource({ path, reader, options: needed.options, converted: [] });
  for (const { name, sql } of changed) {
    if (sql === undefined) continue;
    const difference = `select count(${quoteName(name)}) - count(${sql}) ${plain}`;
    const lost = await selectedNumber(connection, difference);
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

/** Returns the option that names all columns. */
export const columnsOption = (columns: readonly Column[]): string => {
  const types = columns.map(({ name, type }) => `${quoteName(name)}: ${quoteText(type)}`);
  return `columns = {${types.join(', ')}}`;
};

/** Returns the options that name all columns of a text file. */
export const explicitColumns = (columns: readonly Column[]): string[] => [
  'auto_detect = false',
  columnsOption(columns),
];

/** Reads the columns that are converted as text, and returns the SQL of their values. */
function withTypes(
  { reader, options, columns }: FoundTable,
  converted: readonly ConvertedColumn[],
) {
  const texts = converted.map(({ name }) => ({ name, type: 'VARCHAR' }));
  const typeOptions = () =>
    columns
      ? explicitColumns(columns.map((each) => texts.find(({ name }) => name === each.name) ?? each))
      : texts.length > 0
        ? [`types = {${texts.map(({ name }) => `${quoteName(name)}: 'VARCHAR'`).join(', ')}}`]
        : [];
  return {
    options: reader === 'read_csv' ? [...options, ...typeOptions()] : options,
    converted: converted.flatMap(({ name, sql }) =>
      sql === undefined ? [] : `${sql} as ${quoteName(name)}`,
    ),
  };
}
