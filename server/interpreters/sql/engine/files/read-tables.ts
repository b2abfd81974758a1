/** Turns the sheets of a workbook, or the tables of a database, into Parquet files beside it. */
import { chmod, open, rename } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import * as api from '@duckdb/node-api';
import { FILE_NAME_LETTERS } from '@tiding/client/model';
import { quoteText } from '../../script.ts';
import type { EngineRequest, ReadTables, ReadTablesAnswer } from '../messages.ts';
import { FileProblem, TableProblem } from './problem.ts';
import type { TableSource } from './table-source.ts';
import { SOURCE_KEY, TableBudget, TypedTable } from './typed-table.ts';

/** Maximum number of tables of a file. */
const MAX_TABLES = 200;
const MEMORY_LIMIT = '512MiB';
/** First bytes of a file, by which its kind is recognized. */
const HEAD_BYTES = 4_096;

/**
 * Reads the tables of a file. Each becomes a Parquet file `<file> - <table>.parquet` in the same
 * folder. A file that an earlier call made from the same file is replaced, others never.
 */
export async function readTables(
  request: Extract<EngineRequest, { call: 'readTables' }>,
  signal: AbortSignal,
): Promise<ReadTablesAnswer> {
  const { file, folder, bytes } = request;
  try {
    if (/^\.[ct]sv$/i.test(extname(file))) {
      const { readDelimited } = await import('./delimited/read-delimited.ts');
      return await readDelimited(request, signal);
    }
    const source = await openSource(file, folder, bytes);
    try {
      return await convert(source, file, folder, new TableBudget(bytes), signal);
    } finally {
      source.close();
    }
  } catch (error) {
    if (error instanceof FileProblem) return { problem: error.message };
    throw error;
  }
}

async function openSource(file: string, folder: string, bytes: number): Promise<TableSource> {
  const handle = await open(file);
  const head = Buffer.alloc(HEAD_BYTES);
  await handle.read(head, 0, HEAD_BYTES, 0).finally(() => handle.close());
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
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    const read = async (at: number) => {
      const bytes = Buffer.alloc(Math.min(FOLDER_BYTES, size));
      await handle.read(bytes, 0, bytes.length, at);
      return bytes.includes('EncryptedPackage', 0, 'utf16le');
    };
    return (await read(0)) || (await read(Math.max(0, size - FOLDER_BYTES)))
      ? new FileProblem(
          'is protected by a password. Remove the password in Excel (File, Info, Protect ' +
            'Workbook) and try again.',
        )
      : new FileProblem('is a workbook of the old format (.xls). Save it as .xlsx.');
  } finally {
    await handle.close();
  }
}

async function convert(
  source: TableSource,
  file: string,
  folder: string,
  budget: TableBudget,
  signal: AbortSignal,
): Promise<ReadTables> {
  const tables: ReadTables['tables'][number][] = [];
  const remarks: string[] = [];
  const { skipped } = source;
  const instance = await api.DuckDBInstance.create(join(folder, 'rows.duckdb'), {
    memory_limit: MEMORY_LIMIT,
    temp_directory: folder,
  });
  const connection = await instance.connect();
  const taken = new Set<string>();
  try {
    for (const [index, { name, read }] of source.tables.entries()) {
      signal.throwIfAborted();
      if (index >= MAX_TABLES) {
        skipped.push({ name, reason: `only ${MAX_TABLES} are read` });
        continue;
      }
      const table = new TypedTable(connection, budget);
      const columns = await read(table).catch((error: unknown) => {
        if (!(error instanceof TableProblem)) throw error;
        skipped.push({ name, reason: error.message });
        return null;
      });
      if (columns === null) continue;
      if (columns === undefined) {
        skipped.push({ name, reason: 'is empty' });
        continue;
      }
      const made = join(folder, 'table.parquet');
      await table.write(made, columns, basename(file));
      remarks.push(...table.remarks.map((remark) => `${name}: ${remark}`));
      const path = await place(made, file, name, taken, connection);
      tables.push({ name, path, rows: table.rows, columns: columns.length });
    }
  } finally {
    connection.disconnectSync();
    instance.closeSync();
  }
  if (tables.length === 0)
    throw new FileProblem(
      skipped.length === 0
        ? `has no ${source.kind}s.`
        : `has no ${source.kind} to read: ` +
            `${skipped.map(({ name, reason }) => `${name} ${reason}`).join(', ')}.`,
    );
  return { tables, skipped, ...(remarks.length > 0 && { remarks }) };
}

/** Characters of the name of a file, and of its table, in the name of a new file. */
const MAX_NAME = 56;

const nameIn = (name: string): string =>
  name
    .replace(new RegExp(`[^${FILE_NAME_LETTERS}]+`, 'gu'), '_')
    .replace(/\.{2,}/g, '.')
    .slice(0, MAX_NAME)
    .trim();

/** Moves a new Parquet file beside its source and returns its name. */
async function place(
  made: string,
  source: string,
  table: string,
  taken: Set<string>,
  connection: api.DuckDBConnection,
): Promise<string> {
  const stem = `${nameIn(basename(source, extname(source)))} - ${nameIn(table)}`;
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? `${stem}.parquet` : `${stem}-${number}.parquet`;
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
