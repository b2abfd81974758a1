/** Finds out how to read a data file. Sheets and tables of databases become Parquet files. */
import { chmod, open, rename, stat } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import * as api from '@duckdb/node-api';
import { FILE_NAME_LETTERS, tableSource } from '@tiding/client/model';
import { quoteName, quoteText } from '../../script.ts';
import { errorText } from '../database.ts';
import type { EngineRequest, Guess, Preview, ReadTables, ReadTablesAnswer } from '../messages.ts';
import { bytesAt } from './bytes-at.ts';
import { guessColumns } from './delimited/columns.ts';
import { readDelimited } from './delimited/read-delimited.ts';
import {
  type Column,
  columnsOption,
  describe,
  type FoundTable,
  finishTable,
  readWhole,
} from './first-rows.ts';
import { Guesses } from './guesses.ts';
import { FileProblem, TableProblem } from './problem.ts';
import type { TableSource } from './table-source.ts';
import { isCsv, openText, type TextFile } from './text-file.ts';
import { SOURCE_KEY, TableBudget, TypedTable } from './typed-table.ts';

/** Maximum number of tables of a file. */
const MAX_TABLES = 200;
const MEMORY_LIMIT = '512MiB';

/**
 * Reads the tables of a file. Sheets of workbooks and tables of databases become Parquet files
 * `<file> - <table>.parquet` in the same folder. One that an earlier call made from the same file
 * is replaced, others never. A preview reads one table and makes no file.
 */
export async function readTables(
  request: Extract<EngineRequest, { call: 'readTables' }>,
  signal: AbortSignal,
): Promise<ReadTablesAnswer> {
  const { file, folder, bytes, choices } = request;
  const guesses = new Guesses(choices);
  const instance = await api.DuckDBInstance.create(join(folder, 'rows.duckdb'), {
    memory_limit: MEMORY_LIMIT,
    temp_directory: folder,
  });
  const connection = await instance.connect();
  const interrupt = () => connection.interrupt();
  signal.addEventListener('abort', interrupt);
  try {
    if (/\.(?:[ct]sv|json|ndjson|jsonl|parquet)(?:\.gz)?$/i.test(file))
      return await readFlatFile(request, guesses, connection, signal);
    const source = await openSource(file, folder, bytes);
    try {
      return await convert(source, request, new TableBudget(bytes), connection, signal);
    } finally {
      source.close();
    }
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof FileProblem) return { problem: error.message };
    throw error;
  } finally {
    signal.removeEventListener('abort', interrupt);
    connection.disconnectSync();
    instance.closeSync();
  }
}

/** Reads a file that is one table, which the engine reads itself. */
async function readFlatFile(
  { file, folder, bytes, preview }: Extract<EngineRequest, { call: 'readTables' }>,
  guesses: Guesses,
  connection: api.DuckDBConnection,
  signal: AbortSignal,
): Promise<ReadTables> {
  const isParquet = /\.parquet$/i.test(file);
  const text = isParquet
    ? { file, path: basename(file), place: async () => basename(file) }
    : await openText(file, { folder, bytes, guesses, asks: preview }, signal);
  try {
    const found = isParquet
      ? await readWhole(connection, 'read_parquet', text.file)
      : isCsv(file)
        ? await readDelimited(text as TextFile, connection, signal)
        : await readJson(text as TextFile, connection);
    const { table, first } = await finishTable(connection, text.file, found, guesses);
    guesses.end();
    return {
      tables: [
        {
          name: basename(file).replace(/\.\w+(?:\.gz)?$/, ''),
          path: preview ? text.path : await text.place(),
          rows: found.rows,
          reader: found.reader,
          ...table,
        },
      ],
      skipped: [],
      remarks: guesses.remarks,
      guesses: guesses.list,
      preview: first,
    };
  } catch (error) {
    if (error instanceof FileProblem) throw error;
    throw new FileProblem(`can't be read: ${errorText(error)}`);
  }
}

/** Most digits of a whole number that surely fit into 128 bits. */
const MAX_DIGITS = 38;
/** From this size on, JSON may have more rows than the engine examines by default. */
const LARGE_JSON_BYTES = 100_000;

async function readJson(
  { file, guesses }: TextFile,
  connection: api.DuckDBConnection,
): Promise<FoundTable> {
  const format = guesses.take('format', 'auto', ['array', 'newline_delimited']);
  const { size } = await stat(file);
  const options = [
    ...(format === 'auto' ? [] : [`format = '${format}'`]),
    ...(size > LARGE_JSON_BYTES ? ['sample_size = -1'] : []),
  ];
  const found = await readWhole(connection, 'read_json', file, options);
  const columns = await describe(connection, tableSource({ ...found, path: file, converted: [] }));
  if (found.rows === 1)
    for (const { name, type } of columns)
      if (/^STRUCT\(.*\)\[\]$/s.test(type))
        guesses.remarks.push(
          `${name} is a list of objects: select unnest(${quoteName(name)}, max_depth := 2) ` +
            'gives a row for each',
        );
  const exact = await withLongIntegers(connection, file, found, columns);
  return exact
    ? { ...found, options: [...options, columnsOption(exact)], described: exact }
    : { ...found, described: columns };
}

/**
 * Returns the columns with other types if some have integers of more than 64 bits, which the engine
 * reads as floating-point numbers: as integers, as text beyond 38 digits, or, inside of objects and
 * lists, as JSON.
 */
async function withLongIntegers(
  connection: api.DuckDBConnection,
  path: string,
  found: FoundTable,
  columns: readonly Column[],
): Promise<readonly Column[] | undefined> {
  const ask = async (tests: readonly string[], options: readonly string[]) => {
    const source = tableSource({ path, reader: 'read_json', options, converted: [] });
    const read = await connection.runAndReadAll(`select ${tests.join(', ')} ${source}`);
    return read.getRows()[0]!;
  };
  const floats = columns.filter(({ type }) => type.includes('DOUBLE'));
  if (floats.length === 0) return undefined;
  const large = await ask(
    floats.map(({ name, type }) =>
      type === 'DOUBLE'
        ? `max(abs(${quoteName(name)})) >= ${2 ** 63}`
        : `bool_or(regexp_matches(${quoteName(name)}::varchar, '\\d{19}|e\\+(?:19|[2-9]\\d)'))`,
    ),
    found.options,
  );
  const doubted = floats.filter((_, at) => large[at] === true);
  if (doubted.length === 0) return undefined;
  const typed = (types: readonly (string | undefined)[]) =>
    columns.map((column) => {
      const at = doubted.indexOf(column);
      return at < 0 ? column : { ...column, type: types[at] ?? column.type };
    });
  const digits = await ask(
    doubted.map(({ name, type }) => {
      const text = `${quoteName(name)}::varchar`;
      return type === 'DOUBLE'
        ? `case when bool_and(regexp_matches(${text}, '^-?\\d+$')) then max(length(${text})) end`
        : `case when bool_or(regexp_matches(${text}, '[:\\[,] ?-?\\d{19,}[,\\]}]')) then 1 end`;
    }),
    [...found.options, columnsOption(typed(doubted.map(() => 'JSON')))],
  );
  const types = doubted.map(({ type }, at) => {
    const length = digits[at] === null ? undefined : Number(digits[at]);
    if (length === undefined) return undefined;
    return type !== 'DOUBLE' ? 'JSON' : length <= MAX_DIGITS ? 'HUGEINT' : 'VARCHAR';
  });
  return types.every((type) => type === undefined) ? undefined : typed(types);
}

async function openSource(file: string, folder: string, bytes: number): Promise<TableSource> {
  const head = await bytesAt(file, 0, 16);
  if (/^\.xls[xm]$/i.test(extname(file))) {
    // Microsoft's compound file, which has the old format, or an encrypted workbook.
    if (head.toString('hex', 0, 8) === 'd0cf11e0a1b11ae1') throw await compoundProblem(file);
    return (await import('./workbook.ts')).openWorkbook(file, bytes);
  }
  if (head.toString('latin1', 0, 16) !== 'SQLite format 3\0')
    throw new FileProblem("isn't an SQLite database, or it is encrypted.");
  return (await import('./sqlite.ts')).openSqlite(file, folder);
}

/** Bytes at the end of a compound file in which its folder is searched. */
const FOLDER_BYTES = 2 ** 20;

async function compoundProblem(file: string): Promise<FileProblem> {
  const { size } = await stat(file);
  const isProtected = async (at: number): Promise<boolean> =>
    (await bytesAt(file, at, FOLDER_BYTES)).includes('EncryptedPackage', 0, 'utf16le');
  return (await isProtected(0)) || (await isProtected(Math.max(0, size - FOLDER_BYTES)))
    ? new FileProblem(
        'is protected by a password. Remove the password in Excel (File, Info, Protect ' +
          'Workbook) and try again.',
      )
    : new FileProblem('is a workbook of the old format (.xls). Save it as .xlsx.');
}

async function convert(
  source: TableSource,
  { file, folder, choices, preview }: Extract<EngineRequest, { call: 'readTables' }>,
  budget: TableBudget,
  connection: api.DuckDBConnection,
  signal: AbortSignal,
): Promise<ReadTables> {
  const tables: ReadTables['tables'][number][] = [];
  const { skipped } = source;
  const names = source.tables.map(({ name }) => name);
  const chosen = choices[source.kind];
  const order = source.tables.toSorted(
    (a, b) => Number(b.name === chosen) - Number(a.name === chosen),
  );
  const taken = new Set<string>();
  const remarks: string[] = [];
  let first: { readonly guesses: readonly Guess[]; readonly preview: Preview } | undefined;
  for (const [index, { name, read }] of order.entries()) {
    signal.throwIfAborted();
    if (index >= MAX_TABLES) {
      skipped.push({ name, reason: `only ${MAX_TABLES} are read` });
      continue;
    }
    const table = new TypedTable(connection, budget);
    const isFirst = first === undefined;
    const guesses = new Guesses(isFirst ? choices : {});
    guesses.take(source.kind, name, names);
    const columns = await read(table, guesses).catch((error: unknown) => {
      if (!(error instanceof TableProblem)) throw error;
      skipped.push({ name, reason: error.message });
      return null;
    });
    if (columns === undefined) skipped.push({ name, reason: 'is empty' });
    if (!columns) {
      if (name !== chosen) continue;
      throw new FileProblem(`has no rows in ${name}: it ${skipped.at(-1)!.reason}.`);
    }
    const made = join(folder, 'table.parquet');
    const textColumns = await table.write(made, columns, basename(file));
    remarks.push(...table.remarks.map((remark) => `${name}: ${remark}`));
    const { converted } = await guessColumns(
      connection,
      `read_parquet(${quoteText(made)})`,
      textColumns.map((column) => ({ name: column, type: 'VARCHAR' })),
      undefined,
      guesses,
    );
    const found = { reader: 'read_parquet', options: [], converted, rows: table.rows } as const;
    const finished = await finishTable(connection, made, found, guesses);
    if (first === undefined) {
      guesses.end();
      first = { guesses: guesses.list, preview: finished.first };
    }
    remarks.push(...guesses.remarks.map((remark) => (isFirst ? remark : `${name}: ${remark}`)));
    const path = preview
      ? parquetName(file, name, 1)
      : await place(made, file, name, taken, connection);
    tables.push({
      ...{ ...found, name, path, columns: columns.length },
      converted: finished.table.converted,
    });
    if (preview) break;
  }
  if (first === undefined)
    throw new FileProblem(
      skipped.length === 0
        ? `has no ${source.kind}s.`
        : `has no ${source.kind} to read: ` +
            `${skipped.map(({ name, reason }) => `${name} ${reason}`).join(', ')}.`,
    );
  return { tables, skipped, remarks, ...first };
}

/** Characters of the name of a file, and of its table, in the name of a new file. */
const MAX_NAME = 56;

const nameIn = (name: string): string =>
  name
    .replace(new RegExp(`[^${FILE_NAME_LETTERS}]+`, 'gu'), '_')
    .replace(/\.{2,}/g, '.')
    .slice(0, MAX_NAME)
    .trim();

const parquetName = (source: string, table: string, number: number): string =>
  `${nameIn(basename(source, extname(source)))} - ${nameIn(table)}` +
  `${number === 1 ? '' : `-${number}`}.parquet`;

/** Moves a new Parquet file beside its source and returns its name. */
async function place(
  made: string,
  source: string,
  table: string,
  taken: Set<string>,
  connection: api.DuckDBConnection,
): Promise<string> {
  for (let number = 1; ; number += 1) {
    const name = parquetName(source, table, number);
    const target = join(dirname(source), name);
    if (taken.has(name.toLowerCase())) continue;
    try {
      // A rename would replace a file that somebody has just made, so the name is taken first.
      await (await open(target, 'wx')).close();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      if ((await sourceOf(target, connection)) !== basename(source)) continue;
    }
    await chmod(made, 0o600);
    await rename(made, target);
    taken.add(name.toLowerCase());
    return name;
  }
}

/** Returns the name of the file from which a Parquet file was made; undefined for other files. */
async function sourceOf(
  file: string,
  connection: api.DuckDBConnection,
): Promise<string | undefined> {
  const found = await connection
    .runAndReadAll(
      `SELECT decode(value) FROM parquet_kv_metadata(${quoteText(file)}) ` +
        `WHERE decode(key) = ${quoteText(SOURCE_KEY)}`,
    )
    // Not a Parquet file.
    .catch(() => undefined);
  const value = found?.getRows()[0]?.[0];
  return typeof value === 'string' ? value : undefined;
}
